"""Every registered rule keeps the contract; so does a new one, for one file and one line."""

import sys
from pathlib import Path

import pytest
from tests.support import contract

import linspike as ls
from linspike.rules import REGISTRY

DUMMY = '''
from dataclasses import dataclass

from linspike.rules.toolkit import SOLVED, Rule, correlate, rule_step


@rule_step
def dummy_step(s, parameters, weights, change, work):
    correlate(s, parameters[0], change)
    return SOLVED


@dataclass(frozen=True)
class Dummy(Rule):
    """A rule of one's own.

    Parameters
    ----------
    eta : float

    References
    ----------
    None.

    Notes
    -----
    Confidence: a test. Differs from the paper: in everything.

    Examples
    --------
    None.
    """

    key = "dummy"
    eta: float = 0.02

    def compiled(self):
        return dummy_step

    def options(self, *, counts):
        return (self.eta,)
'''


@pytest.mark.parametrize("key", REGISTRY)
@pytest.mark.parametrize("check", contract.CHECKS, ids=lambda check: check.__name__)
def test_contract(check, key):
    check(key)


@pytest.fixture(scope="module")
def uncompiled(tmp_path_factory):
    return contract.uncompiled_steps(REGISTRY, tmp_path_factory.mktemp("steps") / "steps.npz")


@pytest.mark.parametrize("key", REGISTRY)
def test_compiled_steps_equal_their_source(key, uncompiled):
    contract.equals_its_uncompiled_source(key, uncompiled)


def test_a_new_rule_takes_one_file_and_one_line(tmp_path, monkeypatch):
    (tmp_path / "dummy.py").write_text(DUMMY)
    monkeypatch.setattr(ls.rules, "__path__", [*ls.rules.__path__, str(tmp_path)])
    monkeypatch.setitem(REGISTRY, "dummy", "Dummy")
    try:
        for check in contract.CHECKS:
            check("dummy")
        steps = contract.uncompiled_steps(["dummy"], tmp_path / "steps.npz", tmp_path)
        contract.equals_its_uncompiled_source("dummy", steps)
        assert ls.rules.Dummy(eta=0.5) == ls.rules.rule_class("dummy")(eta=0.5)
    finally:
        sys.modules.pop("linspike.rules.dummy", None)


def test_every_file_of_a_rule_is_registered():
    files = {path.stem for path in Path(ls.rules.__file__).parent.glob("*.py")}
    assert files - {"__init__", "base"} == {*REGISTRY}
