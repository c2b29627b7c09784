"""Chains on the same patterns in the same order, brought together: one pass answers for all."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from linspike.kernels.simulation.batch import BLOCK, Block, Spikes
from linspike.kernels.training.batch import Members
from linspike.training.execute import Chain
from linspike.training.prepare import make_workspace
from linspike.training.steps import parameters_of, step_of

LEAST = 4  # for fewer a pass for all is no faster than one for each


class Team:
    """Some chains and a call that runs them side by side, with the same results to the last bit."""

    def __init__(self, chains: Sequence[Chain]) -> None:
        self.chains = chains
        self._epochs = np.zeros(len(chains), np.int64)
        for number, chain in enumerate(chains):
            chain.progress = self._epochs[number : number + 1]

    def __call__(self) -> None:
        """Prepare, learn, and hand each chain what it learned."""
        from linspike.kernels.training.batch_signature import run_team

        first = self.chains[0]
        all_data = [chain.prepared() for chain in self.chains]
        data, constants = all_data[0]
        weights = np.array([chain.weights for chain in self.chains])
        workspace = make_workspace(data, first.rule, weights.shape[1])
        desired = np.array([data.counts for data, _ in all_data])
        members = _members(desired, weights, workspace.actual.size, self._epochs)
        _, step = step_of(first.rule)
        parameters = parameters_of(first.rule, True)
        run_team(
            step,
            data,
            first.options,
            constants,
            parameters,
            first.seed,
            first.stop,
            workspace,
            members,
        )
        for number, chain in enumerate(self.chains):
            ending = int(members.endings[number])
            chain.ended(weights[number], int(self._epochs[number]), ending, all_data[number][0])


def _members(desired: np.ndarray, weights: np.ndarray, room: int, epochs: np.ndarray) -> Members:
    n, channels = weights.shape
    block = Block(np.empty(n), np.empty(n), np.empty(n, np.int64), np.empty((channels, n)))
    # One place more than all of them can fill: a full list would end a pass early.
    found = Spikes(np.empty(n * room + 1), np.empty(n * room + 1, np.int32))
    runaway_patterns, runaway_epochs, endings = np.zeros((3, n), np.int64)
    learning = np.ones(n, np.bool_)
    velocity = np.zeros_like(weights)
    return Members(
        desired,
        weights,
        velocity,
        block,
        found,
        runaway_patterns,
        runaway_epochs,
        epochs,
        endings,
        learning,
    )


def grouped(chains: list[Chain], threads: int) -> Sequence[Callable[[], None]]:
    """The chains as they are, or as a team for each thread, or more, where they can be one."""
    first = chains[0]
    alike = {(chain.kind, chain.seed) for chain in chains}
    together = len(chains) >= LEAST and len(alike) == 1 and first.kind.counts > 0
    if not together or first.options.track or not step_of(first.rule)[0]:
        return chains
    size = min(BLOCK, max(LEAST, math.ceil(len(chains) / threads)))
    return [Team(chains[at : at + size]) for at in range(0, len(chains), size)]
