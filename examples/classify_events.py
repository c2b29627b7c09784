"""
Classify events of a camera
===========================

An event camera moves in front of digits; its events are classified as they are.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

import linspike as ls
from linspike.datasets import moving_sensor_events

digits = load_digits()
images, labels = digits.images[:600] / 16.0, digits.target[:600]
events = moving_sensor_events(images, rng=0)
print(events)

# %%
# `make_event_classifier` returns a classifier with settings for recordings of this length. It
# presents a recording in eight stretches at once and thins the spikes of busy pixels.
duration = float(events.durations.max())
clf = ls.make_event_classifier(duration, random_state=0)
train, test = train_test_split(np.arange(600), test_size=0.5, stratify=labels, random_state=0)
clf.fit(events[train], labels[train])
print(f"{clf.score(events[test], labels[test]):.1%} of the other digits are right")

# %%
# What the camera sees of one digit in each saccade: pixels that become brighter (red) and darker
# (blue), with as many events as the colour is strong. Below, when events happen.
width = images.shape[2] + 6
one = events[3]
figure = plt.figure(figsize=(8.0, 4.4), layout="constrained")
parts = figure.subplot_mosaic("digt;rrrr", height_ratios=[3, 2])
parts["d"].imshow(images[3], cmap="gray")
parts["d"].set_title(f"a {labels[3]}")
for saccade, name in enumerate("igt"):
    begin = saccade * duration / 3.0
    inside = (one.times >= begin) & (one.times < begin + duration / 3.0)
    counts = np.bincount(one.channels[inside], minlength=events.n_channels)
    darker, brighter = counts.reshape(2, width, width)
    parts[name].imshow(brighter - darker, cmap="RdBu_r", vmin=-8, vmax=8)
    parts[name].set_title(f"saccade {saccade + 1}")
for name in "digt":
    parts[name].set(xticks=[], yticks=[])
bins = np.linspace(0.0, duration, 61)
for polarity, colour, name in ((1, "tab:red", "brighter"), (0, "tab:blue", "darker")):
    chosen = one.channels // (width * width) == polarity
    parts["r"].hist(one.times[chosen], bins, histtype="step", color=colour, label=name)
parts["r"].set(xlabel="time (ms)", ylabel="events in 5 ms", xlim=(0.0, duration))
parts["r"].legend(frameon=False)
plt.show()
