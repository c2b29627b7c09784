"""Files that are damaged, tampered with or of another kind: nothing but whole ones is taken."""

import json
import zipfile

import numpy as np
import pytest
from tests.support.saved_cases import PATTERNS, X, fitted, whole

import linspike as ls
from linspike import _files as files
from linspike.estimators import persistence as saved


def test_damaged_files(tmp_path):
    broken, right = tmp_path / "m.npz", whole("plain")
    scores = fitted("plain").decision_function(X)
    for length in (0, 1, 100, len(right) // 2, len(right) - 1):
        broken.write_bytes(right[:length])
        with pytest.raises(ls.FileFormatError, match="damaged|is not a model"):
            ls.load_model(broken)
    refused = 0
    for at in range(0, len(right), 37):
        broken.write_bytes(right[:at] + bytes([right[at] ^ 0x10]) + right[at + 1 :])
        try:  # dates and such may change; what is read must be right
            assert np.array_equal(ls.load_model(broken).decision_function(X), scores)
        except ls.FileFormatError:
            refused += 1
    assert refused > 0.5 * len(right) / 37


def test_files_of_another_kind(tmp_path):
    path = tmp_path / "m.npz"
    PATTERNS.save(path)
    with pytest.raises(ls.FileFormatError, match="is not a model that linspike saved"):
        ls.load_model(path)
    np.savez(path, weights=np.ones(3))
    with pytest.raises(ls.FileFormatError, match="is not a model that linspike saved"):
        ls.load_model(path)
    path.write_text("weights: 1, 2, 3")
    with pytest.raises(ls.FileFormatError, match="is not a model that linspike saved"):
        ls.load_model(path)
    with pytest.raises(FileNotFoundError):
        ls.load_model(tmp_path / "none.npz")
    with pytest.raises(ls.FileFormatError, match="is a folder, not a file"):
        ls.load_model(tmp_path)


@pytest.mark.parametrize("kind", [saved.FORMAT, "linspike.Model"])
def test_files_that_would_take_too_much_memory(kind, tmp_path):
    path = tmp_path / "m.npz"
    path.write_bytes(whole("plain"))
    if kind != saved.FORMAT:
        ls.Model(ls.SRM(), np.ones((3, 30))).save(path)
    ls.load_model(path, max_bytes=10**6)
    with pytest.raises(ls.FileFormatError, match="more than the 1000 allowed.*max_bytes="):
        ls.load_model(path, max_bytes=1000)
    with (
        zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive,
        archive.open("more.npy", "w", force_zip64=True) as stream,
    ):
        for _ in range(1025):
            stream.write(bytes(2**20))
    with pytest.raises(ls.FileFormatError, match="more than the 1073741824 allowed"):
        ls.load_model(path)


def rewritten(path, change, version=saved.FORMAT_VERSION, **arrays):
    """The saved file once more, with changes to what is told about it and to its arrays."""
    names = ("about", "weights", "classes")
    parts = files.load_arrays(path, saved.FORMAT, saved.FORMAT_VERSION, names)
    about = json.loads(str(parts["about"]))
    change(about)
    parts.update(arrays, about=np.str_(json.dumps(about)))
    kept = {name: part for name, part in parts.items() if part is not None}
    files.save_arrays(path, saved.FORMAT, version, **kept)


def nothing(about):
    """Leave all as it is."""


def check_refused(folder, case, change, **arrays):
    """Check that a saved file with these changes is refused as damaged."""
    path = folder / "m.npz"
    path.write_bytes(whole(case))
    rewritten(path, change, **arrays)
    with pytest.raises(ls.FileFormatError, match="is damaged and cannot be read"):
        ls.load_model(path)


def test_newer_files_and_rules(tmp_path):
    path = tmp_path / "m.npz"
    path.write_bytes(whole("plain"))
    rewritten(path, nothing)
    ls.load_model(path)  # what the next tests change is what they are refused for
    rewritten(path, lambda about: about["rule"].update(key="later"))
    with pytest.raises(
        ls.FileFormatError, match="with the rule 'later', which this linspike lacks"
    ):
        ls.load_model(path)
    rewritten(path, nothing, version=5)
    with pytest.raises(ls.FileFormatError, match=r"newer linspike \(format 5.* Update linspike"):
        ls.load_model(path)
    path.write_bytes(whole("plain"))
    rewritten(path, nothing, version=2)
    message = r"older linspike \(format 2, this one reads from 3 on\). Make it again"
    with pytest.raises(ls.FileFormatError, match=message):
        ls.load_model(path)


@pytest.mark.parametrize("case", ["plain", "times", "spikes", "raster"])
@pytest.mark.parametrize(
    "arrays",
    [
        {"weights": None},
        {"classes": None},
        {"weights": np.float64(3.0)},
        {"weights": np.ones(40)},
        {"weights": np.ones((3, 7))},
        {"weights": np.ones((1, 1))},
        {"weights": np.full((3, 30), np.nan)},
        {"weights": np.full((3, 30), "a")},
        {"weights": np.array([[1, None]], dtype=object)},
        {"classes": np.arange(9)},
        {"classes": np.arange(1)},
        {"classes": np.array([2, 1, 0])},
        {"classes": np.array([0, 0, 1])},
        {"classes": np.eye(3)},
        {"classes": np.array("x")},
    ],
    ids=str,
)
def test_arrays_that_do_not_fit(case, arrays, tmp_path):
    check_refused(tmp_path, case, nothing, **arrays)


@pytest.mark.parametrize(
    "change",
    [
        {"estimator": "SpikeRegressor"},
        {"settings": {"colour": "red"}},
        {"settings": {"spikes": "ten"}},
        {"settings": []},
        {"neuron": {"tau_m": -1.0}},
        {"neuron": None},
        {"rule": {"key": "dta", "settings": {"bound": -1.0}}},
        {"rule": {"key": [], "settings": {}}},
        {"rule": None},
        {"class_weight": 5},
        {"class_weight": [[0, -1.0]]},
        {"epochs": -1},
        {"epochs": 1.5},
        {"order": -1},
        {"order": "x"},
        {"converged": "no"},
        {"history": []},
        {"notes": 3},
        {"n_features": 4},
        {"n_features": "3"},
        {"names": ["a", "b"]},
        {"code": {"n_neurons": 2, "spikes": 10, "at_least": True, "graded": True}},
        {"code": {"n_neurons": 3, "spikes": "ten", "at_least": True, "graded": True}},
        {"code": {"n_neurons": 3, "spikes": 10, "at_least": True, "graded": 1}},
        {"code": {"trains": [[[1.0], 5.0], [[2.0], 5.0]]}},
        {"code": {"trains": [[[2.0, 1.0], 5.0]] * 3}},
        {"code": None},
        {"encoder": None},
        {"encoder": {"key": "os.system"}},
    ],
    ids=str,
)
def test_tampered_accounts(change, tmp_path):
    check_refused(tmp_path, "plain", lambda about: about.update(change))


@pytest.mark.parametrize(
    ("case", "part", "change"),
    [
        ("population", "settings", {"n_fields": 5}),
        ("population", "settings", {"beta": -1.0}),
        ("population", "learned", {"data_min_": [0.0, 1.0]}),
        ("population", "learned", {"data_max_": [1.0]}),
        ("population", "learned", {"data_min_": [0.0, 1.0, float("nan")]}),
        ("population", "learned", {"data_max_": "high"}),
        ("latency", "learned", {"scale_": float("inf")}),
        ("latency", "settings", {"duration": 0.0}),
        ("raster", "settings", {"folds": 1}),
        ("raster", "settings", {"dt": "long"}),
        ("raster", "learned", {"shape_": [7, 5]}),
        ("raster", "learned", {"shape_": [14, 4]}),
        ("raster", "learned", {"shape_": 28}),
    ],
    ids=str,
)
def test_tampered_encoders(case, part, change, tmp_path):
    check_refused(tmp_path, case, lambda about: about["encoder"][part].update(change))


@pytest.mark.parametrize("key", ["rule", "encoder", "epochs", "order", "names", "code", "settings"])
def test_missing_accounts(key, tmp_path):
    check_refused(tmp_path, "plain", lambda about: about.pop(key))


@pytest.mark.parametrize("text", ["[]", "3", "null", '"x"', "{", "[" * 100_000], ids=len)
def test_accounts_of_nothing(text, tmp_path):
    path = tmp_path / "m.npz"
    arrays = {"weights": np.ones((3, 30)), "classes": np.arange(3)}
    files.save_arrays(path, saved.FORMAT, saved.FORMAT_VERSION, about=np.str_(text), **arrays)
    with pytest.raises(ls.FileFormatError, match="is damaged and cannot be read"):
        ls.load_model(path)
