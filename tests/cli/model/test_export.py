"""`linspike export`, as a user calls it."""

import numpy as np
import pytest
from tests.support import shell

import linspike as ls
from linspike.io.scripts import make_script

MODEL = ls.Model(ls.SRM(20.0, 5.0, 1.0), [[0.5, -0.2], [0.1, 0.7]])


@pytest.fixture
def saved(tmp_path):
    MODEL.save(tmp_path / "model.npz")
    return tmp_path / "model.npz"


def test_nir(saved, tmp_path):
    done = shell.run("export", saved, tmp_path / "m.nir", "--to", "nir")
    assert (done.code, done.out) == (0, "")
    assert done.err == f"2 neurons with 2 channels written to {tmp_path / 'm.nir'}\n"
    assert ls.from_nir(tmp_path / "m.nir").weights.tolist() == MODEL.weights.tolist()


def test_nir_on_a_grid(saved, tmp_path):
    out = tmp_path / "m.nir"
    assert (
        shell.run("export", saved, out, "--to", "nir", "--profile", "grid", "--dt", "0.5").code == 0
    )
    np.testing.assert_allclose(ls.from_nir(out).weights, MODEL.weights, rtol=1e-12)


@pytest.mark.parametrize(("options", "dt"), [((), None), (("--dt", "0.25"), 0.25)])
@pytest.mark.parametrize("kind", ["nest", "brian2"])
def test_programs(kind, options, dt, saved, tmp_path):
    done = shell.run("export", saved, tmp_path / "run.py", "--to", kind, *options)
    assert done.code == 0, done.err
    assert (tmp_path / "run.py").read_text() == make_script(MODEL, kind, dt)


def test_a_classifier_of_tables(model, tmp_path):
    done = shell.run("export", model, tmp_path / "m.nir", "--to", "nir")
    assert done.code == 0, done.err
    classifier = ls.load_model(model)
    assert ls.from_nir(tmp_path / "m.nir").weights.tolist() == classifier.weights_.tolist()


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("--to", "nest", "--profile", "spec"), 2, "--profile is for --to nir."),
        (("--to", "nir", "--profile", "grid"), 2, "--profile grid needs --dt, the time step of the simulator in milliseconds."),
        (("--to", "nir", "--dt", "1"), 2, "--dt is for --profile grid."),
        (("--to", "nir", "--profile", "spec", "--dt", "1"), 2, "--dt is for --profile grid."),
        (("--to", "brian2", "--dt", "0"), 2, "Invalid value for '--dt'"),
        (("--to", "brian2", "--dt", "7"), 1, "'dt' parameter of write_script must be positive and below tau_s = 5 ms"),
        (("--to", "matlab"), 2, "Invalid value for '--to'"),
        ((), 2, "Missing option '--to'"),
    ],
)  # fmt: skip
def test_options_that_do_not_go_together(arguments, code, message, saved, tmp_path):
    done = shell.run("export", saved, tmp_path / "out", *arguments)
    assert (done.code, done.out) == (code, "")
    assert message in done.err
    assert not (tmp_path / "out").exists()


def test_files_that_cannot_be_used(saved, tmp_path):
    absent = shell.run("export", tmp_path / "no.npz", tmp_path / "m.nir", "--to", "nir")
    assert (absent.code, absent.err) == (
        1,
        f"linspike: {tmp_path / 'no.npz'} cannot be read: No such file or directory.\n",
    )
    (tmp_path / "text.npz").write_text("model")
    other = shell.run("export", tmp_path / "text.npz", tmp_path / "m.nir", "--to", "nir")
    assert other.code == 1
    assert "is not a model that linspike saved" in other.err
    own = shell.run("export", saved, saved, "--to", "nest")
    assert own.code == 1
    assert "would be overwritten by its own results" in own.err
    assert ls.load_model(saved).weights.tolist() == MODEL.weights.tolist()
