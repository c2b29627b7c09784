"""The paper's numbers, verdicts, tables and the page."""

import csv
import io
import shlex
import sys
from html.parser import HTMLParser

import pytest

import linspike as ls
from linspike.paper.report import figures as draw
from linspike.paper.report import html as page
from linspike.paper.report import numbers as paper
from linspike.paper.report import tables, verdicts
from linspike.paper.report.collect import published
from linspike.paper.report.numbers import Printed
from linspike.paper.report.verdicts import Result, results, verdict
from linspike.study.experiment import Line, Panel, Row, Summary
from linspike.study.registry import experiment
from linspike.study.selection import only_rows

# The paper's tables, typed from its pages a second time.
TABLES = {
    "Table 1": "17200 9000 18100 6000 7500 5400 13000 15000 17300 6200 10900 7000 4800",
    "Table 2": "110 165 355",
    "Table 3": "96.8 96.1 89.6 84.8 89.4 86.3",
    "Table 4": "97.57 97.54 94.15 92.27 89.98 86.91",
}
SPREADS = {"Table 3": "2.03 2.61 6.91 6.10 2.62 4.98", "Table 4": "0.82 0.44 0.26 0.26 4.61 4.26"}


@pytest.mark.parametrize("where", TABLES)
def test_every_number_of_the_tables_once(where):
    found = [item for item in paper.PRINTED if item.where == where]
    assert sorted(item.value for item in found) == sorted(map(float, TABLES[where].split()))
    spreads = [item.spread for item in found if item.spread is not None]
    assert sorted(spreads) == sorted(map(float, SPREADS.get(where, "").split()))


def test_no_row_twice_and_all_fields_make_sense():
    keys = [(item.experiment, item.row) for item in (*paper.PRINTED, *paper.COMPARED)]
    assert len(set(keys)) == len(keys)
    for item in paper.PRINTED:
        assert item.relation in paper.RELATIONS
        assert item.aim in (paper.HIGHER, paper.LOWER, paper.EQUAL, paper.BESIDE)
        assert item.where
        assert item.upto is None or (item.upto > item.value and item.aim == paper.EQUAL)
    for item in paper.COMPARED:
        assert item.compared_with in keys


@pytest.mark.parametrize(
    ("experiment", "row", "value"),
    [
        ("figA1", "a (sd)", 0.08),
        ("figA1", "b (sd)", 0.0001),
        ("fig3", "slow/fast", 5.0),
        ("table3", "Friedman Q", 16.8),
        ("table4", "Friedman F", 47.25),
        ("fig10", "epochs to 1 % of the last, MST", 18.0),
        ("table1", "short, DTA (ours)", 18100.0),
        ("table1", "short, DTA (ours), no gap", 18100.0),  # a variant of a row of ours
        ("table1", "long, PSD, best", 7000.0),
        ("table2", "MST, eta 0.001", 110.0),
        ("figA1", "a (variance)", 0.08),
        ("claims", "FILT at half of DTA's capacity, eta 0.01", 0.5),
    ],
)
def test_a_row_finds_its_number(experiment, row, value):
    assert paper.number_for(experiment, row).value == value


def test_rows_without_a_number():
    strict = ("long, PSD, strict, best", "short, DTA (ours), strict")
    for row in ("short, HTP", "short, HTP, best", "short", "", *strict):
        assert paper.number_for("table1", row) is None
    assert paper.rows_of("fig1") == []


def test_numbers_as_the_paper_states_them():
    said = {(item.experiment, item.row): paper.as_printed(item) for item in paper.PRINTED}
    assert said["fig3", "slow/fast"] == "5 to 10"
    assert said["table3", "DTA (paper's LP), test"] == "96.1 ± 2.61"
    assert said["claims", "PSD at half of DTA's capacity, eta 0.01"] == "at most 0.5"
    assert said["claims", "epochs of FP and HTP"] == "50000000"
    assert said["fig10", "epochs to 90 %, MST"] == "> 20"
    assert said["figA1", "b (sd)"] == "about 0.0001"


