"""Every figure at smoke scale, and for each a look at its science."""

import json
from functools import cache

import numpy as np
import pytest
from tests.support.pictures import check_pictures

import linspike as ls
from linspike.cli.experiments import REGISTRY
from linspike.kernels.simulation.events import span_until
from linspike.kernels.threshold.dynamic import CountSearch, times_by_halving
from linspike.neuron.decay_tables import events_of
from linspike.paper.common.methods import LINEAR_PROGRAM, PROJECTION
from linspike.paper.figures import fig1, fig2, fig4, fig5, fig6, fig_a1
from linspike.study.cells import Trial
from linspike.study.experiment import NotEnoughTrials
from linspike.study.rows import RowKey

FIGURES = ("fig1", "fig2", "fig3", "fig4", "fig5", "fig6", "figA1")
NEURON = ls.SRM()


def run(name):
    found = REGISTRY.load(name)
    done = []
    for cell in found.cells("smoke", []):
        seeds = list(found.seeds("smoke", cell))
        records = found.trials(cell, seeds)
        done += [Trial(cell, *pair) for pair in zip(seeds, records, strict=True)]
    return done


@cache
def smoke(name):
    return run(name)


@cache
def rows(name):
    return {row.key.label: row for row in REGISTRY.load(name).summarise("smoke", smoke(name)).rows}


@pytest.mark.parametrize("name", FIGURES)
def test_records_survive_json_and_come_out_the_same_twice(name):
    first = smoke(name)
    # Strict JSON has no NaN or infinity.
    cell_type = REGISTRY.load(name).protocol.cell_type
    for cell, _, record in first:
        assert type(cell) is cell_type
        assert cell_type.from_json(json.loads(json.dumps(cell.to_json()))).digest == cell.digest
        assert json.loads(json.dumps(record, allow_nan=False)) == record
    assert first == run(name)


@pytest.mark.parametrize("name", FIGURES)
def test_cells_differ_and_name_their_scale(name):
    for scale in ("smoke", "laptop", "paper"):
        cells = REGISTRY.load(name).cells(scale, [])
        assert all(cell.scale == scale for cell in cells)
        assert len({cell.digest for cell in cells}) == len(cells)
        assert all(len(REGISTRY.load(name).seeds(scale, cell)) for cell in cells)
    again = REGISTRY.load(name).cells("smoke", smoke(name))
    assert {cell.digest for cell in again} == {trial.cell.digest for trial in smoke(name)}


@pytest.mark.parametrize("name", FIGURES)
def test_a_trial_does_not_depend_on_its_batch(name):
    found = REGISTRY.load(name)
    last = smoke(name)[-1]
    assert found.trials(last.cell, [last.seed]) == [last.record]


@pytest.mark.parametrize("name", FIGURES)
def test_summaries_are_finite(name):
    summary = REGISTRY.load(name).summarise("smoke", smoke(name))
    assert len({row.key for row in summary.rows}) == len(summary.rows) > 0
    assert all(row.value is not None and np.isfinite(row.value) for row in summary.rows)
    for row in summary.rows:
        if row.lo is not None:
            assert row.lo <= row.value <= row.hi
    assert summary.panels
    check_pictures(summary)
    for panel in (*summary.panels, *summary.details):
        assert panel.lines or panel.image
        for line in panel.lines:
            assert len(line.x) == len(line.y) > 0
            assert np.isfinite(line.y).all()
        if panel.image:
            assert np.shape(panel.image.values) == (len(panel.image.y), len(panel.image.x))


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("fig4", lambda cell: cell.more),
        ("fig5", lambda cell: cell.row.method != "psp"),
        ("fig6", lambda cell: cell.threshold < 16.0),
        ("figA1", lambda cell: cell.sigma == "sd"),
    ],
)
def test_a_run_cut_short_has_no_summary_yet(name, kept):
    done = [trial for trial in smoke(name) if kept(trial.cell)]
    assert done
    with pytest.raises(NotEnoughTrials):
        REGISTRY.load(name).summarise("smoke", done)


