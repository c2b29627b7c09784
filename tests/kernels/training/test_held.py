"""Rows of a step that leaves right spikes where they are; also run uncompiled."""

import numpy as np
import pytest
from tests.support import naive
from tests.support.step_inputs import NEURON, Scene, patterns_of, random_weights

import linspike as ls
from linspike.kernels.training.step_problem import assemble_held, assemble_times
from linspike.kernels.trains.distances import find_partners, pair_spikes

TAUS, MATCH = (NEURON.tau_m, NEURON.tau_s), 0.5


def scene_of(seed, moved_by, lost=0, added=0):
    """A step input: spikes of the response are desired, moved, some lost and some added."""
    rng = np.random.default_rng(seed)
    patterns, weights = patterns_of(seed), random_weights(seed)
    desired = []
    for pattern in patterns:
        spikes = NEURON.respond(weights, pattern).times
        kept = np.sort(rng.permutation(np.array(spikes))[lost:])
        more = np.concatenate([kept, rng.uniform(20.0, 95.0, added)])
        more += rng.uniform(-moved_by, moved_by, more.size)
        desired.append(np.unique(np.clip(more, 1.0, 99.0)))
    scene = Scene(ls.DTA(), patterns, ls.SpikeTimes(desired))
    for p, pattern in enumerate(patterns):
        yield scene, scene.step_input(weights, p), pattern, weights


@pytest.mark.parametrize("tolerance", [0.3, 1.0, 3.0])
@pytest.mark.parametrize(("lost", "added"), [(0, 1), (1, 0), (1, 2)])
def test_rows_are_those_of_the_naive_twin(tolerance, lost, added):
    compared = 0
    for seed in range(4):
        for scene, s, pattern, weights in scene_of(seed, 1.5, lost, added):
            found = naive.held_constraints(list(s.desired), list(s.actual), tolerance, MATCH)
            work = scene.workspace.work
            n_equal, n = assemble_held(s, weights, 0.1, MATCH, tolerance, work)
            if found is None:
                continue
            equal, wrong, resets = found
            assert (n_equal, n) == (len(equal), len(equal) + len(wrong))
            at = np.array(equal + wrong)
            rows = naive.window_sums(pattern, at, "psp", *TAUS)
            theta = [
                NEURON.threshold * (1.0 + sum(np.exp(-(t - r) / TAUS[0]) for r in resets if r < t))
                for t in at
            ]
            margins = np.where(np.arange(n) < n_equal, 0.0, 0.1)
            assert np.array_equal(work.times[:n], at)
            assert np.allclose(work.rows_k[:n], rows, rtol=0.0, atol=1e-13)
            assert np.allclose(work.rhs[:n], theta - rows @ weights - margins, rtol=0.0, atol=1e-12)
            compared += 1
    assert compared >= 6


def test_without_an_error_all_spikes_are_asked_to_be_at_their_times():
    for scene, s, _, weights in scene_of(1, 0.4):
        work = scene.workspace.work
        exact = assemble_times(s, weights, 0.1, MATCH, work)
        rhs = work.rhs[: exact[1]].copy()
        held = assemble_held(s, weights, 0.1, MATCH, 1.0, work)
        assert held == exact
        assert np.array_equal(work.rhs[: exact[1]], rhs)


def test_a_held_spike_asks_for_nothing():
    """Of a response with one missing spike at its end, no row but the missing one is violated."""
    patterns, weights = patterns_of(2), random_weights(2)
    actual = [NEURON.respond(weights, pattern).times for pattern in patterns]
    desired = [np.append(t[t < 90.0] + 0.8, 99.0) for t in actual]
    scene = Scene(ls.DTA(), patterns, ls.SpikeTimes(desired))
    held = 0
    for p, spikes in enumerate(actual):
        s = scene.step_input(weights, p)
        work = scene.workspace.work
        n_equal, _ = assemble_held(s, weights, 0.0, MATCH, 1.0, work)
        if n_equal != desired[p].size:
            continue  # two spikes are near each other, or one is at 99 ms
        here = spikes[spikes < 90.0]
        assert np.array_equal(work.times[: here.size], here)
        assert np.abs(work.rhs[: here.size]).max(initial=0.0) < 1e-9
        held += here.size
    assert held > 0


def test_partners_are_the_pairs_that_are_counted():
    rng = np.random.default_rng(0)
    for _ in range(200):
        x, y = (np.sort(rng.uniform(0.0, 20.0, rng.integers(0, 8))) for _ in range(2))
        partner = np.empty(x.size, np.int64)
        pairs = find_partners(x, y, 1.0, partner)
        assert pairs == pair_spikes(x, y, 1.0) == (partner >= 0).sum()
        twin = naive.pairs_in_order(x, y, 1.0)
        assert [None if j < 0 else y[j] for j in partner] == twin
