"""The documentation site is complete; all of this is checked without building it."""

import ast
import re
from importlib import import_module

import pytest
from tests.support.pages import DOCS, GENERATED
from tests.support.paths import ROOT

import linspike
from linspike import errors, rules

MODULES = ("constraints", "rules", "rules.toolkit", "training", "study", "plotting", "encoders")
MODULES += ("estimators", "datasets")
SOURCES = sorted((ROOT / "src" / "linspike").glob("**/*.py"))
# "(5)" and "(27) to (29)" in comments and docstrings, not in calls.
CITED = re.compile(r"(?<![\w.)\]])\((\d{1,2})\)")


def listed_names():
    """Every name that a page of the reference lists, with its module."""
    found = []
    for page in sorted((DOCS / "api").glob("*.rst")):
        module, inside = "", False
        for line in page.read_text().splitlines():
            if line.startswith(".. currentmodule:: "):
                module = line.split()[-1]
            if line.startswith(".. py:data:: "):
                found.append(line.split()[-1])
            if line and not line.startswith(" "):
                inside = line == ".. autosummary::"
            elif inside and line.strip() and ":" not in line:
                found.append(f"{module}.{line.strip()}")
    return found


def resolve(name):
    module, _, last = name.rpartition(".")
    return getattr(import_module(module), last)


def public_names():
    yield from ((linspike, name) for name in linspike.__all__)
    for path in MODULES:
        module = import_module(f"linspike.{path}")
        yield from ((module, name) for name in module.__all__)
    yield from ((rules, name) for name in rules.REGISTRY.values())
    kinds = [name for name, kind in vars(errors).items() if isinstance(kind, type)]
    yield from ((errors, name) for name in kinds if issubclass(getattr(errors, name), Exception))


def test_every_public_name_has_a_page():
    pages = [resolve(name) for name in listed_names()]
    missing = [
        f"{module.__name__}.{name}"
        for module, name in public_names()
        if not any(getattr(module, name) is shown for shown in pages)
    ]
    assert not missing


def test_no_name_has_two_pages():
    names = listed_names()
    assert len(set(names)) == len(names) > 100


def test_every_page_of_the_reference_is_in_its_contents():
    contents = (DOCS / "api" / "index.rst").read_text().split()
    pages = {page.stem for page in (DOCS / "api").glob("*.rst")} - {"index"}
    assert pages <= set(contents)


def numbers_of_the_theory():
    return [int(n) for n in re.findall(r"^\$\$ \((\w+)\)$", (DOCS / "theory.md").read_text(), re.M)]


def test_equations_are_numbered_in_order():
    # Sphinx counts them: a label that is not the count would be shown as another number.
    numbers = numbers_of_the_theory()
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(numbers) >= 57
    text = (DOCS / "theory.md").read_text()
    assert text.count("\n$$\n") == len(numbers), "an equation without a number"


def comments_and_docstrings(path):
    text = path.read_text()
    yield from re.findall(r"(?<!\S)#\s(.*)", text)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            yield ast.get_docstring(node) or ""


def test_code_cites_equations_that_exist():
    kernels = [path for path in SOURCES if "kernels" in path.parts]
    cited = {
        int(number)
        for path in kernels
        for words in comments_and_docstrings(path)
        for number in CITED.findall(words)
    }
    assert cited <= set(numbers_of_the_theory())
    assert len(cited) > 30


@pytest.mark.parametrize("folder", GENERATED, ids=lambda folder: folder.name)
def test_what_the_build_makes_is_ignored(folder):
    ignored = (ROOT / ".gitignore").read_text().splitlines()
    assert f"/{folder.relative_to(ROOT).as_posix()}/" in ignored
