"""
Check a model before deployment
===============================

Simulators with a time step and chips with small integers respond differently. See by how much,
and train so that it matters less.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

import linspike as ls

X, y = load_breast_cancer(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, stratify=y, random_state=0)

# %%
# A classifier that is trained as usual, and one that also learns noisy copies of its patterns.
# Longer patterns and few spikes suit a grid: a neuron cannot spike twice in one time step.
encoder = ls.PopulationEncoder(duration=100.0)
options = {"spikes": 3, "max_iter": 30, "random_state": 0}
usual = ls.SpikeClassifier(encoder, **options).fit(X_train, y_train)
robust = ls.SpikeClassifier(encoder, jitter=1.0, **options).fit(X_train, y_train)

# %%
# What would change on a grid, or with integer weights, for samples that were not learned from?
reports = {}
for name, classifier in {"as usual": usual, "jitter=1.0": robust}.items():
    reports[name] = ls.deploy_check(
        classifier, X_test, labels=y_test, dts=[1.0, 0.1, 0.01], bits=[8, 4]
    )
    print(f"{name}\n{reports[name]}\n")

# %%
# With noisy copies the neurons learned a margin: at 1 ms far fewer counts change. Against weights
# of 4 bits noise on spikes does not help; 8 bits hardly change anything.
figure, axes = plt.subplots(1, 2, figsize=(9.0, 3.2), layout="constrained", sharey=True)
for ax, (name, report) in zip(axes, reports.items(), strict=True):
    ls.plot_deploy_check(report, ax=ax)
    ax.set_title(name, loc="left", fontsize="medium")
axes[1].set_ylabel("")
axes[0].get_legend().remove()
axes[1].legend(loc=(0.03, 0.42), frameon=False, fontsize="small")
plt.show()
