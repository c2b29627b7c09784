"""The interference map: where PSD converges, and that DTA does everywhere."""

import numpy as np
import pytest

import linspike as ls
from linspike.paper.common.two_spikes import optimum, two_spikes
from linspike.paper.figures import fig3
from linspike.study.cells import Trial
from linspike.study.experiment import NotEnoughTrials

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