def test_rows_that_were_not_run_are_left_out():
    some = [trial for trial in smoke("fig6") if trial.cell.row.method in ("EMLC", "MST")]
    found = REGISTRY.load("fig6").summarise("smoke", some)
    assert [row.key.label for row in found.rows[:2]] == ["EMLC, exponent", "MST, exponent"]
    assert [line.name for line in found.panels[0].lines] == ["EMLC", "MST"]
    some = [trial for trial in smoke("fig5") if trial.cell.row.method in ("psp", "filt")]
    found = {row.key: row for row in REGISTRY.load("fig5").summarise("smoke", some).rows}
    assert RowKey(quantity="stdp minus psp") not in found
    whole = rows("fig5")
    assert found[RowKey(quantity="filt minus psp")] == whole["filt minus psp"]


def test_windows_are_those_of_the_theory():
    ages = np.array([-20.0, -1.0, 0.5, 9.0, 40.0])
    early, late = ages < 0.0, np.exp(-ages / 20.0) * (ages >= 0.0)
    assert np.allclose(fig1.window_curve(NEURON, "stdp", ages), late)
    assert np.allclose(fig1.window_curve(NEURON, "psp", ages), NEURON.psp(ages))
    fast = np.exp(-ages / 5.0) * (ages >= 0.0)
    filt = NEURON.v_norm * (0.8 * late - 0.2 * fast + 0.6 * np.exp(ages / 20.0) * early)
    assert np.allclose(fig1.window_curve(NEURON, "filt", ages), filt)
    # Areas: 12 of 12 + 16 - 1 lie ahead of the time; the sums are cut at five time constants.
    assert rows("fig1")["filt, share of inputs after"].value == pytest.approx(12 / 27, abs=0.002)
    assert rows("fig1")["psp, share of inputs after"].value == 0.0


def test_correcting_one_spike_moves_the_other():
    cell, _, record = smoke("fig2")[0]
    before, second_corrected, first_corrected = np.reshape(record["moved"], (3, 2))
    assert abs(before[0]) < 1e-6
    assert before[1] < -1.0  # in place, and early
    assert abs(second_corrected[1]) < 1e-6
    assert second_corrected[0] > 1.0  # corrected, at the cost of the first
    assert abs(first_corrected[0]) < 1e-6
    assert first_corrected[1] < -1.0  # and back again
    steps = np.diff(np.reshape(record["weights"], (3, 2)), axis=0)
    assert (steps[0] < 0.0).all()  # LTD lowers both weights
    assert steps[1, 0] > 0.0 == steps[1, 1]  # the second input comes after the first spike
    assert record["dta_steps"] < 5 < record["small_steps"] < cell.steps


def test_steps_needed():
    late = np.array([[0.0, 3.0], [0.1, 0.1], [0.9, 0.0], [0.0, 0.2]])
    assert fig2.steps_needed(late) == 3
    assert fig2.steps_needed(late[:1]) == 1
    assert fig2.steps_needed(late[3:]) == 0


def test_the_regions_of_interference():
    found = rows("fig3")
    assert 3.0 < found["slow/fast"].value < 10.0
    assert found["share away, 30 to 40 ms"].value == 1.0
    assert found["dta, most epochs"].value <= 5.0
    summary = REGISTRY.load("fig3").summarise("smoke", smoke("fig3"))
    panels = (*summary.panels, *summary.details)
    assert len(panels) == 4
    assert panels[0].shaded == ((5.0, 8.5),)  # too close at a lag of 7 ms, not at 2.8
    assert panels[2].shaded == ()


def test_the_dynamic_threshold_is_the_one_learning_uses():
    events = events_of(fig4.PATTERN._ragged, NEURON._membrane)
    span = span_until(events, 0, fig4.PATTERN.duration, NEURON._membrane)
    by = {trial.cell.more: trial.record for trial in smoke("fig4")}
    assert [len(by[more]["spikes"]) for more in (-1, 0, 1)] == [1, 2, 3]
    scaled = NEURON.threshold / NEURON.v_norm
    for more, target_count in ((1, 3), (-1, 1)):
        out = np.empty(10)
        search = CountSearch(events, span, scaled, NEURON._membrane, target_count, more > 0)
        n = times_by_halving(search, fig4.WEIGHTS, out)
        assert np.allclose(out[:n], by[more]["spikes"], atol=1e-9)
        assert by[more]["least"] < by[more]["threshold"] <= by[more]["most"]
    assert by[1]["threshold"] < 1.0 < by[-1]["threshold"]
    assert 55.0 < rows("fig4")["new spike"].value < 80.0  # the bump that just failed
    assert rows("fig4")["lost spike"].value > 100.0  # the one that just fired


