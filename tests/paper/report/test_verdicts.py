"""Verdicts: our numbers beside the paper's."""

import json

import pytest
from tests.support.report_pages import published_sections
from tests.support.report_rows import ROWS, compare_example

from linspike.paper.common.methods import LINEAR_PROGRAM
from linspike.paper.report.numbers import rows_of
from linspike.paper.report.printed import Aim, Printed, Relation
from linspike.paper.report.verdicts import Verdict, compare, count_verdicts, judge
from linspike.study.experiment import Summary
from linspike.study.rows import Row, RowKey, Status

X = RowKey(method="x")


def item(aim=Aim.HIGHER, relation=Relation.IS, **more):
    return Printed("table1", X, 100.0, relation=relation, aim=aim, **more)


@pytest.mark.parametrize(
    ("printed", "lo", "hi", "expected"),
    [
        (item(), 101.0, 120.0, "better"),
        (item(), 100.0, 120.0, "reproduced"),  # touching is holding
        (item(), 80.0, 100.0, "reproduced"),
        (item(), 80.0, 99.9, "short"),
        (item(), None, None, "better"),  # exact
        (item(), 101.0, None, "better"),  # open above
        (item(), None, 120.0, "reproduced"),  # open below
        (item(Aim.LOWER), 101.0, 120.0, "short"),
        (item(Aim.LOWER), 80.0, 99.0, "better"),
        (item(Aim.LOWER), 100.0, 120.0, "reproduced"),
        (item(relation=Relation.AT_LEAST), 101.0, 120.0, "reproduced"),  # an end cannot be beaten
        (item(relation=Relation.AT_LEAST), 100.0, 120.0, "reproduced"),
        (item(relation=Relation.ABOVE), 100.0, 120.0, "undecided"),
        (item(relation=Relation.AT_LEAST), 80.0, 120.0, "undecided"),
        (item(relation=Relation.AT_LEAST), 80.0, 99.0, "short"),
        (item(Aim.LOWER, Relation.BELOW), 80.0, 99.0, "reproduced"),
        (item(Aim.LOWER, Relation.BELOW), 80.0, 100.0, "undecided"),
        (item(Aim.LOWER, Relation.AT_MOST), 80.0, 100.0, "reproduced"),
        (item(Aim.LOWER, Relation.BELOW), 101.0, 110.0, "short"),
        (item(Aim.EQUAL, Relation.AT_MOST), 101.0, 110.0, "differs"),  # of a rule said to be weak
        (item(Aim.EQUAL, Relation.AT_MOST), 80.0, 100.0, "reproduced"),
        (item(Aim.EQUAL, Relation.AT_MOST), 80.0, 101.0, "undecided"),
        (item(Aim.EQUAL, Relation.ABOVE), 80.0, 99.0, "differs"),
        (item(Aim.EQUAL, Relation.ABOVE), 101.0, 110.0, "reproduced"),
        (item(Aim.EQUAL), 101.0, 120.0, "differs"),
        (item(Aim.EQUAL), 90.0, 100.0, "reproduced"),
        (item(Aim.EQUAL, rounding=5.0), 105.0, 120.0, "reproduced"),
        (item(Aim.EQUAL, rounding=5.0), 105.1, 120.0, "differs"),
        (item(Aim.EQUAL, upto=200.0), 150.0, 160.0, "reproduced"),
        (item(Aim.EQUAL, upto=200.0), 201.0, 210.0, "differs"),
        (item(Aim.EQUAL, upto=200.0), 80.0, 99.0, "differs"),
    ],
)
def test_verdicts(printed, lo, hi, expected):
    row = Row(X, 110.0, lo, hi, 50)
    assert judge(printed, row, "laptop") == judge(printed, row, "paper") == expected
    assert judge(printed, row, "smoke") == "not comparable at this scale"


def test_verdicts_without_numbers():
    row = Row(X, 110.0, 100.0, 120.0)
    assert judge(None, row, "smoke") == "no number in the paper"
    assert judge(item(), None, "paper") == judge(None, None, "smoke") == "not run"
    for value in (None, float("nan")):
        assert judge(item(), row._replace(value=value), "paper") == "no result"


def test_a_row_whose_data_are_missing_is_skipped():
    row = Row(X, None, note="skipped", status=Status.SKIPPED)
    assert judge(item(), row, "paper") is judge(None, row, "smoke") is Verdict.SKIPPED
    # The status counts, not a word of the note.
    assert judge(None, row._replace(status=Status.NO_RESULT), "paper") is Verdict.NO_RESULT


def test_a_quoted_number_needs_no_run():
    assert judge(item(quoted=True), None, "paper") is Verdict.QUOTED


def test_a_statistic_is_only_shown():
    assert judge(item(Aim.BESIDE), Row(X, 1.0, 0.0, 2.0), "paper") is Verdict.SHOWN


def test_verdicts_are_their_words_and_carry_their_meaning():
    assert json.dumps(Verdict.NOT_RUN) == '"not run"'
    assert f"{Verdict.BETTER}" == "better"
    assert "better side" in Verdict.BETTER.meaning
    assert len({verdict.symbol for verdict in Verdict}) == len(Verdict)
    assert all(verdict.meaning and verdict.symbol for verdict in Verdict)


def test_rows_join_the_papers():
    found = compare_example()
    assert [result.row for result in found] == [
        *(row.key.label for row in ROWS),
        "DTA (paper's linear program)",
    ]
    assert [result.verdict for result in found] == [
        "reproduced",
        "better",
        "no result",
        "no number in the paper",
        "not run",
    ]
    assert [result.paper for result in found] == [165.0, 355.0, 110.0, None, 355.0]
    assert found[0].note == "eta 0.01"
    assert found[1].note == f"Beside the paper's number for {LINEAR_PROGRAM}."
    assert found[1].where == "Table 2"
    assert found[4].unit == "patterns"  # the paper's, as ours has none
    assert found[2] == found[2]._replace(ours=None, lo=None, hi=None, n=50)
    assert count_verdicts(found)[Verdict.BETTER] == 1
    assert sum(count_verdicts(found).values()) == len(found)


def test_notes_of_the_row_and_of_the_paper():
    row = Row(RowKey("long", "PSD"), 6900.0, 6000.0, 7800.0, 50, "ms", "eta 0.01")
    note = compare("table1", "paper", Summary((row,)))[0].note
    assert note.startswith("eta 0.01. The method is printed as PSP")


def test_nothing_run():
    found = compare("table3", "laptop", None)
    assert len(found) == len(rows_of("table3")) > 6
    assert {result.verdict for result in found} == {"not run", "quoted"}
    assert sum(result.verdict is Verdict.QUOTED for result in found) == 3
    assert compare("fig1", "laptop", None) == []


def test_published_verdicts_are_those_of_the_rules():
    found = 0
    for section in published_sections():
        for key, result in section.by_key.items():
            if result.claim and result.n:
                row = Row(key, result.ours, result.lo, result.hi, result.n, result.unit)
                (again,) = [
                    each
                    for each in compare(section.id, result.scale, Summary((row,)))
                    if each.row == result.row
                ]
                if again.claim:  # rows whose key no list names have none
                    assert (again.verdict, again.claim) == (result.verdict, result.claim), key
                    found += 1
    assert found > 70
