"""Bounds of weights in training: held to the last bit, and learned with, not only against."""

import math
import pickle
from dataclasses import dataclass

import numpy as np
import pytest
from tests.support.contract import weights_stay_within_bounds
from tests.support.step_inputs import patterns_of, random_weights
from tests.support.tasks import NEURON, decoding, encoding

import linspike as ls
from linspike.errors import ParameterError
from linspike.kernels.training.held_weights import hold_weights
from linspike.rules.dta import DTA, projection_step
from linspike.rules.toolkit import StepInput, rule_step

SIGNS = np.where(np.arange(500) < 250, 1.0, -1.0)  # excitatory, then inhibitory channels
DALE = (np.where(SIGNS > 0.0, 0.0, -math.inf), np.where(SIGNS > 0.0, math.inf, 0.0))


@rule_step
def clipped_step(s, parameters, weights, change, work):
    none = weights[:0]
    unbounded = StepInput(
        s.events,
        s.p,
        s.until,
        s.constants,
        s.desired,
        s.actual,
        s.k_desired,
        s.z_desired,
        s.target_count,
        s.peak_drive_time,
        none,
        none,
        s.progress,
        s.delays,
        s.max_delay,
    )
    return projection_step(unbounded, parameters, weights, change, work)


@dataclass(frozen=True)
class ClippedDTA(DTA):
    """DTA whose steps know nothing of the bounds: the trainer cuts them off."""

    def compiled(self):
        return clipped_step


@pytest.mark.parametrize("wide", [(-math.inf, math.inf), (-1e9, 1e9)])
def test_bounds_that_no_weight_meets_change_nothing(wide):
    task = encoding(0, 6)
    plain = ls.Trainer(NEURON).fit(*task)
    bounded = ls.Trainer(NEURON, weight_bounds=wide).fit(*task)
    if wide[0] == -math.inf:
        assert bounded.weights.tobytes() == plain.weights.tobytes()
    assert bounded.epochs == plain.epochs
    assert np.abs(bounded.weights - plain.weights).max() < 1e-9


@pytest.mark.parametrize("momentum", [0.0, 0.9])
def test_momentum_does_not_push_through_a_bound(momentum):
    rule = ls.rules.ReSuMe(eta=0.2, momentum=momentum)
    weights_stay_within_bounds(rule)


def test_dale_is_learned_with_fewer_epochs_than_by_cutting_off():
    epochs = {DTA: [], ClippedDTA: []}
    for seed in (0, 1, 7):
        weights, patterns, targets = encoding(seed, 32)
        for rule, found in epochs.items():
            trainer = ls.Trainer(NEURON, rule(), criterion="strict", weight_bounds=DALE)
            result = trainer.fit(np.abs(weights) * SIGNS, patterns, targets)
            assert (result.weights * SIGNS >= 0.0).all()
            found.append(result.epochs)
            assert result.converged or rule is ClippedDTA
    assert sum(epochs[DTA]) < sum(epochs[ClippedDTA])


@pytest.mark.parametrize("count_target", ["halving", "gradient"])
def test_counts_are_learned_within_bounds(count_target):
    weights, patterns, targets = decoding(0, 40)
    trainer = ls.Trainer(NEURON, ls.DTA(count_target=count_target), weight_bounds=DALE)
    result = trainer.fit(np.abs(weights) * SIGNS, patterns, targets)
    assert result.converged
    assert (result.weights * SIGNS >= 0.0).all()


def test_a_batch_is_the_same_as_single_chains():
    patterns = patterns_of(0)
    bounds = (-0.05, np.linspace(0.1, 0.2, 60))
    weights = np.clip([random_weights(seed) for seed in range(6)], *bounds)
    targets = [ls.SpikeCounts(counts) for counts in ([3, 0, 0], [0, 3, 0], [0, 0, 3]) * 2]
    trainer = ls.Trainer(NEURON, max_epochs=4, weight_bounds=bounds)
    results = trainer.fit_many(weights, patterns, targets, seeds=[5] * 6, threads=1)
    for row, target, result in zip(weights, targets, results, strict=True):
        alone = trainer.fit(row, patterns, target, seed=5)
        assert alone.weights.tobytes() == result.weights.tobytes()
        assert ((result.weights >= bounds[0]) & (result.weights <= bounds[1])).all()


def test_fixed_weights_are_not_learned():
    weights, patterns, targets = encoding(0, 4)
    low, high = np.full((2, 500), [[-math.inf], [math.inf]])
    low[:100] = high[:100] = weights[:100]
    result = ls.Trainer(NEURON, weight_bounds=(low, high)).fit(weights, patterns, targets)
    assert result.converged
    assert result.weights[:100].tobytes() == weights[:100].tobytes()


def test_what_is_held_is_taken_from_the_velocity():
    weights, velocity = np.array([1.5, -3.0, 0.5, math.inf, math.nan]), np.full(5, 0.25)
    velocity[3] = math.inf
    hold_weights(weights, velocity, np.full(5, -1.0), np.full(5, 1.0))
    assert weights[:4].tolist() == [1.0, -1.0, 0.5, 1.0]
    assert math.isnan(weights[4])
    assert velocity.tolist() == [-0.25, 2.25, 0.25, 0.0, 0.25]


def test_a_trainer_with_bounds_is_a_value():
    trainer = ls.Trainer(NEURON, weight_bounds=(np.zeros(2), 1))
    assert trainer.weight_bounds == ((0.0, 0.0), 1.0)
    assert trainer == ls.Trainer(NEURON, weight_bounds=([0, 0], np.float32(1)))
    assert hash(trainer) == hash(pickle.loads(pickle.dumps(trainer)))


PATTERN = ls.Pattern([1.0, 2.0], [0, 1], n_channels=2, duration=50.0)
TARGET = ls.SpikeTimes([[5.0]])


@pytest.mark.parametrize(
    ("bounds", "message"),
    [
        ((1, 0), "'weight_bounds' parameter of Trainer must be a pair .* with low <= high"),
        (0, "'weight_bounds' parameter of Trainer must be a pair"),
        (([0, 1], [1, 0]), "for channel 1"),
    ],
)
def test_bounds_are_checked_at_once(bounds, message):
    with pytest.raises(ParameterError, match=message):
        ls.Trainer(NEURON, weight_bounds=bounds)


def test_bounds_must_fit_the_channels_and_hold_the_first_weights():
    trainer = ls.Trainer(NEURON, weight_bounds=([0, 0, 0], 1))
    with pytest.raises(ParameterError, match="of fit must be .* Got 3 numbers for 2 channels"):
        trainer.fit([0.5, 0.5], PATTERN, TARGET)
    trainer = ls.Trainer(NEURON, weight_bounds=(0, [1, 0.25]))
    within = r"within weight_bounds, which are \(0, 0.25\) there. Got 0.5 for"
    for call in (trainer.fit, lambda *task: trainer.trajectory(*task, steps=1)):
        with pytest.raises(ParameterError, match=f"{within} channel 1 instead.*numpy.clip"):
            call([0.5, 0.5], PATTERN, TARGET)
    patterns = ls.PatternSet.from_patterns([PATTERN])
    with pytest.raises(ParameterError, match=f"of fit_many .*{within} neuron 1, channel 1"):
        trainer.fit_many([[0.5, 0.1], [0.1, 0.5]], patterns, TARGET, seeds=[0, 1])
