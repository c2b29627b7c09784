"""Steps of a rule on random inputs, for the contract; also run as a script, uncompiled.

python step_inputs.py KEY ... --out FILE [--folder FOLDER] writes the changes that the steps give.
"""

import argparse

import numpy as np

import linspike as ls
from linspike.kernels.simulation.events import present
from linspike.kernels.training.chain import make_step_input, respond
from linspike.kernels.training.state import ChainTask, TrainOptions
from linspike.rules import REGISTRY, rule_class
from linspike.training.prepare import (
    complete_constants,
    make_chain_data,
    make_constants,
    make_workspace,
    time_finder_of,
)

NEURON = ls.SRM()
N_CHANNELS = 60


def patterns_of(seed):
    return ls.poisson_patterns(3, n_channels=N_CHANNELS, duration=100.0, rate=0.02, rng=seed)


def random_weights(seed):
    """Of both signs, and such that the neuron fires a few times."""
    return np.random.default_rng(seed).normal(0.04, 0.12, N_CHANNELS)


def targets_of(rule, seed, patterns):
    if "times" in rule.targets:
        trains = ls.poisson_trains(
            len(patterns), duration=100.0, rate=0.02, min_gap=3.0, min_onset=10.0, rng=seed + 1
        )
        return ls.SpikeTimes(trains)
    return ls.SpikeCounts(np.random.default_rng(seed).integers(0, 6, len(patterns)))


class Scene:
    """What a chain of this rule works on, stopped before a step."""

    def __init__(self, rule, patterns, targets):
        self.rule = rule
        horizons, ragged = np.array(patterns.durations), patterns._ragged
        constants = make_constants(NEURON, rule)
        counts = isinstance(targets, ls.SpikeCounts)
        constants = complete_constants(constants, rule, ragged, horizons, counts=counts)
        data = make_chain_data(ragged, targets, constants, horizons)
        options = TrainOptions(
            criterion=0,
            skip_below=1.0,
            at_least=False,
            counts_as_times=rule.counts_as_times,
            momentum=0.0,
            track=False,
            max_delay=0.0,
            delay_step=0.0,
        )
        self.parameters = rule.parameters(counts=counts)
        self.constants = constants
        self.task = ChainTask(data, constants, options, self.parameters)
        self.workspace = make_workspace(data, patterns.n_channels)

    def step_input(self, weights, p):
        task = self.task
        find_times = time_finder_of(self.rule, counts=task.data.counts[0, 0] >= 0)
        presented, actual = self.workspace.presented, self.workspace.actual
        present(task.data.events, p, np.empty(0), task.constants.m, presented)
        n = respond(task.data, presented.events, p, task.constants, weights, actual)
        return make_step_input(find_times, task, 0, p, weights, np.empty(0), n, self.workspace)[0]

    def step(self, weights, p):
        """Change and outcome of one step."""
        change = np.full(weights.size, np.nan)
        step_input = self.step_input(weights, p)
        outcome = self.rule.step(step_input, self.parameters, weights, change, self.workspace.work)
        return change, outcome


def steps_of(key, seeds):
    """Changes and outcomes of a rule's steps, for times where it can and for counts."""
    rule = rule_class(key)()
    changes, outcomes = [], []
    for seed in seeds:
        patterns = patterns_of(seed)
        tasks = [targets_of(rule, seed, patterns)]
        if "times" in rule.targets:
            tasks.append(ls.SpikeCounts([1, 4, 2]))
        for targets in tasks:
            scene = Scene(rule, patterns, targets)
            for p in range(len(patterns)):
                change, outcome = scene.step(random_weights(seed), p)
                changes.append(change)
                outcomes.append(outcome)
    return np.array(changes), np.array(outcomes)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("keys", nargs="+")
    parser.add_argument("--out", required=True)
    parser.add_argument("--folder")
    arguments = parser.parse_args()
    if arguments.folder:
        ls.rules.__path__.append(arguments.folder)
        REGISTRY.setdefault("dummy", "Dummy")
    found = {}
    for key in arguments.keys:
        found[f"{key}_changes"], found[f"{key}_outcomes"] = steps_of(key, range(4))
    np.savez(arguments.out, **found)
