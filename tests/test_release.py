"""The package as people get it: what sdist and wheel hold, and that the wheel works where it is new.

Nothing here needs the network: the build uses the installed hatchling, and the clean environment
sees the packages of this one, except linspike. `make dist` sets LINSPIKE_DIST to keep the files.
"""

import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import venv
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest
import yaml
from tests.support.paths import ROOT

PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
PROJECT = PYPROJECT["project"]
NEEDED = ("build", "hatchling", "pip", "twine")
MISSING = [name for name in NEEDED if find_spec(name) is None]
needs_tools = pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}")
# Large, or of use in a checkout alone.
NOT_SHIPPED = re.compile(r"\.ci/|results/.*\.gz$")
FIRST_SPIKE = (
    "import linspike as ls; print(ls.__file__);"
    "print(ls.SRM().respond([2.0], ls.Pattern([1.0], [0], 1, 50.0)))"
)


def run(*command, cwd):
    # Without PYTHONPATH, which may name the source.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = list(map(str, command))
    done = subprocess.run(
        command, cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def dist(tmp_path_factory):
    """Sdist, and the wheel built from it."""
    folder = Path(os.environ.get("LINSPIKE_DIST") or tmp_path_factory.mktemp("dist")).absolute()
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, cwd=ROOT)
    (sdist,), (wheel,) = folder.glob("*.tar.gz"), folder.glob("*.whl")
    return sdist, wheel


@pytest.fixture(scope="module")
def sdist_names(dist):
    with tarfile.open(dist[0]) as archive:
        return {name.partition("/")[2] for name in archive.getnames()}


@pytest.fixture(scope="module")
def wheel_names(dist):
    with zipfile.ZipFile(dist[1]) as archive:
        return set(archive.namelist())


@needs_tools
def test_the_sdist_has_all_that_is_needed_to_test_and_to_build(sdist_names):
    needed = {"README.md", "CHANGELOG.md", "LICENSE", "CITATION.cff", "Makefile", "pyproject.toml"}
    needed |= {"tests/test_release.py", "docs/reproduction.md", "docs/images/learn_times.png"}
    needed |= {"examples/learn_times.py", "tools/insert_numbers.py", "recipe/recipe.yaml"}
    assert needed <= sdist_names


@needs_tools
def test_the_sdist_has_the_results_that_the_docs_show(sdist_names):
    names = ("README.md", "report.html", "results.csv", "results.md", "figures/fig9.png")
    assert {f"results/paper/{name}" for name in names} <= sdist_names
    assert not {name for name in sdist_names if NOT_SHIPPED.search(name)}


@needs_tools
@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="not a checkout")
def test_the_sdist_has_every_file_of_the_checkout(sdist_names):
    tracked = set(run("git", "ls-files", cwd=ROOT).splitlines())
    shipped = {name for name in tracked if not NOT_SHIPPED.search(name)}
    assert not shipped - sdist_names
    assert not {name for name in sdist_names if name.endswith((".pyc", ".sqlite"))}


@needs_tools
def test_the_wheel_has_the_package_and_its_data_alone(wheel_names):
    assert {name.partition("/")[0] for name in wheel_names} == {
        "linspike",
        f"linspike-{PROJECT['version']}.dist-info",
    }
    source = ROOT / "src"
    files = (path for path in source.rglob("*") if path.is_file())
    ours = {
        path.relative_to(source).as_posix() for path in files if "__pycache__" not in path.parts
    }
    assert ours <= wheel_names


@needs_tools
def test_twine_finds_nothing(dist):
    run(sys.executable, "-m", "twine", "check", "--strict", *dist, cwd=ROOT)


@needs_tools
def test_the_wheel_works_in_a_clean_environment(dist, tmp_path):
    home = tmp_path / "venv"
    venv.create(home, with_pip=False, symlinks=os.name != "nt")
    scheme = {"base": str(home), "platbase": str(home), "installed_base": str(home)}
    packages = Path(sysconfig.get_path("purelib", "venv", vars=scheme))
    scripts = Path(sysconfig.get_path("scripts", "venv", vars=scheme))
    python = scripts / Path(sys.executable).name
    run(sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-index",
        "--no-deps", dist[1], cwd=tmp_path)  # fmt: skip
    # A path alone: an editable linspike among the packages stays unseen.
    (packages / "others.pth").write_text(sysconfig.get_path("purelib") + "\n")
    found, spikes = run(python, "-c", FIRST_SPIKE, cwd=tmp_path).splitlines()
    assert Path(found).is_relative_to(home)
    assert spikes.startswith("SpikeTrain(")
    assert "table1" in run(scripts / "linspike", "list", cwd=tmp_path)


def test_the_recipe_says_what_the_project_says():
    recipe = yaml.safe_load((ROOT / "recipe" / "recipe.yaml").read_text())
    assert recipe["context"]["version"] == PROJECT["version"]
    assert recipe["about"]["summary"] == PROJECT["description"]
    assert recipe["about"]["license"] == PROJECT["license"]
    python, *packages = recipe["requirements"]["run"]
    assert python == f"python {PROJECT['requires-python']}"
    assert [name.replace(" ", "") for name in packages] == PROJECT["dependencies"]
    (hatchling,) = PYPROJECT["build-system"]["requires"]
    assert hatchling in [name.replace(" ", "") for name in recipe["requirements"]["host"]]
    address = PYPROJECT["tool"]["linspike"]["addresses"]["sdist"]
    assert recipe["context"]["sdist_address"] == address
    assert bool(recipe["context"]["sdist_sha256"]) == bool(address)
    (entry,) = recipe["build"]["python"]["entry_points"]
    name, _, target = entry.partition(" = ")
    assert PROJECT["scripts"] == {name: target}


def test_addresses_stand_in_one_place():
    """No file but pyproject.toml and the recipe holds an address of linspike."""
    addresses = set(PYPROJECT["tool"]["linspike"]["addresses"].values())
    assert set(PROJECT.get("urls", {}).values()) <= addresses
    folders = ("src", "docs", "examples", "tools", "benchmarks", "recipe", ".github", "results")
    inside = [path for folder in folders for path in (ROOT / folder).rglob("*")]
    kinds = {".md", ".py", ".yaml", ".yml", ".cff", ".j2", ".rst", ".toml"}
    for path in [*ROOT.glob("*"), *inside]:
        if path.suffix in kinds and path.name not in ("pyproject.toml", "recipe.yaml"):
            found = re.findall(r"https?://[^\s)>\"'`]*linspike[^\s)>\"'`]*", path.read_text())
            assert not found, f"{path}: {found}"


def test_only_a_tag_publishes_and_without_a_token():
    text = (ROOT / ".github" / "workflows" / "release.yml").read_text()
    workflow = yaml.safe_load(text)
    assert workflow[True] == {"push": {"tags": ["v*"]}}  # YAML reads "on" as true
    build, publish = workflow["jobs"]["build"], workflow["jobs"]["publish"]
    assert workflow["permissions"] == {"contents": "read"}
    assert "permissions" not in build
    assert publish["permissions"] == {"id-token": "write"}
    assert publish["needs"] == "build"
    assert publish["steps"][-1]["uses"].startswith("pypa/gh-action-pypi-publish@")
    assert "secrets" not in text
    assert "password" not in text
