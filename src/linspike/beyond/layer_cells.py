"""Cells of the studies of layers: rules, tasks, and how a trial learns with a layer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from linspike.beyond.delays import WEIGHTS, rule_settings
from linspike.beyond.network_rules import JointAdam, LayerwiseJitter
from linspike.network import Layer, Network, NetworkWeights
from linspike.neuron.srm import SRM
from linspike.paper.common.capacity_cells import CapacityCell
from linspike.paper.common.methods import ANNEALED
from linspike.rules.base import Rule
from linspike.rules.network.joint_dta import JointDTA
from linspike.spikes.pattern import Pattern
from linspike.spikes.pattern_set import PatternSet
from linspike.spikes.targets import SpikeTimes
from linspike.study.tasks import Task, initial_weights, latency_encoding
from linspike.training.result import FitResult, raise_if_interrupted
from linspike.training.trainer import Trainer

FIXED, JOINT, ADAM, JITTER = "random layer", "joint layers", "Adam", "spike jitter"
XOR, NO_LAYER = "temporal XOR", "no layer"
NETWORK_RULES: dict[str, type[Rule]] = {
    "joint_dta": JointDTA,
    "joint_adam": JointAdam,
    "layerwise_jitter": LayerwiseJitter,
}
# Settings were chosen on seeds from 1,000,000 on, see decision 0044.
_JOINT = {
    "bound": 0.4,
    "margin": 0.8,
    "hold_tolerance": None,
    "share": 0.3,
    "max_shift": 1.0,
    "least_slope": 0.1,
    "least_rate": 0.8,
    "schedule": ANNEALED,
}
_ADAM = {
    "eta": 0.01,
    "hidden_eta": 0.003,
    "margin": 0.1,
    "hold_tolerance": None,
    "least_slope": 0.1,
    "schedule": (1.0, 0.2),
}
_JITTER = {
    "bound": 0.4,
    "margin": 0.4,
    "hold_tolerance": None,
    "max_shift": 0.001,
    "schedule": ANNEALED,
}
RULES: dict[str, tuple[str, dict[str, Any]]] = {
    FIXED: ("dta", rule_settings(WEIGHTS)),
    JOINT: ("joint_dta", _JOINT),
    ADAM: ("joint_adam", _ADAM),
    JITTER: ("layerwise_jitter", _JITTER),
}
RATE, XOR_RATE = 3.0, 2.0  # spikes of a hidden neuron per pattern, before learning
XOR_HIDDEN, XOR_DELAY, XOR_MS = 10, 10.0, 40.0
XOR_INPUTS, XOR_OUTPUTS = (0.5, 6.5), (20.0, 14.0)  # of 0 and 1; of equal and different ones
Respond = Callable[[PatternSet], Any]  # patterns -> trains of the output neuron


@dataclass(frozen=True, kw_only=True)
class LayerCell(CapacityCell):
    """Desired times, learned behind a hidden layer or through it.

    Parameters
    ----------
    task : str
        "few inputs" or "temporal XOR".
    hidden : int
        Number of hidden neurons; 0 for no layer.
    rate : float
        Mean number of spikes of a hidden neuron in a pattern, before learning.
    hidden_delay : float
        Longest of the random delays of the hidden layer, in milliseconds; 0 for none.
    """

    task: str
    hidden: int
    rate: float
    hidden_delay: float = 0.0

    def make_task(self, seed: int) -> Task:
        """Return patterns with desired times; the weights are those of no layer."""
        if self.task == XOR:
            return make_xor(seed)
        return latency_encoding(seed, self.load, n_channels=self.n_channels)

    def make_rule(self) -> Rule:
        """Return the rule, of a neuron or of a network."""
        if self.rule in NETWORK_RULES:
            return NETWORK_RULES[self.rule](**self.settings)
        return super().make_rule()

    def make_trainer(self, neuron: Any) -> Trainer:
        """Return the trainer of a neuron or a network."""
        rule, criterion = self.make_rule(), self.criterion
        return Trainer(neuron, rule, max_epochs=self.max_epochs, criterion=criterion)

    def make_network(self, seed: int, patterns: PatternSet) -> tuple[Network, NetworkWeights]:
        """Return the network and its first weights: the same for every rule."""
        delays = None
        if self.hidden_delay:
            rng = np.random.default_rng([seed, self.hidden])
            shape = self.hidden, patterns.n_channels
            delays = rng.uniform(0.0, self.hidden_delay, shape)
        neuron = self.make_neuron()
        network = Network([Layer(self.hidden, neuron, delays), Layer(1, neuron)])
        drawn = network.initial_weights(patterns, seed, rate=self.rate)
        out = initial_weights(seed, self.hidden)[np.newaxis]
        return network, NetworkWeights(drawn.hidden, out)


def make_xor(seed: int) -> Task:
    """Return a bias and two inputs, early or late, in all four combinations."""
    patterns, desired = [], []
    for first in (0, 1):
        for second in (0, 1):
            times = [0.0, XOR_INPUTS[first], XOR_INPUTS[second]]
            patterns.append(Pattern.sorted(times, [0, 1, 2], 3, XOR_MS))
            desired.append([XOR_OUTPUTS[first != second]])
    return Task(initial_weights(seed, 3), PatternSet.from_patterns(patterns), SpikeTimes(desired))


def learn(cell: LayerCell, seed: int) -> tuple[FitResult, Respond]:
    """Learn one task, behind a layer or through it; return the result, and how to respond."""
    weights, patterns, targets = cell.make_task(seed)
    neuron = cell.make_neuron()
    if cell.hidden == 0:
        result = cell.make_trainer(neuron).fit(weights, patterns, targets, seed=seed)
        raise_if_interrupted([result])
        return result, lambda seen: _respond(neuron, result, seen)
    network, start = cell.make_network(seed, patterns)
    if cell.rule in NETWORK_RULES:
        result = cell.make_trainer(network).fit(start, patterns, targets, seed=seed)
        raise_if_interrupted([result])
        return result, lambda seen: network.respond(result.weights, seen)[0]
    spikes = network.hidden_patterns(start, patterns)
    result = cell.make_trainer(neuron).fit(start.out[0], spikes, targets, seed=seed)
    raise_if_interrupted([result])
    return result, lambda seen: _respond(neuron, result, network.hidden_patterns(start, seen))


def _respond(neuron: SRM, result: FitResult, patterns: PatternSet) -> Any:
    weights = result.weights[np.newaxis]
    return neuron.respond_many(weights, patterns, delays=result.delays, threads=1)[0]
