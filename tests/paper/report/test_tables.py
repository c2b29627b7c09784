"""Comparisons as text: terminal, Markdown, LaTeX and CSV."""

import csv
import io

from tests.support.report_rows import compare_example

from linspike.paper.report import tables
from linspike.paper.report.verdicts import Result, Verdict, compare

COMMANDS = [f"linspike reproduce table2 --rows {number}" for number in range(5)]


def test_text_is_aligned():
    lines = tables.as_text(compare_example()).splitlines()
    assert len(lines) == 2 + 5
    at = lines[0].index("verdict")
    assert [line[at:] for line in lines[2:]] == [result.verdict for result in compare_example()]
    assert "170.04" not in lines[2]  # no more digits than the interval has
    assert "160 … 180" in lines[2]
    assert "110 … ∞" in lines[5]
    assert [line.rstrip() for line in lines] == lines
    several = tables.as_text([*compare_example(), *compare("fig3", "paper", None)])
    assert several.startswith("id ")


def test_digits_follow_the_interval():
    def shown(value, lo, hi):
        result = compare_example()[0]._replace(ours=value, lo=lo, hi=hi)
        return tables.ours(result), tables.interval(result)

    assert shown(0.08123456, 0.0790, 0.0830) == ("0.0812", "0.0790 … 0.0830")
    assert shown(17244.44, 17244.44, 17244.44) == ("17244", "")
    assert shown(96.8123, 96.2, 97.4) == ("96.81", "96.20 … 97.40")
    assert shown(0.000123456, None, None) == ("0.000123", "")
    assert shown(None, None, None) == ("-", "")
    assert shown(7.0, 6.0, 7.0) == ("7", "6 … 7")  # counts are whole
    assert shown(2e-16, None, None) == ("0", "")  # rounding alone


def test_numbers_of_one_quantity_share_their_decimals():
    fine, coarse, count, exact = (
        compare_example()[0]._replace(ours=value, lo=lo, hi=hi)
        for value, lo, hi in (
            (98.429, 98.366, 98.492),
            (95.291, 94.881, 95.702),
            (7.0, 6.0, 8.0),
            (-1e-9, None, None),
        )
    )
    assert tables.share_decimals([fine]) == 3
    assert tables.share_decimals([fine, coarse, count, exact]) == 2
    assert tables.share_decimals([count, exact]) == 0
    assert tables.share_decimals([exact]) is None
    assert (tables.ours(fine, 2), tables.interval(fine, 2)) == ("98.43", "98.37 … 98.49")
    assert tables.ours(exact, 2) == "0.00"


def test_markdown():
    text = tables.as_markdown(compare_example(), "Counts")
    lines = text.splitlines()
    assert lines[0] == "**Counts**"
    table = [line for line in lines if line.startswith("|")]
    assert len(table) == 2 + 5
    assert {line.replace("\\|", "").count("|") for line in table} == {8}
    assert "&lt;i>" in text
    assert "- MST: learned at no load" in text


def test_latex():
    text = tables.as_latex(compare_example(), "50 % of trials_failed", "tab:x")
    assert r"\caption{50 \% of trials\_failed}\label{tab:x}" in text
    assert r"EML 5 \% a\_b, " in text
    for line in text.splitlines():
        assert "%" not in line.replace(r"\%", "")
        if line.endswith(r"\\"):
            assert line.replace(r"\&", "").count("&") == 6
    assert text.index(r"\toprule") < text.index(r"\midrule") < text.index(r"\bottomrule")
    pm = tables.as_latex(compare("table3", "paper", None))
    assert r"96.1 $\pm$ 2.61" in pm
    long = tables.as_latex(compare_example() * 10, "Long")
    assert long.startswith(r"\begin{longtable}")
    assert r"\begin{table}" not in long


def test_csv_keeps_everything():
    read = list(csv.DictReader(io.StringIO(tables.as_csv(compare_example(), COMMANDS))))
    assert [row["row"] for row in read] == [result.row for result in compare_example()]
    assert read[0]["ours"] == "170.04"
    assert read[2]["ours"] == ""
    assert tuple(read[0]) == (*Result._fields, "command")
    assert [row["command"] for row in read] == COMMANDS


def test_rows_without_data_are_named_below_the_text():
    result = compare_example()[0]._replace(verdict=Verdict.SKIPPED, note="there is no mnist")
    assert tables.as_text([result]).splitlines()[-1] == "table2, EMLC: there is no mnist"


def test_tables_without_rows():
    assert "verdict" in tables.as_text([])
    assert "verdict" in tables.as_markdown([])
    assert r"\end{tabular}" in tables.as_latex([])
