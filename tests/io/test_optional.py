"""Packages that are not installed, and files that stay whole."""

import sys

import pytest

import linspike as ls

MODEL = ls.Model(ls.SRM(), [[0.5, 0.2]])
PATTERNS = ls.PatternSet([1.0], [0], [0, 1], 2, 10.0)
CALLS = {
    "from_neo": ("neo", "interop", lambda path: ls.from_neo([])),
    "to_neo": ("neo", "interop", lambda path: ls.to_neo(PATTERNS)),
    "from_nwb": ("pynwb", "nwb", lambda path: ls.from_nwb(path, window=5.0)),
    "to_nir": ("nir", "interop", lambda path: ls.to_nir(MODEL, path)),
    "from_nir": ("nir", "interop", lambda path: ls.from_nir(path)),
    "to_nir_data": ("nir", "interop", lambda path: ls.to_nir_data(PATTERNS, path)),
    "from_nir_data": ("nir", "interop", lambda path: ls.from_nir_data(path)),
}


@pytest.mark.parametrize("name", CALLS)
def test_the_extra_is_named(name, tmp_path, monkeypatch):
    package, extra, call = CALLS[name]
    monkeypatch.setitem(sys.modules, package, None)
    message = (
        rf"{name} needs the package {package}. Install it with: pip install 'linspike\[{extra}\]'"
    )
    with pytest.raises(ls.MissingExtraError, match=message):
        call(tmp_path / "file")
    assert not list(tmp_path.iterdir())
