"""Golden spike trains from NEST's exact neuron (see tools/golden/make_nest.py)."""

import json

import numpy as np
import pytest
from tests.support.paths import GOLDEN

import linspike as ls

CASES = json.loads((GOLDEN / "nest.json").read_text())


@pytest.mark.parametrize("case", [pytest.param(c, id=c["name"]) for c in CASES["cases"]])
def test_nest_agrees(case):
    neuron = ls.SRM(case["tau_m"], case["tau_s"], case["threshold"])
    pattern = ls.Pattern(case["times"], case["channels"], case["n_channels"], case["duration"])
    ours = neuron.respond(case["weights"], pattern).times
    theirs, limit = np.array(case["spikes"]), np.array(case["limit"])
    assert ours.size == theirs.size
    assert np.abs(ours[:1] - theirs[:1]).max(initial=0.0) < CASES["first_tolerance"]
    assert np.abs(ours - theirs).max(initial=0.0) < case["later_tolerance"]
    assert np.abs(ours - limit).max(initial=0.0) < CASES["limit_tolerance"]


def test_most_cases_keep_ten_refractory_times():
    # Elsewhere bursts hand the delay of each spike on to the next.
    kept = [c["later_tolerance"] <= 10 * c["refractory"] for c in CASES["cases"]]
    assert sum(kept) >= 25
    assert sum(len(c["spikes"]) for c in CASES["cases"]) > 250