def test_desired_times_of_figure_5_can_be_met():
    starts = [fig5.start(seed) for seed in range(50)]
    assert all(one.desired.size == 5 and np.diff(one.desired).min() >= 5.0 for one in starts)
    assert all(one.desired[0] >= 10.0 and one.desired[-1] <= 400.0 for one in starts)
    assert {one.steps for one in starts} == set(range(1, 11))


def test_violations_are_spikes_away_from_all_desired_times():
    desired = np.array([10.0, 20.0])
    assert fig5.violations(np.array([9.5, 10.5, 12.0, 21.1]), desired) == 2
    assert fig5.violations(np.empty(0), desired) == 0


def test_filt_violates_more_than_psp():
    cells = {
        cell.row.method: cell
        for cell in REGISTRY.load("fig5").cells("smoke", [])
        if not cell.row.variant
    }
    # Where the windows differ is the first step.
    seeds = [seed for seed in range(150) if fig5.start(seed).steps == 1]
    mean = {
        method: np.mean([r["violations"] for r in fig5.trials(cells[method], seeds)])
        for method in ("psp", "filt", PROJECTION)
    }
    assert len(seeds) >= 8
    assert mean["filt"] > 1.3 * mean["psp"] > 1.3 * mean[PROJECTION]


def test_steps_grow_with_the_threshold_unless_bounds_do():
    found = {name: row.value for name, row in rows("fig6").items()}
    assert abs(found[f"{PROJECTION}, no bounds, exponent"]) < 0.1
    assert abs(found[f"{PROJECTION}, exponent"]) < 0.2
    assert 0.9 < found[f"{PROJECTION}, absolute bounds, exponent"] < 1.5
    assert 0.9 < found[f"{LINEAR_PROGRAM}, exponent"] < 1.5
    assert abs(found[f"{LINEAR_PROGRAM}, in thresholds, exponent"]) < 0.2
    assert 0.9 < found["EMLC, exponent"] < 1.15
    assert 0.9 < found["MST, exponent"] < 1.15
    assert all(trial.record["converged"] for trial in smoke("fig6"))


def test_exponents():
    assert fig6.exponent([1.0, 2.0, 4.0], [3.0, 6.0, 12.0]) == pytest.approx(1.0)
    assert fig6.exponent([1.0, 2.0, 4.0], [0.0, 1.0, 1.0]) == pytest.approx(0.0)


def test_the_criterion_follows_from_jitter():
    found = {name: row.value for name, row in rows("figA1").items()}
    assert found["a (sd, dt its deviation)"] == pytest.approx(0.08, rel=0.1)
    assert found["b (sd, dt its deviation)"] == pytest.approx(0.0001, rel=0.15)
    # The mean absolute displacement is sqrt(2/pi) of the deviation, a little less as trains end.
    ratio = np.mean(
        [
            np.mean(np.divide(t.record["displacement"], t.record["deviation"]))
            for t in smoke("figA1")
        ]
    )
    assert ratio == pytest.approx(np.sqrt(2.0 / np.pi), rel=0.05)


def test_the_fit_finds_a_plane_and_how_sure_it_is():
    rng = np.random.default_rng(0)
    dt, duration = rng.uniform(1.0, 10.0, 4000), rng.uniform(100.0, 10000.0, 4000)
    exact = 0.3 * dt + 0.002 * duration
    assert fig_a1.plane(dt, duration, exact)[0] == pytest.approx([0.3, 0.002])
    inside = 0
    for _ in range(200):
        found, half = fig_a1.plane(dt, duration, exact + dt * rng.standard_normal(4000))
        inside += abs(found[0] - 0.3) <= half[0]
    assert 175 <= inside <= 200
