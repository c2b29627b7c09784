"""Rows that the tests of verdicts, tables, figures and page share, and a check of rows."""

from linspike.paper.common.methods import PROJECTION
from linspike.paper.report.numbers import PRINTED
from linspike.paper.report.verdicts import compare, list_keys
from linspike.study.experiment import Summary
from linspike.study.rows import Row, RowKey, Status

ROWS = (
    Row(RowKey(method="EMLC"), 170.04, 160.0, 180.0, 50, "patterns", "eta 0.01"),
    Row(RowKey(method=PROJECTION), 412.0, 400.0, 424.0, 50, "patterns"),
    Row(RowKey(method="MST"), None, n=50, note="learned at no load", status=Status.NO_RESULT),
    Row(RowKey(method='EML 5 % a_b, "odd" | <i>'), 120.0, 110.0, None, 50),
)


def check_printed(experiment, rows):
    """Check that every number the paper prints for an experiment has a row, and one only."""
    keys = [row.key for row in rows]
    printed = [item for item in PRINTED.values() if item.experiment == experiment]
    assert {item.row for item in printed if not item.quoted} <= set(keys)
    assert len(set(keys)) == len(keys)


def compare_example(scale="paper"):
    """Return the rows beside those of table 2."""
    return compare("table2", scale, Summary(ROWS))


def example_keys():
    """Return the keys of `compare_example`."""
    return list_keys("table2", Summary(ROWS))
