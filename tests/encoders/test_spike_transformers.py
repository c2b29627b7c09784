"""Transformers from spikes to spikes: against loops, by laws, and in front of a classifier."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from tests.support.estimator_kinds import spikes
from tests.support.samples import RASTERS, is_drawn
from tests.support.strategies import N_CHANNELS, patterns

import linspike as ls

SETS = st.lists(patterns(), min_size=1, max_size=3).map(ls.PatternSet.from_patterns)
PATTERNS, LABELS = spikes()
WIDTH = PATTERNS.n_channels
CASES = [
    ls.FirstEvents(2),
    ls.FirstEvents(7, per="pattern"),
    ls.ThinEvents(2),
    ls.ThinEvents(power=0.5),
    ls.PoolEvents((5, WIDTH // 5), 2),
    ls.DelayLines(3),
    ls.RandomLayer(12, 2.0, random_state=0),
]
of_each = pytest.mark.parametrize("transformer", CASES, ids=repr)


def trains(pattern):
    """Times of each channel, in order."""
    return [
        [t for t, c in zip(pattern.times.tolist(), pattern.channels, strict=True) if c == channel]
        for channel in range(pattern.n_channels)
    ]


@given(SETS, st.integers(1, 4))
def test_first_events_are_those_of_a_loop(sets, n):
    kept = ls.FirstEvents(n).fit_transform(sets)
    assert [trains(p) for p in kept] == [[train[:n] for train in trains(p)] for p in sets]
    for one, few in zip(sets, ls.FirstEvents(n, per="pattern").fit_transform(sets), strict=True):
        assert np.array_equal(few.times, one.times[:n])
        assert np.array_equal(few.channels, one.channels[:n])


@given(SETS, st.integers(1, 4))
def test_every_kth_spike_is_kept(sets, every):
    kept = ls.ThinEvents(every).fit_transform(sets)
    expected = [[train[every - 1 :: every] for train in trains(p)] for p in sets]
    assert [trains(p) for p in kept] == expected
    assert kept.n_channels == sets.n_channels
    assert np.array_equal(kept.durations, sets.durations)


@given(SETS)
def test_square_roots_keep_spikes_at_squares(sets):
    kept = ls.ThinEvents(power=0.5).fit_transform(sets)
    for one, few in zip(sets, kept, strict=True):
        for train, thinned in zip(trains(one), trains(few), strict=True):
            assert thinned == [train[k * k - 1] for k in range(1, 6) if k * k <= len(train)]


@pytest.mark.parametrize(("every", "power"), [(1, 0.5), (3, 0.5), (2, 0.7), (1, 1 / 3)])
def test_counts_become_powers(every, power):
    for n in (1, 7, 27, 64, 1000):
        pattern = ls.Pattern(np.arange(float(n)), np.zeros(n, int), 1, 1000.0)
        kept = ls.ThinEvents(every, power=power).fit_transform([pattern])
        assert kept.times.size == np.floor((n / every) ** power + 1e-9)


@given(SETS, st.integers(1, 3))
def test_pooling_adds_counts_and_keeps_times(sets, size):
    pool = ls.PoolEvents((2, 2), size).fit(sets)
    pooled = pool.transform(sets)
    assert np.array_equal(pooled.times, sets.times)
    assert pooled.n_channels == np.prod(pool.pooled_size_)
    x, y = sets.channels % 2, sets.channels // 2
    width = -(-2 // size)
    assert np.array_equal(pooled.channels, x // size + width * (y // size))


def test_pooling_keeps_polarities_apart():
    events = ls.PatternSet([1.0, 2.0, 3.0], [0, 14, 29], [0, 3], 30, 5.0)
    pool = ls.PoolEvents((5, 3, 2), 2).fit(events)
    assert pool.pooled_size_ == (3, 2, 2)
    assert pool.transform(events).channels.tolist() == [0, 5, 11]


@given(SETS, st.integers(1, 5))
def test_delay_lines_only_move_spikes(sets, folds):
    folded = ls.DelayLines(folds).fit_transform(sets)
    stretch = 100.0 / folds
    assert folded.n_channels == folds * N_CHANNELS
    assert (folded.durations == stretch).all()
    for one, other in zip(sets, folded, strict=True):
        fold, channel = np.divmod(other.channels, N_CHANNELS)
        back = sorted(zip(channel.tolist(), (other.times + fold * stretch).tolist(), strict=True))
        expected = sorted(zip(one.channels.tolist(), one.times.tolist(), strict=True))
        assert [c for c, _ in back] == [c for c, _ in expected]
        np.testing.assert_allclose([t for _, t in back], [t for _, t in expected], atol=1e-10)


def test_delay_lines_fold_as_rasters_do():
    dt = 4.0
    plain = ls.RasterEncoder(dt).fit_transform(RASTERS)
    bins = RASTERS.shape[1]
    folded = ls.RasterEncoder(dt, folds=bins).fit_transform(RASTERS)
    assert ls.DelayLines(bins).fit_transform(plain) == folded


def test_delay_lines_of_another_length():
    lines = ls.DelayLines(2, duration=200.0).fit(PATTERNS)
    assert lines.duration_ == 200.0
    assert (lines.transform(PATTERNS).durations == 100.0).all()
    late = ls.PatternSet([250.0], [0], [0, 1], WIDTH, 300.0)
    with pytest.raises(ls.SpikeDataError, match="a spike at 250 ms, but the folds .* end at 200"):
        lines.transform(late)


@pytest.mark.parametrize(
    ("transformer", "message"),
    [
        (ls.FirstEvents(0), "'n' parameter of FirstEvents .* at least 1. Got 0"),
        (ls.FirstEvents(per="set"), "'per' .* one of .* Got 'set'"),
        (ls.ThinEvents(1.5), "'every' .* a whole number of at least 1. Got 1.5"),
        (ls.ThinEvents(power=0.0), r"'power' .* in \(0, 1\]. Got 0.0"),
        (ls.ThinEvents(power=1.1), r"'power' .* in \(0, 1\]. Got 1.1"),
        (ls.PoolEvents((4, 4), 0), "'size' .* at least 1. Got 0"),
        (ls.PoolEvents(16), r"'sensor_size' .* \(width, height\) or .* Got 16"),
        (ls.PoolEvents((2, 2, 2, 2)), "'sensor_size' .* polarities"),
        (ls.PoolEvents((4, 0)), "'sensor_size' .* at least 1. Got 0"),
        (ls.PoolEvents((4, 4)), "'sensor_size' .* with 30 channels in all. Got"),
        (ls.DelayLines(0), "'folds' .* at least 1. Got 0"),
        (ls.RandomLayer(0), "'n_neurons' .* at least 1. Got 0"),
        (ls.RandomLayer(5, 0.0), r"'rate' .* in \(0, 1000\]. Got 0.0"),
        (ls.RandomLayer(5, 1001.0), r"'rate' .* in \(0, 1000\]. Got 1001.0"),
        (
            ls.RandomLayer(5, 0.001),
            r"'rate' .* at least 0.\d+, one spike over the \d+ patterns of fit",
        ),
        (ls.RandomLayer(5, neuron=20.0), "'neuron' .* an SRM or None. Got 20.0"),
        (ls.DelayLines(2, duration=-1.0), "'duration' .* positive and finite, or None. Got -1.0"),
    ],
)
def test_bad_parameters_are_refused_by_fit(transformer, message):
    with pytest.raises(ls.ParameterError, match=message):
        transformer.fit(PATTERNS)


@of_each
def test_scikit_learn_conventions(transformer, tmp_path):
    copy = clone(transformer)
    assert copy.get_params() == transformer.get_params()
    with pytest.raises(NotFittedError, match="is not fitted"):
        copy.transform(PATTERNS)
    assert copy.fit(PATTERNS, LABELS) is copy
    assert copy.n_features_in_ == WIDTH
    changed = copy.transform(PATTERNS)
    assert len(changed) == len(PATTERNS)
    assert clone(copy).fit_transform(list(PATTERNS)) == changed
    assert pickle.loads(pickle.dumps(copy)).transform(PATTERNS[2:5]) == changed[2:5]
    with pytest.raises(
        ls.ParameterError, match="'X' .* a PatternSet or a list of Pattern. Got nda"
    ):
        copy.transform(np.zeros((3, WIDTH)))
    other = ls.poisson_patterns(2, n_channels=WIDTH + 1, duration=20.0, rate=0.1, rng=0)
    with pytest.raises(ls.SpikeDataError, match=f"X has 31 channels, but .* is expecting {WIDTH}"):
        copy.transform(other)
    assert is_drawn(copy.plot_patterns(PATTERNS[:3]), tmp_path / "patterns.png")


@of_each
def test_in_front_of_a_classifier(transformer, tmp_path):
    inside = ls.SpikeClassifier(clone(transformer), max_iter=3, random_state=0)
    before = make_pipeline(clone(transformer), ls.SpikeClassifier(max_iter=3, random_state=0))
    for model in (inside, before):
        model.fit(PATTERNS, LABELS)
    scores = inside.decision_function(PATTERNS)
    assert np.array_equal(scores, before.decision_function(PATTERNS))
    assert inside.n_features_in_ == WIDTH
    inside.save(tmp_path / "m.npz")
    back = ls.load_model(tmp_path / "m.npz")
    assert repr(back.encoder_) == repr(transformer)
    assert np.array_equal(back.decision_function(PATTERNS), scores)
    with pytest.raises(ls.ParameterError, match="'X' .* a PatternSet, as in fit. Got ndarray"):
        back.predict(np.zeros((2, WIDTH)))
    with pytest.raises(ls.SpikeDataError, match="X has 3 channels, but SpikeClassifier is expect"):
        back.predict(ls.poisson_patterns(2, n_channels=3, duration=20.0, rate=0.1, rng=0))


def test_in_searches():
    model = ls.SpikeClassifier(ls.FirstEvents(), max_iter=2, random_state=0)
    search = GridSearchCV(model, {"encoder__n": [1, 3]}, cv=2).fit(PATTERNS, LABELS)
    assert search.best_params_["encoder__n"] in (1, 3)
    chain = make_pipeline(ls.ThinEvents(2), ls.DelayLines(2))
    inside = ls.SpikeClassifier(chain, max_iter=2, random_state=0)
    assert np.isfinite(cross_val_score(inside, PATTERNS, LABELS, cv=2)).all()


def test_a_pipeline_as_an_encoder_is_saved(tmp_path):
    chain = make_pipeline(ls.PoolEvents((5, WIDTH // 5)), ls.DelayLines(2), ls.ThinEvents(2))
    model = ls.SpikeClassifier(chain, max_iter=2, random_state=0).fit(PATTERNS, LABELS)
    model.save(tmp_path / "m.npz")
    back = ls.load_model(tmp_path / "m.npz")
    assert repr(back.encoder_) == repr(chain)
    assert back.n_features_in_ == WIDTH
    assert np.array_equal(back.decision_function(PATTERNS), model.decision_function(PATTERNS))
    assert np.array_equal(back.fit(PATTERNS, LABELS).weights_, model.weights_)
    numbers = make_pipeline(ls.LatencyEncoder(20.0), ls.DelayLines(2))
    model = ls.SpikeClassifier(numbers, max_iter=2, random_state=0)
    model.fit(np.eye(4), [0, 1, 0, 1]).save(tmp_path / "m.npz")
    back = ls.load_model(tmp_path / "m.npz")
    assert np.array_equal(back.predict(np.eye(4)), model.predict(np.eye(4)))
    scaled = make_pipeline(StandardScaler(), ls.PopulationEncoder())
    model = ls.SpikeClassifier(scaled, max_iter=1).fit(np.eye(4), [0, 1, 0, 1])
    with pytest.raises(ls.ParameterError, match="'encoder' .* to be saved. Got StandardScaler"):
        model.save(tmp_path / "n.npz")


def test_numbers_for_a_transformer_of_spikes():
    with pytest.raises(ls.ParameterError, match="'X' .* a PatternSet for this encoder. Got ndarr"):
        ls.SpikeClassifier(ls.FirstEvents()).fit(np.zeros((4, 3)), [0, 1, 0, 1])
