"""Findings: what they say holds for the published numbers, and they are silent where it does not."""

import pytest

from linspike.cli.experiments import REGISTRY
from linspike.paper import EXPERIMENTS
from linspike.paper.report.findings import FINDINGS
from linspike.paper.report.findings.finding import Check, Finding, fill, holds, say
from linspike.paper.report.findings.tables import OPENING
from linspike.paper.report.published import published_results
from linspike.paper.report.verdicts import Result, Verdict
from linspike.study.rows import RowKey

EVERY = {"opening": OPENING, **FINDINGS}
PUBLISHED = {(result.id, result.row): result for result in published_results(REGISTRY.ids)}
# Numbers that a text only names: nothing is said about them.
NAMED = {
    "fig1": {"peak"},
    "fig2": {"first", "second"},
    "fig4": {"new"},
    "fig9": {"filters", "channels", "weights"},
}
# A study whose results are not published yet has findings that nothing fills in.
WAITING = {name for name in set(EVERY) - {"opening"} if name not in {each for each, _ in PUBLISHED}}
every_finding = pytest.mark.parametrize("name", [name for name in EVERY if name not in WAITING])


def find(experiment, key):
    return PUBLISHED.get((experiment, key.label))


def test_every_experiment_of_the_paper_has_a_finding():
    assert set(EXPERIMENTS) <= set(FINDINGS) <= set(REGISTRY.ids)


@every_finding
def test_comparisons_hold_for_the_published_numbers(name):
    finding = EVERY[name]
    found = {each: find(*where) for each, where in finding.numbers.items()}
    assert None not in found.values()
    checks = [check for each in finding.statements for check in each.checks]
    assert [check for check in checks if not holds(check, found)] == []


@every_finding
def test_all_numbers_of_a_text_are_filled_in(name):
    filled = fill(EVERY[name], find)
    assert [word for word, _ in filled] == [each.word for each in EVERY[name].statements]
    for _, text in filled:
        assert text.endswith(".")
        assert not {"{", "}", "nan"} & {*text, *text.split()}


def test_only_studies_beyond_the_paper_wait_and_they_say_nothing():
    assert not WAITING & set(EXPERIMENTS)
    for name in WAITING:
        assert fill(EVERY[name], find) == []


@every_finding
def test_texts_compare_nothing_that_is_not_checked(name):
    unchecked = set()
    for each in EVERY[name].statements:
        assert each.shown or each.checked  # without any it would stand on every page
        unchecked |= set(each.shown) - each.checked
    assert unchecked == NAMED.get(name, set())


def test_no_number_is_located_in_vain():
    located = {where for finding in EVERY.values() for where in finding.numbers.values()}
    used = {
        finding.numbers[name]
        for finding in EVERY.values()
        for text in finding.statements
        for name in {*text.shown, *text.checked}
    }
    assert used == located


def test_only_studies_beyond_the_paper_have_another_scale():
    scales = {name: finding.scale for name, finding in EVERY.items()}
    assert {name for name, scale in scales.items() if scale != "paper"} == {"ablation", "realdata"}
    for (experiment, _), result in PUBLISHED.items():
        assert result.scale == scales[experiment]


def result(ours, lo=None, hi=None, verdict=Verdict.REPRODUCED, scale="paper"):
    return Result("table1", "x", 7.5, ours, lo, hi, 50, "ms", scale, verdict, "", "about 7.5 ± 2")


NUMBERS = {
    "low": result(10.0, 8.0, 12.0),
    "high": result(21.0, 19.0, 23.0),
    "wide": result(15.0, 5.0, 25.0),
    "exact": result(11.0),
    "zero": result(0.5, -1.0, 2.0),
}


@pytest.mark.parametrize(
    ("check", "expected"),
    [
        (Check("high", "ahead of", "low"), True),
        (Check("low", "ahead of", "high"), False),
        (Check("wide", "ahead of", "low"), False),
        (Check("high", "ahead of", "low", times=2.0), True),
        (Check("high", "ahead of", "low", times=2.2), False),
        (Check("wide", "above", "low"), True),
        (Check("exact", "above", "wide"), False),
        (Check("low", "level with", "wide"), True),
        (Check("low", "level with", "exact"), True),
        (Check("low", "level with", "high"), False),
        (Check("zero", "near zero"), True),
        (Check("low", "near zero"), False),
        (Check("low", "is", "reproduced"), True),
        (Check("low", "is", "short"), False),
    ],
)
def test_checks(check, expected):
    assert holds(check, NUMBERS) is expected


WHERE = {"a": ("table1", RowKey(method="a"))}


def fill_with(found, text="{a}", *checks):
    filled = fill(Finding(WHERE, (say("Agrees", text, *checks),)), lambda experiment, key: found)
    return filled[0][1] if filled else None


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("{a}", "25200"),
        ("{a:range}", "25200 (24500 to 25800)"),
        ("{a:paper}", "7.5"),
        ("{a:.1f}", "25207.4"),
        ("{a} ms", "25200\u00a0ms"),
    ],
)
def test_numbers_in_texts(text, shown):
    assert fill_with(result(25207.4, 24533.0, 25847.0), text) == shown


def test_shares_and_small_numbers():
    assert fill_with(result(0.94), "{a:share}") == "94\u00a0%"
    assert fill_with(result(96.027)) == "96.0"
    assert fill_with(result(0.0)) == "0"
    assert fill_with(result(0.531)) == "0.531"


def test_nothing_is_said_without_support():
    assert fill_with(None) is None
    assert fill_with(result(None, 1.0)) is None
    assert fill_with(result(1.0, scale="smoke")) is None
    assert fill_with(result(1.0, scale="laptop")) is None
    assert fill_with(result(1.0), "{a}", Check("a", "is", "short")) is None
    assert fill_with(result(1.0), "{a}", Check("a", "is", "reproduced")) == "1.00"
    assert fill_with(result(None, 19.0), "{a:paper}", Check("a", "is", "reproduced")) == "7.5"


def test_a_text_stands_on_its_own_numbers():
    numbers = {name: ("table1", RowKey(method=name)) for name in ("a", "b")}
    texts = (say("Agrees", "{a}"), say("Differs", "{b}", Check("b", "is", "short")))
    found = {"a": result(1.0), "b": result(2.0)}
    filled = fill(Finding(numbers, texts), lambda _, key: found[key.method])
    assert filled == [("Agrees", "1.00")]
    found = {"a": None, "b": result(2.0, verdict=Verdict.SHORT)}
    filled = fill(Finding(numbers, texts), lambda _, key: found[key.method])
    assert filled == [("Differs", "2.00")]
