"""The base of rules for networks."""

from __future__ import annotations

from linspike.rules.base import Rule


class NetworkRule(Rule):
    """A learning rule for networks: what to change in both layers after one response.

    Its compiled step has the signature of `kernels.network.signatures`.
    """

    targets = frozenset({"times"})
    counts_as_times = False

    def memory_size(self, n_weights: int, n_hidden: int) -> int:
        """Return how many numbers the rule keeps from step to step; they start at 0."""
        return 1