def item(aim=paper.HIGHER, relation="is", **more):
    return Printed("table1", "x", 100.0, relation=relation, aim=aim, **more)


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
        (item(paper.LOWER), 101.0, 120.0, "short"),
        (item(paper.LOWER), 80.0, 99.0, "better"),
        (item(paper.LOWER), 100.0, 120.0, "reproduced"),
        (item(relation="at least"), 101.0, 120.0, "reproduced"),  # an end cannot be beaten
        (item(relation="at least"), 100.0, 120.0, "reproduced"),
        (item(relation="above"), 100.0, 120.0, "undecided"),
        (item(relation="at least"), 80.0, 120.0, "undecided"),
        (item(relation="at least"), 80.0, 99.0, "short"),
        (item(paper.LOWER, "below"), 80.0, 99.0, "reproduced"),
        (item(paper.LOWER, "below"), 80.0, 100.0, "undecided"),
        (item(paper.LOWER, "at most"), 80.0, 100.0, "reproduced"),
        (item(paper.LOWER, "below"), 101.0, 110.0, "short"),
        (item(paper.EQUAL), 101.0, 120.0, "differs"),
        (item(paper.EQUAL), 90.0, 100.0, "reproduced"),
        (item(paper.EQUAL, rounding=5.0), 105.0, 120.0, "reproduced"),
        (item(paper.EQUAL, rounding=5.0), 105.1, 120.0, "differs"),
        (item(paper.EQUAL, upto=200.0), 150.0, 160.0, "reproduced"),
        (item(paper.EQUAL, upto=200.0), 201.0, 210.0, "differs"),
        (item(paper.EQUAL, upto=200.0), 80.0, 99.0, "differs"),
    ],
)
def test_verdicts(printed, lo, hi, expected):
    row = Row("x", 110.0, lo, hi, 50)
    assert verdict(printed, row, "laptop") == verdict(printed, row, "paper") == expected
    assert verdict(printed, row, "smoke") == "not comparable at this scale"


def test_verdicts_without_numbers():
    row = Row("x", 110.0, 100.0, 120.0)
    assert verdict(None, row, "smoke") == "no number in the paper"
    assert verdict(item(), None, "paper") == verdict(None, None, "smoke") == "not run"
    for value in (None, float("nan")):
        assert verdict(item(), row._replace(value=value), "paper") == "no result"


ROWS = (
    Row("EMLC", 170.04, 160.0, 180.0, 50, "patterns", "eta 0.01"),
    Row("DTA (ours)", 412.0, 400.0, 424.0, 50, "patterns"),
    Row("MST", None, n=50, note="learned at no load"),
    Row('EML 5 % a_b, "odd" | <i>', 120.0, 110.0, None, 50),
)


def table2(scale="paper"):
    return results("table2", scale, Summary(ROWS))


def test_rows_join_the_papers():
    found = table2()
    assert [result.row for result in found] == [*(row.name for row in ROWS), "DTA (paper's LP)"]
    assert [result.verdict for result in found] == [
        "reproduced",
        "better",
        "no result",
        "no number in the paper",
        "not run",
    ]
    assert [result.paper for result in found] == [165.0, 355.0, 110.0, None, 355.0]
    assert found[0].note == "eta 0.01"
    assert found[1].note == "Beside the paper's number for DTA (paper's LP)."
    assert found[1].where == "Table 2"
    assert found[4].unit == "patterns"  # the paper's, as ours has none
    assert found[2] == found[2]._replace(ours=None, lo=None, hi=None, n=50)
    assert verdicts.counts(found)["better"] == 1
    assert sum(verdicts.counts(found).values()) == len(found)


def test_notes_of_the_row_and_of_the_paper():
    row = Row("long, PSD", 6900.0, 6000.0, 7800.0, 50, "ms", "eta 0.01")
    note = results("table1", "paper", Summary((row,)))[0].note
    assert note.startswith("eta 0.01. The method is printed as PSP")


def test_nothing_run():
    found = results("table3", "laptop", None)
    assert len(found) == len(paper.rows_of("table3")) > 6
    assert {result.verdict for result in found} == {"not run", "quoted"}
    assert sum(result.verdict == "quoted" for result in found) == 3
    assert results("fig1", "laptop", None) == []


