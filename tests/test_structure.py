"""The house: imports go down only, no cycles, third-party fences, light start-up, small files."""

import ast
import json
import sys
from functools import cache
from pathlib import Path

import pytest
from tests.support.process import run_python

import linspike as ls

SOURCE = Path(ls.__file__).parent
# From the ground up: a folder imports only from folders above it in this list, and from itself.
LAYERS = [
    "errors",
    "_typing",
    "_validation",
    "_files",
    "_threads",
    "kernels",
    "spikes",
    "neuron",
    "network",
    "constraints",
    "rules",
    "training",
    "plotting",
    "encoders",
    "estimators",
    "datasets",
    "io",
    "deploy",
    "study",
    "paper",
    "beyond",
    "lab",
    "cli",
    "__main__",
]
# The same inside folders that have folders of their own.
SUBLAYERS = {
    "kernels": [
        "notices",
        "cache",
        "jit",
        "rng",
        "simulation",
        "rows",
        "trains",
        "solvers",
        "threshold",
        "training",
        "network",
    ],
    "paper": ["common", "report", "tables", "figures", "claims", "readings"],
}
# Who may import a package; every other package must be named here or be in the standard library.
FENCES = {
    "numpy": {"*"},
    "numba": {"kernels"},
    "llvmlite": {"kernels"},
    "platformdirs": {"kernels", "datasets"},
    "matplotlib": {"plotting", "paper/report"},
    "jinja2": {"paper/report"},
    "tabulate": {"paper/report", "cli"},
    "sklearn": {"encoders", "estimators", "paper/common", "beyond", "lab", "cli"},
    "scipy": {"constraints", "encoders", "study", "paper"},
    "joblib": {"estimators", "study"},
    "distributed": {"study"},
    "highspy": {"constraints"},
    "piqp": {"constraints"},
    "neo": {"io"},
    "quantities": {"io"},
    "pynwb": {"io"},
    "nir": {"io"},
    "h5py": {"io"},
    "pooch": {"datasets"},
    "requests": {"datasets"},
    "anyio": {"lab"},
    "starlette": {"lab"},
    "uvicorn": {"lab"},
    "click": {"cli"},
    "rich": {"cli"},
}
FILES = sorted(SOURCE.rglob("*.py"))
every_file = pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))


def name_of(path):
    """Dotted name of a file below linspike; empty for the package itself."""
    inside = path.relative_to(SOURCE).with_suffix("")
    return ".".join(part for part in inside.parts if part != "__init__")


MODULES = {name_of(path): path for path in FILES}


@cache
def imports_of(path):
    """Dotted names that a file imports, those inside functions and type checks included."""
    found = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            found += [f"{node.module}.{alias.name}" for alias in node.names]
    return found


def own_imports(path):
    """Modules of linspike that a file imports, without the package's own name."""
    for name in imports_of(path):
        parts = name.split(".")[1:]
        if not name.startswith("linspike.") or parts == ["__version__"]:
            continue
        while parts and ".".join(parts) not in MODULES:
            parts.pop()
        yield ".".join(parts)


@every_file
def test_imports_go_down(path):
    here = name_of(path).split(".")
    if here == [""]:
        return  # the front door names everything, lazily
    for name in own_imports(path):
        there = name.split(".")
        assert LAYERS.index(there[0]) <= LAYERS.index(here[0]), f"{path.name} imports {name}"
        order = SUBLAYERS.get(here[0])
        if order and there[0] == here[0] and len(there) > 1 and len(here) > 1:
            assert order.index(there[1]) <= order.index(here[1]), f"{path.name} imports {name}"


def test_no_cycles():
    left = {
        name: {n for n in own_imports(path) if n != name} for name, path in MODULES.items() if name
    }
    left = {name: {n for n in needs if n in left} for name, needs in left.items()}
    while left:
        free = [name for name, needs in left.items() if not needs]
        assert free, f"a cycle among {sorted(left)}"
        left = {name: needs - set(free) for name, needs in left.items() if name not in free}


@every_file
def test_packages_stay_behind_their_fences(path):
    inside = path.relative_to(SOURCE).as_posix()
    for name in imports_of(path):
        package = name.split(".")[0]
        if package in sys.stdlib_module_names or package == "linspike":
            continue
        allowed = FENCES[package]
        assert "*" in allowed or any(inside.startswith(f"{folder}/") for folder in allowed), (
            f"{inside} imports {package}"
        )


@every_file
def test_files_stay_small(path):
    assert len(path.read_text().splitlines()) <= 400


def test_folders_stay_small():
    sizes = {}
    for path in FILES:
        if path.name != "__init__.py":
            sizes[path.parent] = sizes.get(path.parent, 0) + 1
    assert sizes.pop(SOURCE) <= 6
    sizes.pop(SOURCE / "rules")
    assert max(sizes.values()) <= 14


def loaded_by(statement):
    script = f"import sys, json; {statement}; print(json.dumps(sorted(sys.modules)))"
    done = run_python("-c", script)
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
