"""Chains whose outcomes are frozen in tests/golden/guards.json: every rule and every setting.

Names are data. They do not change when a class does: only the right-hand sides here follow.
"""

from __future__ import annotations

import numpy as np
from tests.support.guard_values import digest, shown

import linspike as ls
from linspike.beyond.hard_constraints import HardConstraints
from linspike.study import decoding, encoding
from tools import record_learning as learning

SEEDS = (0, 1)
EPOCHS = 30
# Name: rule. For desired times.
TIMES = {
    "DTA": ls.DTA(),
    "DTA, steady": ls.DTA(schedule=(1.0, 1.0)),
    "DTA, settle 0.2": ls.DTA(skip_below=0.2),
    "DTA, bound per set": ls.DTA(bound_per="set"),
    "DTA, bound infinite": ls.DTA(bound=float("inf")),
    "DTA, overshoot free": ls.DTA(allow_negative=False),
    "DTA, converged 0, margin 0.02": ls.DTA(match_tolerance=0.0, margin=0.02),
    "DTA, feasible, hard": ls.DTA.paper(bound=0.02, min_multiplier=0.0),
    "DTA, min_norm, hard": HardConstraints("min_norm", bound=0.02),
    "DTA, min_l1, hard": HardConstraints("min_l1", bound=0.02),
    "paper": ls.DTA.paper(),
    "paper, stdp": ls.DTA.paper(window="stdp"),
    "paper, filt": ls.DTA.paper(window="filt"),
    "paper, filt-gardner": ls.DTA.paper(window="filt-gardner"),
    "paper, bound infinite": HardConstraints("feasible", bound=float("inf"), min_multiplier=1e-6),
    "first_error": ls.rules.FirstError(),
    "resume": ls.rules.ReSuMe(),
    "resume, non-Hebbian": ls.rules.ReSuMe(non_hebbian=0.001),
    "psd": ls.rules.PSD(),
    "psd, momentum": ls.rules.PSD(momentum=0.9),
    "filt": ls.rules.FILT(),
    "filt, filt-gardner": ls.rules.FILT(window="filt-gardner"),
    "fp": ls.rules.FP(),
    "htp": ls.rules.HTP(),
    "e_learning": ls.rules.ELearning(),
}
# Name: rule. For desired counts.
COUNTS = {
    "DTA": ls.DTA(),
    "DTA, critical": ls.DTA(count_target="critical"),
    "DTA, gradient": ls.DTA(count_target="gradient"),
    "DTA, gradient, bound 0.03": ls.DTA(count_target="gradient", bound=0.03),
    "DTA, bound per row": ls.DTA(bound_per="row"),
    "DTA, margin 0.5": ls.DTA(margin=0.5),
    "paper": ls.DTA.paper(),
    "paper, stdp": ls.DTA.paper(window="stdp"),
    "paper, critical": ls.DTA.paper(count_target="critical"),
    "paper, gradient": ls.DTA.paper(count_target="gradient"),
    "first_error": ls.rules.FirstError(),
    "resume": ls.rules.ReSuMe(),
    "psd": ls.rules.PSD(),
    "filt": ls.rules.FILT(),
    "fp": ls.rules.FP(),
    "htp": ls.rules.HTP(),
    "e_learning": ls.rules.ELearning(),
    "mst": ls.rules.MST(),
    "mst, momentum": ls.rules.MST(momentum=0.9),
    "eml": ls.rules.EML(),
    "emlc": ls.rules.EMLC(),
}
# Name: (task, rule, settings of the trainer, settings of fit).
SETTINGS = {
    "times, strict": ("times", ls.DTA(), {"criterion": "strict"}, {}),
    "times, strict, paper": ("times", ls.DTA.paper(), {"criterion": "strict"}, {}),
    "times, until 250": ("times", ls.DTA(), {"until": 250.0}, {}),
    "times, anneal": ("times", ls.DTA(), {"schedule": (2.0, 0.1)}, {}),
    "times, step_scale": ("times", ls.DTA(), {}, {"step_factor": [1.0, 0.5, 0.25, 0.1, 0.0]}),
    "times, first_epoch 7": ("times", ls.DTA(), {}, {"first_epoch": 7}),
    "times, history": ("times", ls.DTA(), {"criterion": "strict"}, {"history": True}),
    "times, history, psd": ("times", ls.rules.PSD(), {}, {"history": True}),
    "counts, at_least": ("counts", ls.DTA(), {"at_least": True}, {}),
    "counts, until 70": ("counts", ls.DTA(), {"until": 70.0}, {}),
    "counts, step_scale": ("counts", ls.DTA(), {}, {"step_factor": np.linspace(0.0, 1.0, 20)}),
    "counts, history": ("counts", ls.DTA(), {}, {"history": True}),
    "counts, history, mst": ("counts", ls.rules.MST(), {}, {"history": True}),
    "counts, neuron": ("counts", ls.DTA(), {"neuron": ls.SRM(tau_m=15.0, tau_s=3.0)}, {}),
}
# Name: (task, rule).
TRAJECTORIES = {
    "times, DTA": ("times", ls.DTA()),
    "times, paper": ("times", ls.DTA.paper()),
    "times, psd, momentum": ("times", ls.rules.PSD(momentum=0.9)),
    "counts, DTA": ("counts", ls.DTA()),
    "counts, mst": ("counts", ls.rules.MST()),
}
# Name: rule. Learned by many neurons side by side.
TEAMS = {
    "DTA": ls.DTA(),
    "DTA, gradient": ls.DTA(count_target="gradient"),
    "paper": ls.DTA.paper(),
    "emlc": ls.rules.EMLC(),
    "psd, momentum": ls.rules.PSD(momentum=0.5),
}