def test_text_is_aligned():
    lines = tables.as_text(table2()).splitlines()
    assert len(lines) == 2 + 5
    at = lines[0].index("verdict")
    assert [line[at:] for line in lines[2:]] == [result.verdict for result in table2()]
    assert "170.04" not in lines[2]  # no more digits than the interval has
    assert "160 … 180" in lines[2]
    assert "110 … ∞" in lines[5]
    several = tables.as_text([*table2(), *results("fig3", "paper", None)])
    assert several.startswith("id ")


def test_digits_follow_the_interval():
    def shown(value, lo, hi):
        result = table2()[0]._replace(ours=value, lo=lo, hi=hi)
        return tables.ours(result), tables.interval(result)

    assert shown(0.08123456, 0.0790, 0.0830) == ("0.0812", "0.0790 … 0.0830")
    assert shown(17244.44, 17244.44, 17244.44) == ("17244", "")
    assert shown(96.8123, 96.2, 97.4) == ("96.81", "96.20 … 97.40")
    assert shown(0.000123456, None, None) == ("0.0001235", "")
    assert shown(None, None, None) == ("-", "")


def test_markdown():
    text = tables.as_markdown(table2(), "Counts")
    lines = text.splitlines()
    assert lines[0] == "**Counts**"
    table = [line for line in lines if line.startswith("|")]
    assert len(table) == 2 + 5
    assert {line.replace("\\|", "").count("|") for line in table} == {8}
    assert "&lt;i>" in text
    assert "- MST: learned at no load" in text


def test_latex():
    text = tables.as_latex(table2(), "50 % of trials_failed", "tab:x")
    assert r"\caption{50 \% of trials\_failed}\label{tab:x}" in text
    assert r"EML 5 \% a\_b, " in text
    for line in text.splitlines():
        assert "%" not in line.replace(r"\%", "")
        if line.endswith(r"\\"):
            assert line.replace(r"\&", "").count("&") == 6
    assert text.index(r"\toprule") < text.index(r"\midrule") < text.index(r"\bottomrule")
    pm = tables.as_latex(results("table3", "paper", None))
    assert r"96.1 $\pm$ 2.61" in pm
    long = tables.as_latex(table2() * 10, "Long")
    assert long.startswith(r"\begin{longtable}")
    assert r"\begin{table}" not in long


def test_csv_keeps_everything():
    read = list(csv.DictReader(io.StringIO(tables.as_csv(table2()))))
    assert [row["row"] for row in read] == [result.row for result in table2()]
    assert read[0]["ours"] == "170.04"
    assert read[2]["ours"] == ""
    assert tuple(read[0]) == (*Result._fields, "command")


@pytest.mark.parametrize(
    ("name", "row", "command"),
    [
        ("table1", "short, FILT", "table1 --scale paper --rows 'short, FILT'"),
        ("table1", "long, FILT, best", "table1 --scale paper --rows 'long, FILT, best'"),
        ("table2", "MST, best", "table2 --scale paper --rows 'MST, best'"),
        ("table2", "DTA (paper's LP)", "table2 --scale paper --rows 'DTA (paper'\"'\"'s LP)'"),
        ("table3", "MST, test", "table3 --scale paper --rows MST"),
        ("table3", "best: MST, test", "table3 --scale paper --rows 'best: MST'"),
        ("table1", "bound", "table1 --scale paper"),
        ("fig1", "peak", "fig1 --scale paper"),
    ],
)
def test_every_row_has_a_command(name, row, command):
    result = table2()[0]._replace(id=name, row=row, scale="paper")
    assert tables.command_of(result) == f"linspike reproduce {command}"


def test_commands_of_published_rows_name_cells():
    """What is printed beside a published number runs something."""
    for row in published()["rows"]:
        words = shlex.split(tables.command_of(Result(**row)))
        if "--rows" in words:
            part = only_rows(experiment(row["id"]), [words[-1]])
            assert part.cells(row["scale"], []), words


PANEL = Panel("Steps", "x", "y", (Line("a", [1, 2], [1, 2], style="steps"),))
SECTIONS = [
    page.Section("fig1", "Kernels", "Figure 1", "linspike reproduce fig1", (), [PANEL]),
    page.Section(
        "table2",
        "Capacity <for> counts",
        "Table 2",
        "linspike reproduce table2 --scale paper",
        table2(),
        [PANEL],
        ["At 5 % & below."],
        trials=550,
        seconds=7300.0,
    ),
    page.Section(
        "table3", "Iris", "Table 3", "linspike reproduce table3", (), skipped="no scikit-learn"
    ),
]
PROVENANCE = {
    "scale": "paper",
    "command": "linspike reproduce all --scale paper",
    "cpu": "znver3",
    "versions": {"numpy": "2.3.5", "python": "3.11"},
    "commit": "",
}


