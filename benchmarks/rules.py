"""Every rule on the same task: chains a second on one thread and on two."""

from __future__ import annotations

import numpy as np

import linspike as ls
from benchmarks.timing import Report, best_seconds
from linspike.rules import REGISTRY, rule_class
from linspike.study import decoding, encoding

CHAINS = 8
EPOCHS = 20  # too few for any rule to finish, so all do the same number of presentations
LOADS = {"times": 60, "counts": 500}


def measure(report: Report) -> None:
    """Times for the rules that learn them; counts for those that learn only these, and for DTA."""
    tasks = {
        "times": [encoding(seed, LOADS["times"]) for seed in range(CHAINS)],
        "counts": [decoding(seed, LOADS["counts"]) for seed in range(CHAINS)],
    }
    for kind, data in tasks.items():
        for key in REGISTRY:
            if key.startswith("dta") or ("times" in rule_class(key).targets) == (kind == "times"):
                _rule(report, key, kind, data)


def _rule(report: Report, key: str, kind: str, data) -> None:
    weights, patterns, targets = zip(*data, strict=True)
    # A small step keeps weights, and with them the number of spikes, alike for all rules.
    rule = rule_class(key)() if key.startswith("dta") else rule_class(key)(eta=0.001)
    trainer = ls.Trainer(ls.SRM(), rule, max_epochs=EPOCHS)

    def run(threads: int):
        arguments = (np.array(weights), patterns, targets)
        return lambda: trainer.fit_many(*arguments, seeds=range(CHAINS), threads=threads)

    best = best_seconds({1: run(1), 2: run(2)}, rounds=3, least_seconds=0.0)
    presentations = CHAINS * EPOCHS * LOADS[kind]
    note = f"{CHAINS / best[2]:.3g} chains/s on 2 threads, {best[1] / best[2]:.2f} x; "
    note += f"{1e6 * best[1] / presentations:.1f} us a presentation"
    name = f"{key}, {kind}, {EPOCHS} epochs of {LOADS[kind]} patterns"
    report.add("rules", name, CHAINS / best[1], "chains/s", note=note)
