"""Figure 6: the linear program with settings measured in thresholds, and the law of scale."""

import pytest

from linspike.paper.common.methods import LINEAR_PROGRAM
from linspike.paper.figures import fig6
from linspike.study.cells import Trial
from linspike.study.rows import RowKey
from linspike.study.tasks import decoding

CELLS = {(cell.row, cell.threshold): cell for cell in fig6.cells("paper", [])}
PLAIN = RowKey(method=LINEAR_PROGRAM)
THRESHOLDS = (1.0, 4.0, 16.0)


def test_settings_in_thresholds_grow_with_the_threshold():
    start = CELLS[PLAIN, 1.0].settings
    for threshold in fig6.THRESHOLDS["paper"]:
        plain, relative = CELLS[PLAIN, threshold], CELLS[fig6.RELATIVE, threshold]
        assert plain.settings == start
        for name, value in start.items():
            scaled = threshold * value if name in fig6.IN_THRESHOLDS else value
            assert relative.settings[name] == scaled, name
        assert relative.make_rule().bound == threshold * start["bound"]
    assert CELLS[fig6.RELATIVE, 1.0].settings == start


def steps_from_scaled_weights(monkeypatch, row, seeds=(0, 1, 2)):
    """Steps at every threshold, from weights that grow with it as well."""
    found = []
    for threshold in THRESHOLDS:

        def scaled(seed, n_patterns, factor=threshold):
            weights, patterns, targets = decoding(seed, n_patterns)
            return factor * weights, patterns, targets

        monkeypatch.setattr(fig6, "decoding", scaled)
        cell = CELLS[row, threshold]
        records = fig6.trials(cell, seeds)
        found += [Trial(cell, *pair) for pair in zip(seeds, records, strict=True)]
    return found


def test_weights_and_settings_in_thresholds_are_the_same_neuron(monkeypatch):
    trials = steps_from_scaled_weights(monkeypatch, fig6.RELATIVE)
    assert all(trial.record["converged"] for trial in trials)
    steps = {threshold: [] for threshold in THRESHOLDS}
    for trial in trials:
        steps[trial.cell.threshold].append(trial.record["steps"])
    # Powers of two scale without rounding.
    assert steps[1.0] == steps[4.0] == steps[16.0]
    assert min(steps[1.0]) > 1
    row = fig6._exponent_row(fig6.RELATIVE, trials)
    assert (row.value, row.lo, row.hi) == pytest.approx((0.0, 0.0, 0.0), abs=1e-12)


def test_settings_that_stay_make_a_larger_neuron_slower(monkeypatch):
    trials = steps_from_scaled_weights(monkeypatch, PLAIN, seeds=(0,))
    first, *_, last = (trial.record["steps"] for trial in trials)
    assert last > 4 * first


def test_lines_tell_the_two_programs_apart():
    trials = [
        Trial(cell, seed, {"steps": int(10 * threshold), "converged": True})
        for (row, threshold), cell in CELLS.items()
        for seed in range(2)
    ]
    summary = fig6.summarise("paper", trials)
    names = [line.name for line in summary.panels[0].lines]
    assert len(set(names)) == len(names) == len(fig6.RULES)
    assert {LINEAR_PROGRAM, f"{LINEAR_PROGRAM}, in thresholds"} < set(names)
    exponents = [row.value for row in summary.rows if row.key.quantity == "exponent"]
    assert exponents == pytest.approx([1.0] * len(fig6.RULES))
