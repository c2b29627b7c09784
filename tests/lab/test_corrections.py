"""Steps taken apart: for every rule the corrections add up to the change."""

import numpy as np
import pytest
from tests.support.tasks import NEURON

import linspike as ls
from linspike.lab.corrections import find_corrections
from linspike.lab.document import Document
from linspike.lab.look import find_rows, look
from linspike.lab.state import State
from linspike.lab.step import take_step
from linspike.rules import REGISTRY, rule_class, rule_of

SETTINGS = [(key, {}) for key in REGISTRY] + [
    ("dta", {"count_target": "gradient"}),
    ("dta", {"count_target": "whitened"}),
    ("dta", {"hold_tolerance": 0.0}),
    ("dta", {"delays": True}),
    ("dta", {"delays": True, "max_delay": 3.0, "hold_tolerance": 0.0}),
    ("dta", {"delays": True, "count_target": "gradient"}),
    ("dta", {"delays": True, "count_target": "whitened"}),
    ("dta_lp", {"window": "stdp", "bound": 3.0}),
    ("dta_lp", {"count_target": "critical", "bound": 3.0}),
    ("filt", {"window": "filt-gardner"}),
]
CASES = [
    (key, settings, counts)
    for key, settings in SETTINGS
    for counts in (False, True)
    if ("counts" if counts else "times") in rule_class(key)().targets
]


def document(key, settings, counts, seed):
    rng = np.random.default_rng(seed)
    patterns = ls.poisson_patterns(1, n_channels=40, duration=120.0, rate=0.01, rng=rng)
    targets = ls.SpikeCounts([seed % 5]) if counts else ls.SpikeTimes([[40.0, 70.0, 100.0]])
    rules = (rule_of(key, "test", **settings),)
    return Document(NEURON, patterns, targets, rng.normal(0.15, 0.3, 40), rules)


def step_of(given, delays=None):
    return take_step(given, 0, 0, State(given.weights, delays=delays))


def draw_delays(given, seed):
    """Delays for every other seed; of those that are learned some are at the ends of the range."""
    if seed % 2:
        return None
    longest = given.rules[0].max_delay
    return np.random.default_rng(seed).uniform(-0.3, 1.3, 40).clip(0.0, 1.0) * longest


def whole_change(step):
    """The change of weights and learned delays that the step comes to, without momentum."""
    change = step.taken.change.copy()
    if step.learns_delays:
        change[step.weights.size :] = step.delays_after - step.delays
    return change


@pytest.mark.parametrize(("key", "settings", "counts"), CASES)
def test_corrections_add_up_to_the_change(key, settings, counts):
    moved = 0
    for seed in range(8):
        given = document(key, settings, counts, seed)
        step = step_of(given, draw_delays(given, seed))
        change = whole_change(step)
        corrections = find_corrections(step)
        total = sum((each.change for each in corrections), np.zeros(change.size))
        assert np.abs(total - change).max() <= 1e-9 * max(np.abs(change).max(), 1e-300)
        moved += bool(change.any())
    assert moved >= 4


def test_each_correction_is_its_multiplier_times_its_row():
    for key, counts in (("dta", False), ("psd", False), ("first_error", False), ("fp", False)):
        step = step_of(document(key, {}, counts, 1))
        for each in find_corrections(step):
            row = NEURON.design(step.pattern, [each.time])[0]
            assert np.allclose(each.multiplier * row, each.change, rtol=1e-6)


def test_a_single_correction_is_found_at_its_time():
    step = step_of(document("first_error", {}, False, 2))
    (only,) = find_corrections(step)
    s = step.taken.step_input
    assert np.abs(np.concatenate([s.desired, s.actual]) - only.time).min() < 1e-9
    step = step_of(document("mst", {}, True, 4))
    (only,) = find_corrections(step)
    too_many = step.taken.step_input.actual.size > 4
    k = step.taken.step_input.actual.size + (0 if too_many else 1)
    found = NEURON.critical_threshold(step.weights, step.pattern, k)
    assert only.time == found.time


def test_dta_meets_the_rows_it_shows_unless_a_bound_stops_it():
    met = 0
    for seed in range(10):
        given = document("dta", {"bound": 1e6, "hold_tolerance": 0.0}, False, seed)
        rows = look(given, 0, 0, State(given.weights))["rows"]
        for row in rows:
            if row["kind"] != "free":
                assert abs(row["left"]) < 1e-6
                met += 1
    assert met > 30


def test_corrections_at_their_bound_are_marked():
    for bound, expected in ((1e-3, True), (1e6, False)):
        given = document("dta", {"bound": bound}, False, 5)
        corrections = look(given, 0, 0, State(given.weights))["corrections"]
        assert corrections
        assert {each["at_bound"] for each in corrections} == {expected}