class Walker(HTMLParser):
    """Collects tags, and fails on those that are not closed in order."""

    VOID = ("meta", "img", "br", "link", "hr", "input", "base", "source")

    def __init__(self):
        super().__init__()
        self.open, self.tags, self.text = [], [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, f"</{tag}> at {self.getpos()}"

    def handle_data(self, data):
        self.text.append(data)


def test_the_page(tmp_path):
    out = page.write_report(tmp_path / "new" / "report.html", SECTIONS, PROVENANCE)
    source = out.read_text("utf-8")
    assert source.startswith("<!DOCTYPE html>")
    walker = Walker()
    walker.feed(source)
    assert walker.open == []
    tags = [tag for tag, _ in walker.tags]
    assert not {"script", "link", "iframe", "base"} & set(tags)
    for tag, attributes in walker.tags:
        assert attributes.get("src", "data:").startswith("data:")
        assert tag == "a" or "href" not in attributes
    style = source[source.index("<style>") : source.index("</style>")]
    assert "url(" not in style
    assert "@import" not in style
    ids = [attributes["id"] for tag, attributes in walker.tags if tag == "section"]
    assert ids == ["fig1", "table2", "table3"]
    assert tags.count("img") == 2
    text = "".join(walker.text)
    for section in SECTIONS:
        assert section.command in text
        assert section.title in text
    assert "4 rows have a number in the paper; 2 of them are measured here" in text
    for part in ("znver3", "numpy 2.3.5, python 3.11", "no scikit-learn", "550 trials", "2.0 h"):
        assert part in text
    assert 'EML 5 % a_b, "odd" | <i>' in text  # escaped in the source
    assert "commit" not in text  # nothing known, nothing shown
    assert "which feasible answer of the program" in text
    assert not list(out.parent.glob("*.part"))


def test_every_verdict_has_a_mark_on_the_page():
    assert set(page.SYMBOLS) >= set(verdicts.MEANING)


def test_files_beside_the_page(tmp_path):
    page.write_report(tmp_path / "report.html", SECTIONS, PROVENANCE, folder="files")
    names = {path.name for path in (tmp_path / "files").iterdir()}
    pictures = {f"{name}.{kind}" for name in ("fig1", "table2") for kind in draw.FORMATS}
    texts = {f"{name}.{kind}" for name in ("table2", "all") for kind in ("md", "tex", "csv")}
    assert names == pictures | texts


def test_no_sections_at_all(tmp_path):
    walker = Walker()
    walker.feed(page.write_report(tmp_path / "report.html", [], {}).read_text("utf-8"))
    assert walker.open == []


def test_unwritable_place_says_so(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ls.LinspikeError, match="cannot be written: .* Name another place"):
        page.write_report(tmp_path / "file" / "report.html", SECTIONS[2:], PROVENANCE)


@pytest.mark.parametrize("module", ["jinja2", "matplotlib.figure"])
def test_absent_packages_name_the_extra(module, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ls.MissingExtraError, match=r"pip install 'linspike\[report\]'"):
        page.write_report(tmp_path / "report.html", SECTIONS, PROVENANCE)


def test_places_on_the_strip():
    def strip(**changes):
        return page._strip(table2()[1]._replace(**changes))

    assert strip(ours=355.0, lo=355.0, hi=355.0) == {"at": 50.0, "lo": 50.0, "width": 0.0}
    assert strip(ours=1420.0, lo=710.0, hi=9e9) == pytest.approx(
        {"at": 100.0, "lo": 75.0, "width": 25.0}
    )
    assert strip(lo=-5.0)["lo"] == 0.0
    assert strip(ours=None) is strip(paper=None) is strip(paper=0.0) is None
    assert strip(verdict=verdicts.NOT_COMPARABLE) is None


def test_open_choices_belong_to_experiments():
    from linspike.study.registry import IDS

    for choice in page.OPEN:
        assert set(choice.experiments) <= set(IDS)
