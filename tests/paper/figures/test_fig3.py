"""The interference map: where PSD converges, and that DTA does everywhere."""

import numpy as np
import pytest

import linspike as ls
from linspike.paper.common.two_spikes import optimum, two_spikes
from linspike.paper.figures import fig3
from linspike.study.cells import Trial
from linspike.study.experiment import NotEnoughTrials
from linspike.study.rows import RowKey

NEURON = ls.SRM()


@pytest.mark.parametrize("lag", fig3.LAGS)
@pytest.mark.parametrize("delta", [9.5, 25.0, 60.0])
def test_the_optimum_fires_at_the_desired_times(lag, delta):
    pattern, desired = two_spikes(delta, lag)
    spikes = NEURON.respond(optimum(NEURON, delta, lag), pattern).times
    assert np.allclose(spikes, desired, atol=1e-6)
    assert fig3.has_solution(NEURON, delta, lag)


def test_a_lag_beyond_the_peak_has_no_solution():
    assert not fig3.has_solution(NEURON, 30.0, 9.5)


def test_psd_has_regions():
    fates = {}
    for delta in (24.0, 36.0, 54.0):
        errors = np.abs(fig3.weight_offsets(NEURON, ls.rules.PSD(eta=0.01), delta, 7.0, 1000))
        fates[delta] = (fig3.fate(errors), fig3.epochs_to_converge(errors))
    assert fates[24.0][0] == fates[54.0][0] == "converged"
    assert fates[24.0][1] > 3 * fates[54.0][1]
    assert fates[36.0][0] == "away"


@pytest.mark.parametrize("delta", [12.0, 36.0, 54.0])
def test_dta_converges_at_every_distance(delta):
    errors = np.abs(fig3.weight_offsets(NEURON, ls.DTA(), delta, 7.0, 20))
    assert fig3.epochs_to_converge(errors) <= 5


def test_fates():
    assert fig3.fate(np.zeros(200)) == "converged"
    assert fig3.fate(np.tile([0.0, 1.0], 100)) == "fluctuates"
    assert fig3.fate(np.ones(200)) == "away"
    assert fig3.epochs_to_converge(np.array([1.0, 0.0, 1.0, 0.0, 0.0])) == 3
    assert fig3.epochs_to_converge(np.zeros(4)) == 0


def test_a_map_needs_both_rules_at_both_lags():
    record = {"errors": [0.0], "fate": "converged", "converges": 1, "solvable": True}
    cells = fig3.cells("smoke", [])
    done = [Trial(cell, 0, record) for cell in cells if (cell.rule, cell.lag) != ("psd", 2.8)]
    with pytest.raises(NotEnoughTrials, match="both rules at both lags"):
        fig3.summarise("smoke", done)
    far = [trial for trial in done if trial.cell.delta > 50.0]
    with pytest.raises(NotEnoughTrials, match="both rules at both lags"):
        fig3.summarise("smoke", far)


def record(cell):
    """A run as if made: short distances move by twice eta of a reading, never at the plain one."""
    plain = (cell.lag, cell.settings) == (fig3.LAGS[0], {"eta": fig3.ETA})
    close = cell.delta < 20.0
    return {
        "errors": [0.0] * len(fig3.sample_epochs(cell.epochs)),
        "fate": "fluctuates" if close and not plain else "converged",
        "converges": 60 if 20.0 < cell.delta < 30.0 else 20,
        "range": 2.0 * cell.settings.get("eta", 0.0) if close and not plain else 0.0,
        "solvable": True,
    }


def make_rows(kept=lambda cell: True):
    done = [Trial(cell, 0, record(cell)) for cell in fig3.cells("laptop", []) if kept(cell)]
    return {row.key: row for row in fig3.summarise("laptop", done).rows}


def test_other_lags_and_step_sizes_have_rows_of_their_own():
    rows = make_rows()
    moving, fluctuating = "share moving, below 20 ms", "share fluctuating, below 20 ms"
    assert rows[RowKey(quantity=moving)].value == 0.0
    assert rows[RowKey(quantity=fluctuating)].value == 0.0
    assert rows[RowKey(quantity="share moving, above 50 ms")].value == 0.0
    for name in fig3.READINGS:
        assert rows[RowKey(variant=name, quantity=moving)].value == 1.0
        assert rows[RowKey(variant=name, quantity=fluctuating)].value == 1.0
        assert rows[RowKey(variant=name, quantity="slow/fast")].value == 3.0


def test_a_reading_without_its_runs_is_left_out():
    whole = make_rows()
    some = make_rows(lambda cell: cell.lag != 6.8 or cell.delta > 20.0)
    assert set(whole) - set(some) == {key for key in whole if key.variant == "lag 6.8 ms"}
    assert all(some[key] == whole[key] for key in some)


def test_readings_are_of_short_runs_and_not_at_smoke_scale():
    for scale in ("laptop", "paper"):
        cells = fig3.cells(scale, [])
        others = [
            cell
            for cell in cells
            if cell.lag not in fig3.LAGS or cell.settings not in fig3.RULES.values()
        ]
        assert len(others) == len(fig3.READINGS) * len(fig3.DELTAS["laptop"])
        assert {cell.rule for cell in others} == {"psd"}
    assert {cell.lag for cell in fig3.cells("smoke", [])} == set(fig3.LAGS)


@pytest.mark.parametrize(("bounds", "moving"), [((-0.011, 0.0), 1.0), ((-0.004, 0.004), 0.0)])
def test_moving_is_by_more_than_the_step_size(bounds, moving):
    done = [Trial(None, 0, {"range": bounds[1] - bounds[0]})]
    assert fig3._moving("", 0.01, done).value == moving


def test_the_range_is_of_the_weight_itself(monkeypatch):
    """Around its optimum the error moves by half of what the weight does."""
    offsets = np.tile([-0.02, 0.02], 301)[:601]
    offsets[:400] = 5.0
    monkeypatch.setattr(fig3, "weight_offsets", lambda *_: offsets)
    cell = fig3.cells("smoke", [])[0]
    (found,) = fig3.trials(cell, [0])
    assert found["range"] == 0.04
    assert found["fate"] == "converged"
    assert found["converges"] == 400


def test_trials_stored_without_a_range_are_no_trials_of_today():
    cell = fig3.cells("smoke", [])[0]
    stored = cell.to_json()
    assert fig3.InterferenceCell.fits(stored)
    del stored["tail"]
    assert not fig3.InterferenceCell.fits(stored)
