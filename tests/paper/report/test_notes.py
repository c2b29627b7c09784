"""Readings: every row that is short or differs says what was tried, with numbers from results."""

import re

import pytest

from linspike.cli.experiments import REGISTRY
from linspike.paper.report.findings.notes import add_readings
from linspike.paper.report.findings.sentence import EXPLAINED, TRIED
from linspike.paper.report.findings.sentences import SENTENCES
from linspike.paper.report.published import published_results
from linspike.paper.report.sections import Section
from linspike.paper.report.verdicts import Result, Verdict
from linspike.study.rows import RowKey

PUBLISHED = {(result.id, result.row): result for result in published_results(REGISTRY.ids)}
OPEN = [
    result for result in PUBLISHED.values() if result.verdict in (Verdict.SHORT, Verdict.DIFFERS)
]
SAID = re.compile(rf"({EXPLAINED}|{TRIED}): \S.*\.$")


@pytest.mark.parametrize("result", OPEN, ids=lambda result: f"{result.id}: {result.row}")
def test_every_row_that_is_short_or_differs_says_what_was_tried(result):
    found = SAID.search(result.note)
    assert found is not None
    assert not {"{", "}"} & set(result.note)
    assert "nan" not in re.findall(r"\w+", result.note)


def test_no_other_row_has_such_a_sentence():
    others = [result for result in PUBLISHED.values() if result not in OPEN]
    assert [result.row for result in others if SAID.search(result.note)] == []


def numbers_of(sentence):
    """Return the published numbers that a sentence shows; None for those that have none."""
    shown = set(sentence.statements[0].shown)
    assert shown <= set(sentence.numbers)
    places = [sentence.numbers[name] for name in shown]
    return [PUBLISHED[experiment, key.label].ours for experiment, key in places]


@pytest.mark.parametrize(
    "row",
    list(dict.fromkeys((each.experiment, row) for each in SENTENCES for row in each.rows)),
    ids=lambda row: f"{row[0]}: {row[1].label}",
)
def test_a_sentence_on_every_row_has_its_numbers(row):
    experiment, key = row
    assert (experiment, key.label) in PUBLISHED
    found = [each for each in SENTENCES if each.experiment == experiment and key in each.rows]
    assert [each for each in found if None not in numbers_of(each)]


def section(experiment, *results):
    keys = [
        RowKey(**dict(zip(("method", "variant", "quantity"), key, strict=True)))
        for key, _ in results
    ]
    return Section(
        experiment, "", "", "", [result for _, result in results], keys, [""] * len(results)
    )


def result(row, ours, verdict, paper=None, lo=None, hi=None):
    return Result("table2", row, paper, ours, lo, hi, 50, "patterns", "paper", verdict, "eta 1.")


SEARCH = Section(
    "program",
    "",
    "",
    "",
    [result("counts, psp, bound 0.01, fallback 0.001 per row", 251.0, Verdict.NO_NUMBER)],
    [RowKey("counts", "psp", variant="bound 0.01, fallback 0.001 per row")],
    [""],
)


def test_a_reading_explains_only_where_it_gives_the_printed_number():
    program = "DTA (paper's linear program)"

    def note(lo, hi):
        short = result(program, 300.0, Verdict.SHORT, paper=355.0)
        per_row = result(f"{program}, fallback step per row", 350.0, Verdict.SHORT, 355.0, lo, hi)
        given = section(
            "table2",
            ((program, "", ""), short),
            ((program, "fallback step per row", ""), per_row),
        )
        found, _ = add_readings([given, SEARCH])
        return found.results[0].note

    assert note(340.0, 360.0).startswith(
        "eta 1. Explained: with a fallback step of 0.01 for each row"
    )
    assert "350 (340 to 360)" in note(340.0, 360.0)
    assert note(340.0, 354.0).startswith("eta 1. Tried: with a fallback step of 0.01 for each row")


def test_rows_that_have_the_printed_number_keep_their_notes():
    program = "DTA (paper's linear program)"
    better = result(program, 400.0, Verdict.BETTER, paper=355.0)
    per_row = result(
        f"{program}, fallback step per row", 355.0, Verdict.REPRODUCED, 355.0, 340, 360
    )
    given = section(
        "table2", ((program, "", ""), better), ((program, "fallback step per row", ""), per_row)
    )
    notes = [each.note for each in add_readings([given, SEARCH])[0].results]
    assert notes == ["eta 1.", "eta 1."]