def small_task(task, seed):
    """Weights, patterns and targets of a small task."""
    if task == "times":
        return encoding(seed, 5, duration=200.0)
    return decoding(seed, 20, duration=50.0)


def outcome(result):
    """One chain: the digest of its weights, and what another processor must find as well."""
    found = {
        "weights": digest(result.weights),
        "epochs": int(result.epochs),
        "converged": bool(result.converged),
        "reason": result.reason.replace("responses right", "answers right"),
        "shown": shown(result.weights),
    }
    if result.history is not None:
        kept = result.history
        columns = [kept.accuracy, kept.distance, kept.stepped, kept.fallback, kept.dead]
        found["history"] = digest(*columns, kept.norm)
    return found


def learn(task, rule, threads, settings=(), fitting=()):
    """Outcomes of one chain for each seed."""
    made = {"neuron": ls.SRM(), "max_epochs": EPOCHS, **dict(settings)}
    trainer = ls.Trainer(made.pop("neuron"), rule, **made)
    weights, patterns, targets = zip(*(small_task(task, seed) for seed in SEEDS), strict=True)
    fitted = {"seeds": SEEDS, "threads": threads, **dict(fitting)}
    results = trainer.fit_many(np.array(weights), patterns, targets, **fitted)
    return [outcome(result) for result in results]


def learn_together(rule, threads):
    """Outcomes of six neurons that share patterns, order and one pass: the team's kernel."""
    weights = np.array([decoding(seed, 1).weights for seed in range(6)])
    patterns = decoding(0, 20).patterns
    targets = [ls.SpikeCounts((np.arange(20) + shift) % 5) for shift in range(6)]
    trainer = ls.Trainer(ls.SRM(), rule, max_epochs=EPOCHS)
    results = trainer.fit_many(weights, patterns, targets, seeds=[3] * 6, threads=threads)
    return [outcome(result) for result in results]


def walk(task, rule):
    """Digest of the weights after each of 40 steps."""
    trainer = ls.Trainer(ls.SRM(), rule, max_epochs=EPOCHS)
    paths = [trainer.trajectory(*small_task(task, s), steps=40, seed=s) for s in SEEDS]
    return [{"weights": digest(path), "shown": shown(path[-1])} for path in paths]


def chains(threads):
    """Name and maker of every guarded chain, as {name: () -> outcomes}."""
    made = {}
    for name, *case in learning.CASES:
        made[f"learning: {name}"] = lambda case=case: [
            outcome(result) for result in learning.study(len(SEEDS), *case)
        ]
    for task, rules in (("times", TIMES), ("counts", COUNTS)):
        for name, rule in rules.items():
            made[f"{task}: {name}"] = lambda task=task, rule=rule: learn(task, rule, threads)
    for name, (task, *more) in SETTINGS.items():
        made[f"settings: {name}"] = lambda task=task, more=more: learn(
            task, more[0], threads, *more[1:]
        )
    for name, case in TRAJECTORIES.items():
        made[f"trajectory: {name}"] = lambda case=case: walk(*case)
    for name, rule in TEAMS.items():
        made[f"team: {name}"] = lambda rule=rule: learn_together(rule, threads)
    return made
