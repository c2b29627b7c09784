"""The house: imports go down only, start-up is light, files stay small."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

import linspike as ls

SOURCE = Path(ls.__file__).parent
# From the ground up; a module may import from its own floor and from those below.
FLOORS = [
    {"errors"},
    {"checks", "_files"},
    {"threads", "kernels"},
    {"spikes"},
    {"neuron", "features"},
    {"constraints"},
    {"rules"},
    {"training"},
    {"estimators"},
    {"experiments"},
    {"reports"},
    {"doctor", "progress", "csv_table"},
    {"table_model", "table_results"},
    {"commands", "model_commands", "data_commands"},
    {"cli"},
    {"__main__"},
]
FLOOR_OF = {name: level for level, names in enumerate(FLOORS) for name in names}
FILES = sorted(SOURCE.rglob("*.py"))


def part(path):
    """The folder or top-level module a file belongs to."""
    inside = path.relative_to(SOURCE)
    return inside.parts[0].removesuffix(".py")


def imported(path):
    """Parts of linspike that a file imports, type-checking imports included."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module == "linspike":
            names = [f"linspike.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
        else:
            continue
        yield from (name.split(".")[1] for name in names if name.startswith("linspike."))


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_go_down(path):
    if part(path) == "__init__":
        return  # the front door names everything, lazily
    for name in imported(path):
        assert FLOOR_OF[name] <= FLOOR_OF[part(path)], f"{path.name} imports {name}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_only_kernels_import_numba(path):
    if part(path) not in ("kernels", "rules"):
        assert "import numba" not in path.read_text()
        assert "from numba" not in path.read_text()


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_files_stay_small(path):
    assert len(path.read_text().splitlines()) <= 400


def loaded_by(statement):
    script = f"import sys, json; {statement}; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    return {name.split(".")[0] for name in json.loads(done.stdout)}


def test_import_is_light():
    heavy = {"numpy", "numba", "sklearn", "scipy", "matplotlib", "torch", "rich", "click"}
    assert not heavy & loaded_by("import linspike")


def test_simulation_does_not_load_the_rest():
    statement = "import linspike as ls; ls.SRM().respond([2.0], ls.Pattern([1.0], [0], 1, 50.0))"
    assert not {"sklearn", "matplotlib", "torch", "rich"} & loaded_by(statement)


def test_every_public_name_exists_and_is_documented():
    for name in ls.__all__:
        assert getattr(ls, name) is not None
        if name != "__version__":
            assert getattr(ls, name).__doc__
    assert set(ls.__all__) == set(dir(ls))
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        ls.nonsense  # noqa: B018
