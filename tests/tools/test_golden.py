"""Every golden file names the command that made it, and that command exists."""

import gzip
import importlib.util
import json

import numpy as np
import pytest
from tests.support.paths import GOLDEN

# Beside the files with the same stem; written in the same run.
WITH_ANOTHER = {"guards_cells.json.gz", "guards_portable_cells.json.gz"}
# Written by other libraries, in the same run as the file that says what is in them.
FOREIGN = {"formats_neo.mat", "formats_nwb.nwb", "formats_graph.nir", "formats_data.nir"}
BESIDE = WITH_ANOTHER | FOREIGN
FILES = sorted(path.name for path in GOLDEN.iterdir() if path.name not in BESIDE)


def command_of(name):
    path = GOLDEN / name
    if name.endswith(".npz"):
        with np.load(path, allow_pickle=False) as arrays:
            return str(arrays["command"])
    if name.endswith(".json"):
        return json.loads(path.read_text())["command"]
    return path.read_text().splitlines()[0]


@pytest.mark.parametrize("name", FILES)
def test_the_command_is_named_and_exists(name):
    python, option, module, *_ = command_of(name).split()
    assert (python, option) == ("python", "-m")
    assert importlib.util.find_spec(module) is not None


@pytest.mark.parametrize("name", sorted(WITH_ANOTHER))
def test_cells_belong_to_a_record(name):
    assert (GOLDEN / name.replace("_cells.json.gz", ".json")).exists()
    assert json.loads(gzip.decompress((GOLDEN / name).read_bytes()))


@pytest.mark.parametrize("name", sorted(FOREIGN))
def test_files_of_other_libraries_are_described(name):
    kind = name.removeprefix("formats_").partition(".")[0]
    cases = json.loads((GOLDEN / "formats.json").read_text())["cases"]
    assert kind in {case["name"] for case in cases}
    assert (GOLDEN / name).stat().st_size < 300_000


def test_cases_are_written_one_a_line(tmp_path, monkeypatch):
    from tools.golden import cases

    monkeypatch.setattr(cases, "GOLDEN", tmp_path)
    cases.write_cases("twos", {"numpy": "2"}, {"seed": 1}, [{"a": [1, 2]}, {"a": []}])
    text = (tmp_path / "twos.json").read_text()
    assert json.loads(text) == {
        "command": "python -m tools.golden.make_twos",
        "versions": {"numpy": "2"},
        "seed": 1,
        "cases": [{"a": [1, 2]}, {"a": []}],
    }
    assert text.splitlines()[-3:] == ['{"a":[1,2]},', '{"a":[]}', "]}"]
