"""Handwritten digits: a frozen convolution in front, ten spiking neurons behind it.

Run: python examples/classify_mnist.py [IMAGES [EPOCHS]]

Needs the data (`linspike data mnist`) but not PyTorch: the filters come with the package.
"""

import sys
import time

import linspike as ls
from linspike.datasets import load_mnist, mnist_missing, shipped_filters


def main(images: int, epochs: int) -> None:
    """Learn some of the training images, and be tested on all test images."""
    train, test = load_mnist("train"), load_mnist("test")
    convolution = shipped_filters()[0]  # six 5x5 filters, rectified and pooled: 864 activations
    # A slow membrane: V then follows all activations at once, and two spikes say enough.
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


if __name__ == "__main__":
    if mnist_missing():
        print(f"MNIST is not there: {mnist_missing()}")
    else:
        given = [int(argument) for argument in sys.argv[1:3]]
        main(*given, *(6000, 3)[len(given) :])
