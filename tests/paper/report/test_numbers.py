"""The paper's numbers, and how rows find theirs."""

import pytest

from linspike.cli.experiments import REGISTRY
from linspike.paper.common.methods import LINEAR_PROGRAM, PROJECTION
from linspike.paper.report.numbers import PRINTED, number_for, rows_of
from linspike.paper.report.printed import Aim, Relation
from linspike.study.rows import RowKey

# The paper's tables, typed from its pages a second time.
TABLES = {
    "Table 1": "17200 9000 18100 6000 7500 5400 13000 15000 17300 6200 10900 7000 4800",
    "Table 2": "110 165 355",
    "Table 3": "96.8 96.1 89.6 84.8 89.4 86.3",
    "Table 4": "97.57 97.54 94.15 92.27 89.98 86.91",
}
SPREADS = {"Table 3": "2.03 2.61 6.91 6.10 2.62 4.98", "Table 4": "0.82 0.44 0.26 0.26 4.61 4.26"}


@pytest.mark.parametrize("where", TABLES)
def test_every_number_of_the_tables_is_there_once(where):
    found = [item for item in PRINTED.values() if item.where == where]
    assert sorted(item.value for item in found) == sorted(map(float, TABLES[where].split()))
    spreads = [item.spread for item in found if item.spread is not None]
    assert sorted(spreads) == sorted(map(float, SPREADS.get(where, "").split()))


def test_every_row_has_one_number_and_all_fields_make_sense():
    rows = [(item.experiment, row) for item in PRINTED.values() for row in (item.row, *item.beside)]
    assert len(set(rows)) == len(rows) == sum(len(rows_of(name)) for name in REGISTRY.ids)
    for (experiment, row), item in PRINTED.items():
        assert (experiment, row) == (item.experiment, item.row)
        assert item.where
        assert item.upto is None or (item.upto > item.value and item.aim is Aim.EQUAL)
        downwards = item.relation in (Relation.AT_MOST, Relation.BELOW)
        wrong = Aim.HIGHER if downwards else Aim.LOWER  # the worse side is claimed
        assert not item.relation.is_end or item.aim not in (wrong, Aim.BESIDE)


def quantity(text, **more):
    return RowKey(quantity=text, **more)


@pytest.mark.parametrize(
    ("experiment", "row", "value"),
    [
        ("figA1", quantity("a (sd)"), 0.08),
        ("figA1", quantity("b (sd)"), 0.0001),
        ("fig3", quantity("slow/fast"), 5.0),
        ("table3", quantity("Friedman Q", method=LINEAR_PROGRAM), 16.8),
        ("table4", quantity("Friedman F", method=LINEAR_PROGRAM), 47.25),
        ("fig10", quantity("epochs to 1 % of the last", method="MST"), 18.0),
        # Variants of a row, and the projection beside the linear program.
        ("table1", RowKey("short", PROJECTION), 18100.0),
        ("table1", RowKey("short", PROJECTION, variant="no gap"), 18100.0),
        ("table1", RowKey("long", "PSD", variant="tuned"), 7000.0),
        ("table2", RowKey(method="MST", variant="eta 0.001"), 110.0),
        ("table3", quantity("Friedman Q", method=PROJECTION), 16.8),
        ("table4", quantity("test", method=PROJECTION, variant="tuned"), 97.54),
        ("fig10", quantity("epochs to 90 %", method=PROJECTION), 1.0),
        ("figA1", quantity("a (variance)"), 0.08),
        ("claims", RowKey("FILT at half of DTA's capacity", variant="eta 0.01"), 0.5),
        ("claims", RowKey("epochs at P = 110", "MST over DTA", variant="eta 0.001"), 10.0),
    ],
)
def test_a_row_finds_its_number(experiment, row, value):
    assert number_for(experiment, row).value == value


@pytest.mark.parametrize(
    ("experiment", "row"),
    [
        ("table1", RowKey("short", "HTP")),
        ("table1", RowKey("short", "HTP", variant="tuned")),
        ("table1", RowKey("short")),
        ("table1", RowKey()),
        # Another criterion than the paper's, or another protocol.
        ("table1", RowKey("long", "PSD", "strict", "tuned")),
        ("table1", RowKey("short", PROJECTION, "strict")),
        ("table3", quantity("test", method="MST", variant="tuned")),
        ("table4", quantity("Friedman F", method=LINEAR_PROGRAM, variant="tuned")),
        ("table4", quantity("test", method=PROJECTION, variant="tuned, stopped early")),
        ("fig6", quantity("exponent", method=PROJECTION, variant="absolute bounds")),
        ("claims", RowKey("FILT at half of DTA's capacity", variant="eta 0.003")),
        ("table2", RowKey("short", "PSD")),  # of another experiment
    ],
)
def test_a_row_without_a_number(experiment, row):
    assert number_for(experiment, row) is None


def test_rows_that_an_experiment_should_have():
    assert rows_of("fig1") == []
    assert rows_of("table2") == [
        RowKey(method=method) for method in ("MST", "EMLC", LINEAR_PROGRAM, PROJECTION)
    ]


@pytest.mark.parametrize(
    ("experiment", "row", "text"),
    [
        ("fig3", quantity("slow/fast"), "5 to 10"),
        ("table3", quantity("test", method=LINEAR_PROGRAM), "96.1 ± 2.61"),
        ("claims", RowKey("PSD at half of DTA's capacity", variant="eta 0.01"), "at most 0.5"),
        ("claims", RowKey("epochs of FP and HTP"), "50000000"),
        ("fig10", quantity("epochs to 90 %", method="MST"), "> 20"),
        ("figA1", quantity("b (sd)"), "about 0.0001"),
    ],
)
def test_numbers_as_the_paper_states_them(experiment, row, text):
    assert PRINTED[experiment, row].text == text


def test_claims_of_weak_other_rules_have_no_better_side():
    rows = [
        ("claims", RowKey("EMLC at half of DTA's capacity", variant="eta 0.01")),
        ("fig10", quantity("epochs to 90 %", method="MST")),
        ("table1", quantity("lower capacity of other rules")),
        ("fig5", quantity("stdp minus psp")),
    ]
    assert {PRINTED[row].aim for row in rows} == {Aim.EQUAL}


def test_quoted_numbers_say_so():
    quoted = [item for item in PRINTED.values() if item.quoted]
    assert len(quoted) == 8
    assert {item.note for item in quoted} == {"Quoted by the paper from other work."}


def test_relations_are_the_words_they_stand_for():
    assert [str(relation) for relation in Relation] == [
        "is",
        "about",
        "at least",
        "at most",
        "above",
        "below",
    ]
