"""The grid profile in snnTorch and SpikingJelly, where they are installed (extra frameworks)."""

import numpy as np
import pytest
from tests.support import peers
from tests.support.grid_twin import bin_inputs, compare, run_graph
from tests.support.paths import ROOT

import linspike as ls

# Of the extra in pyproject.toml.
VERSIONS = {"snntorch": "1.0.0", "spikingjelly": "2.0.0"}


@pytest.mark.parametrize("name", VERSIONS)
def test_the_grid_profile_runs(name, tmp_path):
    python = peers.require("frameworks", name, VERSIONS[name])
    rng = np.random.default_rng(3)
    patterns = ls.poisson_patterns(8, n_channels=60, duration=150.0, rate=0.01, rng=rng)
    model = ls.Model(ls.SRM(), rng.normal(0.05, 0.12, (3, 60)))
    exact, errors = model.respond(patterns), {}
    # snnTorch fixes the step at 0.1 ms.
    for dt in (0.1,) if name == "snntorch" else (1.0, 0.1):
        ls.to_nir(model, tmp_path / "m.nir", "grid", dt)
        inputs = bin_inputs(patterns, dt)
        np.savez(tmp_path / "in.npz", inputs=inputs, dt=dt / 1e3)
        program = ROOT / "tests" / "support" / "nir_frameworks.py"
        peers.run_with(python, program, name, "m.nir", "in.npz", "out.npz", cwd=tmp_path)
        with np.load(tmp_path / "out.npz") as found:
            spikes = found["spikes"]
        errors[dt] = compare(spikes, exact, patterns, dt)
        twin = run_graph(tmp_path / "m.nir", inputs, dt / 1e3)
        assert np.count_nonzero(twin != spikes) <= 0.02 * twin.sum()  # float32 in snnTorch
    assert errors[0.1].count_changed <= 0.05
    assert errors[0.1].median < 0.2
    if name == "spikingjelly":
        assert 5.0 < errors[1.0].median / errors[0.1].median < 20.0
