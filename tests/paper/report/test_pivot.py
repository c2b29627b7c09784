"""Tables in the shape of their layout, and which rows they show."""

import pytest
from tests.support.report_pages import published_sections

from linspike.paper.report.layout import LAYOUTS
from linspike.paper.report.layout.shapes import LIMIT, MOST_ROWS, MOST_ROWS_OF_A_FIGURE
from linspike.paper.report.layout.tables import FOUND
from linspike.paper.report.pivot import arrange, join
from linspike.paper.report.sections import Section
from linspike.paper.report.verdicts import compare, list_keys
from linspike.study.experiment import Summary
from linspike.study.rows import Row, RowKey

SECTIONS = {section.id: section for section in published_sections()}


def section_of(name, *rows):
    summary = Summary(rows)
    return Section(name, "", "", "", compare(name, "paper", summary), list_keys(name, summary))


def test_keys_join_field_by_field():
    row, column = RowKey("long", "DTA", variant="gradient"), RowKey(variant="tuned", quantity="x")
    assert join(row, column).label == "long, DTA, gradient, tuned, x"
    assert join(RowKey("N 500"), RowKey("nu tau 0.1")) == RowKey("N 500, nu tau 0.1")


def test_the_papers_number_stands_before_ours():
    row = RowKey("short", "PSD")
    tuned = Row(row.but(variant="tuned"), 9000.0, 8000.0, 10000.0, 50, "ms")
    table = arrange(section_of("table1", Row(row, 5000.0, 4400.0, 5600.0, 50, "ms"), tuned))
    head = table.heads[0]
    assert (head.title, head.columns) == ("short patterns (ms)", ("paper", "here", "tuned"))
    cells = dict(table.rows)["PSD"]
    assert cells[0].claim == "5400"
    assert [cell.result.ours for cell in cells[1:3]] == [5000.0, 9000.0]
    assert cells[1].heading == "short patterns, here"
    assert cells[1].unit == ""  # the heading has it
    assert table.verdicts[:2] == ["better", "reproduced"]


def test_numbers_of_a_group_have_as_many_decimals():
    table = arrange(SECTIONS["table4"])
    assert {cell.decimals for _, cells in table.rows for cell in cells if cell.result} == {2}


def test_a_column_without_results_is_left_out():
    table = arrange(section_of("table4", Row(RowKey(method="CNN", quantity="test"), 98.0)))
    assert {column for head in table.heads for column in head.columns} == {"paper", "here"}


def test_rows_with_a_number_in_the_paper_come_first():
    rows = [Row(RowKey(method=f"other {i}"), float(i), unit="ms") for i in range(20)]
    table = arrange(section_of("claims", *rows))
    names = [name for name, _ in table.rows]
    assert len(names) == MOST_ROWS
    assert names[0] == "other 0"
    assert "PSD at half of DTA's capacity, eta 0.01" in names
    assert table.rows[0][1][1].unit == "ms"


def test_a_layout_that_does_not_fit_gives_way():
    table = arrange(section_of("fig7", Row(RowKey("N 60, tau_m 10, nu tau 0.1"), 5.0)))
    assert [name for name, _ in table.rows] == ["N 60, tau_m 10, nu tau 0.1"]


def test_no_numbers_no_table():
    assert arrange(Section("fig1", "", "", "")) is None
    assert arrange(section_of("table2")) is None


@pytest.mark.parametrize("name", SECTIONS)
def test_tables_of_the_page_are_short(name):
    table = arrange(SECTIONS[name])
    assert 0 < len(table.rows) <= (MOST_ROWS_OF_A_FIGURE if "fig" in name else MOST_ROWS)
    assert all(len(cells) == table.n_columns for _, cells in table.rows)


@pytest.mark.parametrize("name", [name for name in LAYOUTS if name in SECTIONS])
def test_layouts_name_rows_that_are_published(name):
    labels = {result.row for result in SECTIONS[name].results}
    for row in LAYOUTS[name].rows:
        columns = [column for group in LAYOUTS[name].groups for column in group.columns]
        found = [column for column in columns if join(row, column.fields).label in labels]
        assert found or row in (*LIMIT, *FOUND), row
