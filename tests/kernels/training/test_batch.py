"""Neurons that learn side by side learn what each learns alone, to the last bit."""

import os

import numpy as np
import pytest

import linspike as ls
from linspike.kernels.training.state import BAD_OUTCOME
from linspike.rules import REGISTRY
from linspike.training import execute

UNCOMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
PATTERNS = ls.poisson_patterns(12, n_channels=30, duration=60.0, rate=0.02, rng=3)
NEURONS = 6
EPOCHS = 2 if UNCOMPILED else 12


def data(seed=0, most=3, mean=0.05):
    rng = np.random.default_rng(seed)
    counts = rng.integers(0, most + 1, (NEURONS, len(PATTERNS)))
    counts[:, 0] = most  # the same largest count for all, or they are no batch
    return rng.normal(mean, 0.1, (NEURONS, 30)), [ls.SpikeCounts(row) for row in counts]


def alone(trainer, weights, targets, seed=5, **how):
    return [
        trainer.fit(row, PATTERNS, desired, seed=seed, **how)
        for row, desired in zip(weights, targets, strict=True)
    ]


def together(trainer, weights, targets, seed=5, threads=1, **how):
    seeds = [seed] * len(weights)
    return trainer.fit_many(weights, PATTERNS, targets, seeds=seeds, threads=threads, **how)


def assert_same(one, other):
    for mine, yours in zip(one, other, strict=True):
        np.testing.assert_array_equal(mine.weights, yours.weights)
        fields = ("converged", "epochs", "reason", "interrupted")
        assert [getattr(mine, name) for name in fields] == [getattr(yours, name) for name in fields]


@pytest.fixture
def sizes(monkeypatch):
    """Sizes of all batches."""
    seen = []
    made = execute.Job.__init__

    def init(self, run, chains):
        made(self, run, chains)
        seen.extend([len(chains)] if len(chains) > 1 else [])

    monkeypatch.setattr(execute.Job, "__init__", init)
    return seen


COUNTING = sorted(REGISTRY) if not UNCOMPILED else ["dta", "mst"]


@pytest.mark.parametrize("key", COUNTING)
def test_every_rule(key, sizes):
    trainer = ls.Trainer(ls.SRM(), key, max_epochs=EPOCHS)
    weights, targets = data()
    found = together(trainer, weights, targets)
    assert sizes == [NEURONS]
    assert_same(found, alone(trainer, weights, targets))
    assert any((result.weights != row).any() for result, row in zip(found, weights, strict=True))


@pytest.mark.parametrize("seed", range(2 if UNCOMPILED else 20))
def test_members_end_by_themselves(seed, sizes):
    """Light loads: some have learned all before others, or need nothing from the beginning."""
    trainer = ls.Trainer(ls.SRM(), max_epochs=EPOCHS, at_least=bool(seed % 2), until=50.0)
    weights, targets = data(seed, most=1 + seed % 3)
    done = trainer.fit(weights[0], PATTERNS, targets[0], seed=1).weights
    weights[0] = done
    how = {"step_factor": np.linspace(0.5, 1.0, len(PATTERNS)), "first_epoch": seed}
    found = together(trainer, weights, targets, seed, threads=1 + seed % 2, **how)
    assert_same(found, alone(trainer, weights, targets, seed, **how))
    assert sum(sizes) == NEURONS


def test_momentum_belongs_to_each(sizes):
    trainer = ls.Trainer(ls.SRM(), ls.rules.MST(eta=0.01, momentum=0.9), max_epochs=EPOCHS)
    assert_same(together(trainer, *data()), alone(trainer, *data()))
    assert sizes == [NEURONS]


@pytest.mark.skipif(UNCOMPILED, reason="many spikes take long uncompiled")
def test_neurons_that_run_away(sizes):
    trainer = ls.Trainer(ls.SRM(), ls.rules.MST(eta=1e-9), max_epochs=8)
    weights, targets = data(mean=3.0)
    weights[1] = 0.01
    found = together(trainer, weights, targets)
    assert_same(found, alone(trainer, weights, targets))
    assert sum(result.reason.startswith("ran away") for result in found) == NEURONS - 1


@pytest.mark.skipif(UNCOMPILED, reason="many spikes take long uncompiled")
def test_weights_that_grow_beyond_bounds(sizes):
    trainer = ls.Trainer(ls.SRM(), ls.rules.MST(eta=1e308), max_epochs=3)
    with np.errstate(all="ignore"):
        found = together(trainer, *data())
        assert_same(found, alone(trainer, *data()))
    assert any("no longer finite" in result.reason for result in found)


def test_chains_that_are_not_batched(sizes):
    trainer = ls.Trainer(ls.SRM(), max_epochs=1)
    weights, targets = data()
    together(trainer, weights[:3], targets[:3])  # too few
    together(trainer, weights, targets, history=True)
    trainer.fit_many(weights, PATTERNS, targets, seeds=range(NEURONS))  # other orders
    copies = [PATTERNS[:] for _ in range(NEURONS)]
    trainer.fit_many(weights, copies, targets, seeds=[0] * NEURONS)
    other = [*targets[:-1], ls.SpikeCounts([4] * len(PATTERNS))]  # another largest count
    together(trainer, weights, other)
    times = ls.SpikeTimes([[30.0]] * len(PATTERNS))
    trainer.fit_many(weights, PATTERNS, times, seeds=[0] * NEURONS)
    assert sizes == []


def test_as_many_batches_as_threads_but_none_too_small(sizes):
    weights, targets = data()
    trainer = ls.Trainer(ls.SRM(), max_epochs=1)
    assert_same(together(trainer, weights, targets, threads=3), alone(trainer, weights, targets))
    assert sizes == [4, 2]


@pytest.mark.skipif(UNCOMPILED, reason="long")
@pytest.mark.parametrize(("neurons", "expected"), [(65, [64]), (130, [64, 64, 2])])
def test_more_neurons_than_a_block_holds(neurons, expected, sizes):
    rng = np.random.default_rng(1)
    weights = rng.normal(0.05, 0.1, (neurons, 30))
    counts = rng.integers(0, 4, (neurons, len(PATTERNS)))
    counts[:, 0] = 3
    targets = [ls.SpikeCounts(row) for row in counts]
    trainer = ls.Trainer(ls.SRM(), max_epochs=3)
    assert_same(together(trainer, weights, targets), alone(trainer, weights, targets))
    assert sizes == expected


def test_progress_and_an_end_from_outside(sizes):
    seen = []
    trainer = ls.Trainer(ls.SRM(), ls.rules.MST(eta=1e-9), max_epochs=3)
    found = together(trainer, *data(), progress=lambda done, most: seen.append((done, most)))
    assert seen[-1] == (sum(result.epochs for result in found), 3 * NEURONS)


@pytest.mark.skipif(UNCOMPILED, reason="a rule of one's own needs compiling")
def test_an_outcome_that_is_none_is_an_error(sizes, monkeypatch):
    def run(step, find_times, task, epochs, state, workspace, batch):
        state.status[:] = BAD_OUTCOME

    monkeypatch.setattr(execute, "run_batch", run)
    with pytest.raises(ls.LinspikeError, match="outcome from 0 to 3"):
        together(ls.Trainer(ls.SRM(), max_epochs=1), *data())
