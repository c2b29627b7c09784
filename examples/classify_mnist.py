"""
Classify handwritten digits
===========================

A frozen convolution in front, ten spiking neurons behind it.

This needs the data (``linspike data mnist``) but not PyTorch: the filters come with the package.
``python examples/classify_mnist.py 60000 6`` learns all images in six epochs.
"""

# sphinx_gallery_thumbnail_path = '../results/paper/figures/fig10.png'

import sys
import time

import linspike as ls
from linspike.datasets import load_mnist, mnist_missing, shipped_filters

if mnist_missing():
    sys.exit(f"MNIST is not there: {mnist_missing()}")
images = int(sys.argv[1]) if len(sys.argv) > 1 else 6000
epochs = int(sys.argv[2]) if len(sys.argv) > 2 else 3

train, test = load_mnist("train"), load_mnist("test")
convolution = shipped_filters()[0]  # six 5x5 filters, rectified and pooled: 864 activations

# %%
# With a slow membrane the potential follows all activations at once, and two spikes say enough.
clf = ls.SpikeClassifier(
    ls.LatencyEncoder(duration=50.0, scale=4.0),
    ls.DTA(count_target="critical"),
    neuron=ls.SRM(tau_m=200.0, tau_s=50.0),
    spikes=2,
    max_iter=epochs,
    random_state=0,
)
started = time.perf_counter()
clf.fit(convolution.features(train.images[:images]), train.digits[:images])
seconds = time.perf_counter() - started
right = clf.score(convolution.features(test.images), test.digits)
print(f"{images} images, {clf.n_iter_} epochs, {seconds:.1f} s: {right:.2%} of the test right")