def test_the_matrix_is_what_each_correction_does_at_each_time():
    given = document("psd", {"eta": 0.02}, False, 5)
    step = step_of(given)
    seen = look(given, 0, 0, State(given.weights))
    times = [row["time"] for row in seen["rows"]]
    corrections = sorted(find_corrections(step), key=lambda each: each.time)
    for j, each in enumerate(corrections):
        before = NEURON.potential(given.weights, given.patterns[0], times, reset=False)
        moved = given.weights + each.change
        after = NEURON.potential(moved, given.patterns[0], times, reset=False)
        assert np.allclose(np.array(seen["matrix"])[:, j], after - before, atol=1e-12)
    sums = np.array(seen["matrix"]).sum(axis=1)
    gained = [row["after"] - row["now"] for row in seen["rows"]]
    assert np.allclose(sums, gained, atol=1e-12)


def test_rows_name_what_they_are():
    given = document("psd", {}, False, 5)
    step = step_of(given)
    desired, actual = step.taken.step_input.desired, step.taken.step_input.actual
    rows = find_rows(step, given)
    assert [row.time for row in rows] == sorted([*desired, *actual])
    for row in rows:
        near_actual = np.abs(actual - row.time).min() <= 1.0
        near_desired = np.abs(desired - row.time).min() <= 1.0
        if row.is_equal:
            assert row.kind == ("right" if near_actual else "missing")
        else:
            assert row.kind == ("near" if near_desired else "wrong")


def test_delays_are_held_in_their_range_by_every_correction():
    held = 0
    for seed in range(0, 12, 2):
        given = document("dta", {"delays": True, "max_delay": 3.0}, False, seed)
        step = step_of(given, draw_delays(given, seed))
        asked, moved = step.taken.change[40:], step.delays_after - step.delays
        assert (step.delays_after >= 0.0).all()
        assert (step.delays_after <= 3.0).all()
        for c in np.flatnonzero((asked != 0.0) & (moved == 0.0)):
            assert all(each.change[40 + c] == 0.0 for each in find_corrections(step))
            held += 1
    assert held > 10


def test_rows_of_delays_are_slopes_of_v0():
    given = document("dta", {"delays": True}, False, 5)
    delays = np.random.default_rng(7).uniform(0.5, 9.0, 40)
    step, times, h = step_of(given, delays), np.array([31.7, 64.2, 99.9]), 1e-5
    rows = step.rows(times)
    assert np.allclose(rows[:, :40], NEURON.design(step.pattern, times, delays=delays))
    for c in range(40):
        sides = [delays + sign * h * (np.arange(40) == c) for sign in (1.0, -1.0)]
        later, sooner = (
            NEURON.potential(given.weights, step.pattern, times, delays=each, reset=False)
            for each in sides
        )
        assert np.allclose(rows[:, 40 + c], (later - sooner) / (2 * h), atol=1e-7)


def test_the_matrix_counts_delays_in_proportion_and_after_is_exact():
    given = document("dta", {"delays": True, "hold_tolerance": 0.0}, False, 5)
    delays = np.random.default_rng(7).uniform(0.5, 9.0, 40)
    step = step_of(given, delays)
    seen = look(given, 0, 0, State(given.weights, delays=delays))
    times = np.array([row["time"] for row in seen["rows"]])
    change = whole_change(step)
    assert np.abs(change[40:]).max() > 0.0
    sums = np.array(seen["matrix"]).sum(axis=1)
    assert np.allclose(sums, step.rows(times) @ change, atol=1e-12)
    for name, weights, late in (
        ("now", given.weights, delays),
        ("after", step.weights_after, step.delays_after),
    ):
        v0 = NEURON.potential(weights, step.pattern, times, delays=late, reset=False)
        assert np.allclose([row[name] for row in seen["rows"]], v0, atol=1e-12)
    assert any("only nearly in proportion" in each for each in seen["sentences"])


def test_delays_that_make_all_inputs_late_are_shortened():
    pattern = ls.Pattern([1.0, 5.0], [0, 1], n_channels=2, duration=60.0)
    rules = (rule_of("dta", "test", delays=True),)
    patterns = ls.PatternSet.from_patterns([pattern])
    weights, delays = np.array([0.5, 0.5]), np.array([18.0, 20.0])
    given = Document(NEURON, patterns, ls.SpikeTimes([[12.0]]), weights, rules)
    seen = look(given, 0, 0, State(weights, delays=delays))
    (only,) = seen["corrections"]
    assert only["recalls"]
    assert only["time"] == 12.0
    assert seen["delays_after"] == [16.0, 18.0]
