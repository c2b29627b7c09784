"""What to cite: every rule has its paper, as BibTeX that others can read."""

import re

import pytest
import yaml
from tests.support import shell
from tests.support.paths import ROOT

import linspike as ls
from linspike.rules import REGISTRY, rule_class
from linspike.rules.citation import _read_entries

DOI = re.compile(r"doi += \{10\.\d+/\S+\}")


def names_of(text):
    return re.findall(r"^@\w+\{(\w+),$", text, flags=re.MULTILINE)


def test_without_a_rule_linspike_and_its_paper_are_cited():
    text = ls.citation()
    assert names_of(text) == ["linspike", "nguyen2021linear"]
    assert f"version {ls.__version__}" in text
    assert "{2103.12564}" in text


def test_the_year_is_that_of_the_version():
    released = yaml.safe_load((ROOT / "CITATION.cff").read_text())["date-released"]
    assert f"  year   = {{{released.year}}},\n" in ls.citation().partition("\n\n")[0]


@pytest.mark.parametrize("key", REGISTRY)
def test_every_rule_has_the_paper_of_its_docstring(key):
    text = ls.citation(key)
    (paper,) = names_of(text)[2:] or ["nguyen2021linear"]
    entry = text[text.index(paper) :]
    surname = re.search(r"author += \{(\w+)", entry.replace('{\\"u}', "ue"))[1]
    reference = rule_class(key).__doc__.partition("References\n")[2]
    if key == "emlc":  # "see EML"
        reference = rule_class("eml").__doc__.partition("References\n")[2]
    assert surname in reference
    assert re.search(r"year += \{(\d+)", entry)[1] in reference or "2103.12564" in reference


@pytest.mark.parametrize("rule", [ls.rules.HTP, ls.rules.HTP(), "htp"])
def test_a_rule_its_class_and_its_name_are_the_same(rule):
    assert names_of(ls.citation(rule))[-1] == "memmesheimer2014learning"


@pytest.mark.parametrize("rule", ["back-propagation", 7, ls.rules.Rule])
def test_unknown_rules_are_refused(rule):
    with pytest.raises(ls.ParameterError, match="of citation must be a rule of .*'psd'"):
        ls.citation(rule)


def test_a_session_shows_the_text_itself():
    assert repr(ls.citation()) == ls.citation()


def test_the_bibliography_is_sound():
    entries = _read_entries()
    assert set().union(*entries.values()) == set(REGISTRY)
    names = [name for entry in entries for name in names_of(entry)]
    assert len(set(names)) == len(entries)
    for entry in entries:
        assert entry.count("{") == entry.count("}")
        assert DOI.search(entry) or "archiveprefix" in entry


def test_the_command_prints_it():
    assert shell.run("cite", "mst").out == ls.citation("mst") + "\n"
    refused = shell.run("cite", "nonsense")
    assert refused.code == 2
    assert "'nonsense' is not one of 'dta'" in refused.err
