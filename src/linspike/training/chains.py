"""From the arguments of a call to chains and their rule."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from linspike import rules
from linspike.errors import ParameterError, SpikeDataError, Words
from linspike.network import Network
from linspike.neuron.arguments import check_patterns, check_weights
from linspike.neuron.srm import SRM
from linspike.rules import rule_of
from linspike.rules.base import Rule
from linspike.rules.network.base import NetworkRule
from linspike.spikes.pattern_set import PatternSet
from linspike.spikes.targets import SpikeCounts, SpikeTimes
from linspike.training.prepare import Chain, check_seed


def rule_for(neuron: SRM | Network, rule: Any) -> Rule:
    """Return the rule that teaches a neuron, or a network."""
    found = rule_of(rule, "Trainer")
    if isinstance(neuron, Network) and found == rule_of("dta", "Trainer"):
        found = rules.JointDTA()
    if isinstance(neuron, Network) and not isinstance(found, NetworkRule):
        domain = "a rule for networks"
        raise ParameterError.of("rule", "Trainer", domain, found, "Use ls.rules.JointDTA().")
    if isinstance(neuron, SRM) and isinstance(found, NetworkRule):
        raise ParameterError.of("rule", "Trainer", "a rule for single neurons", found)
    return found


def refuse_network(neuron: Any, owner: str, remedy: str) -> None:
    """Refuse a network where only single neurons learn."""
    if isinstance(neuron, Network):
        got = Words("a Network")
        raise ParameterError.of("neuron", "Trainer", f"an SRM for {owner}", got, remedy)


def make_chains(weights: Any, patterns: Any, targets: Any, seeds: Any) -> list[Chain]:
    """Return one chain per row of weights; a single set or target is shared by all."""
    owner = "fit_many"
    shared = isinstance(patterns, PatternSet)
    if not shared and not (isinstance(patterns, (list, tuple)) and patterns):
        raise ParameterError.of("patterns", owner, "a PatternSet or a list of them", patterns)
    first = patterns if shared else patterns[0]
    rows = check_weights(weights, check_patterns(first, owner)._ragged.n_channels, 2, owner)
    one = isinstance(targets, (SpikeTimes, SpikeCounts))
    if not one and not isinstance(targets, (list, tuple)):
        domain = "SpikeTimes, SpikeCounts or a list of them"
        raise ParameterError.of("targets", owner, domain, targets)
    if not isinstance(seeds, (Sequence, np.ndarray)) or isinstance(seeds, str):
        raise ParameterError.of("seeds", owner, "a list with one number per chain", seeds)
    n = len(rows)
    parts = {
        "patterns": [patterns] * n if shared else list(patterns),
        "targets": [targets] * n if one else list(targets),
        "seeds": [check_seed(seed, owner) for seed in seeds],
    }
    for name, listed in parts.items():
        if len(listed) != n:
            raise SpikeDataError(
                f"The '{name}' parameter of {owner} must hold one entry per row of weights "
                f"({n}). Got {len(listed)} instead."
            )
    return [Chain(*chain) for chain in zip(rows, *parts.values(), strict=True)]
