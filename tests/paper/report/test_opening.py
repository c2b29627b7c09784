"""The first screen: three sentences and the forest plots."""

from tests.support.report_pages import published_sections

from linspike.paper.report.findings.opening import plot_capacities, write_opening
from linspike.paper.report.sections import Section
from linspike.paper.report.verdicts import compare, list_keys
from linspike.study.experiment import Summary
from linspike.study.rows import Row, RowKey

PSD = RowKey("short", "PSD")
ROWS = (
    Row(PSD, 5000.0, 4400.0, 5600.0, 50, "ms"),
    Row(PSD.but(variant="tuned"), 9000.0, 8000.0, 10000.0, 50, "ms"),
    Row(RowKey("short", "HTP"), None, 22000.0, None, 50, "ms"),
    Row(RowKey("short", "exact limit"), 30000.0, 29000.0, 31000.0, 50, "ms"),
)


def sections(scale="paper", rows=ROWS):
    summary = Summary(rows)
    results, keys = compare("table1", scale, summary), list_keys("table1", summary)
    return [Section("table1", "Times", "Table 1", "", results, keys, trials=100)]


def test_a_rule_stands_at_its_best_beside_its_common_setting():
    (panel,) = plot_capacities(sections())
    htp, psd = panel.forest.rows
    assert psd == ("PSD", 9000.0, 8000.0, 10000.0, 5000.0, 5400.0, "PSD")
    assert htp == ("HTP", None, 22000.0, None, None, None, "HTP")
    assert panel.forest.limit == 30000.0
    assert (panel.title, panel.x_label) == ("Short patterns", "ms")


def test_without_a_row_for_it_there_is_no_limit():
    (panel,) = plot_capacities(sections(rows=ROWS[:3]))
    assert panel.forest.limit is None


def test_smoke_numbers_stand_beside_nothing():
    (panel,) = plot_capacities(sections("smoke"))
    assert {row.reference for row in panel.forest.rows} == {None}


def test_all_four_plots_of_the_published_numbers():
    panels = plot_capacities(published_sections())
    assert [panel.title for panel in panels] == [
        "Short patterns",
        "One long pattern",
        "One long pattern, strict",
        "Five classes",
    ]
    assert [len(panel.forest.rows) for panel in panels] == [9, 9, 9, 8]


def test_sentences_of_the_published_numbers():
    sentences = write_opening(published_sections())
    assert len(sentences) == 3
    assert "25700 and 26500\u00a0ms" in sentences[0]
    assert "17100\u00a0ms of short ones without 5\u00a0ms between" in sentences[0]
    assert "twice HTP's 12000" in sentences[1]
    assert "338 patterns (paper: 355)" in sentences[2]
    assert sentences[2].endswith(
        "MNIST: 96.7\u00a0%, and the printed 97.54\u00a0% if ties count as right (97.5)."
    )


def test_without_mnist_all_else_is_still_said():
    without = [section for section in published_sections() if section.id != "table4"]
    sentences = write_opening(without)
    assert len(sentences) == 3
    assert sentences[2].endswith("Iris is a tie.")


def test_sentences_that_smoke_numbers_support():
    skipped = Section("table4", "MNIST", "Table 4", "", skipped="no data")
    sentences = write_opening([*sections("smoke"), skipped])
    assert sentences[0] == "1 of 2 experiments ran from end to end, in 100 trials."
    assert sentences[1] == "Without their data were skipped: Table 4."
    assert len(sentences) == len(write_opening(sections("smoke"))) == 3
