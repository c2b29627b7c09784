"""Numbers in Markdown come from results: no marker is stale, and bad ones are named."""

import json
import subprocess
import sys

import pytest
from tests.support.paths import ROOT
from tools.insert_numbers import REGISTRY, insert, pages_of
from tools.inserted.formats import format_interval, format_number
from tools.inserted.sources import Sources, UnknownNumberError

ROWS = [
    {"id": "table1", "row": "short, DTA", "paper": 18100.0, "ours": 25207.3, "lo": 24533.4,
     "hi": 25846.7, "n": 50, "unit": "ms", "verdict": "better",
     "note": "bound 0.4; when learned, missed and extra spikes are 43.9 % of the desired ones"},
    {"id": "table1", "row": "bound", "paper": None, "ours": 17244.0, "lo": None, "hi": None,
     "n": 0, "unit": "ms", "verdict": "no number in the paper", "note": ""},
]  # fmt: skip
LINES = [
    {"section": "engine", "name": "respond, 3 spikes/1000", "value": 1.384, "unit": "floors",
     "limit": 1.6, "kept": True, "note": ""},
    {"section": "peers", "name": "NEST", "value": float("nan"), "unit": "us", "limit": None,
     "kept": None, "note": "absent"},
]  # fmt: skip


@pytest.fixture
def root(tmp_path):
    files = {
        "src/linspike/paper/report/published.json": json.dumps({"rows": ROWS}),
        "benchmarks/results/0.9.0.json": json.dumps({"machine": {"cpu": "old"}, "lines": []}),
        "benchmarks/results/0.10.0.json": json.dumps({"machine": {"cpu": "new"}, "lines": LINES}),
        "tests/golden/exactness.txt": "python -m x\npatterns     100\nspikes     2603\n"
        "wrong counts     0\nlargest error of a spike time, ms    2.28e-10\n",
        "tests/golden/learning.txt": "short, P=45    50 of 50  median epochs   68   2.4 s\n",
        "docs/_build/page.md": "a <!-- number: nonsense -->1<!-- end -->\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_no_marker_is_stale():
    problems = insert(ROOT, write=False)
    assert not problems, "run python -m tools.insert_numbers:\n" + "\n".join(problems)


def test_every_table_stands_on_a_page():
    text = "".join(page.read_text() for page in pages_of(ROOT))
    assert [name for name in REGISTRY if f"<!-- table: {name} -->" not in text] == []


FOLDED = {"sentences"}  # stand in a part of the page that is closed


def test_every_table_can_be_made():
    sources = Sources(ROOT)
    for name, make in REGISTRY.items():
        for table in make(sources).split("\n\n"):
            lines = table.splitlines()
            assert len(lines) >= 3, name
            assert len(lines) <= 12 or name in FOLDED, f"{name}: at most ten rows"
            assert len({line.count("|") for line in lines}) == 1, name


@pytest.mark.parametrize(
    ("asked", "made"),
    [
        ("table1; short, DTA; ours", "25200"),
        ("table1; short, DTA; ours 2", "25000"),
        ("table1; short, DTA; ours 5", "25207"),
        ("table1; short, DTA; interval", "(24500-25800)"),
        ("table1; short, DTA; paper", "18100"),
        ("table1; short, DTA; n", "50"),
        ("table1; short, DTA; verdict", "better"),
        ("table1; short, DTA; off", "44"),
        ("bench:engine; respond, 3 spikes/1000; value 2", "1.4"),
        ("bench:machine; cpu; value", "new"),
        ("exactness; spikes; value", "2603"),
        ("exactness; error; value 2", "2.3e-10"),
        ("exactness; wrong; value", "0"),
        ("learning; short, P=45; epochs", "68"),
    ],
)
def test_a_number_is_filled_in(root, asked, made):
    page = root / "README.md"
    page.write_text(f"It is <!-- number: {asked} -->?<!-- end --> so.\n")
    assert insert(root, write=False) == [f"README.md:1: {asked}: '?' should be {made!r}"]
    assert insert(root, write=True) == []
    assert page.read_text() == f"It is <!-- number: {asked} -->{made}<!-- end --> so.\n"
    assert insert(root, write=False) == []


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("a <!-- number: table1; ours -->1<!-- end -->", "is 'source; row; field'"),
        ("a <!-- number: table1; bound; ours x -->1<!-- end -->", "Got 'table1; bound; ours x'"),
        ("a <!-- number: table9; bound; ours -->1<!-- end -->", "no source 'table9'"),
        ("a <!-- number: table1; bond; ours -->1<!-- end -->", "no row 'bond' in table1"),
        ("a <!-- number: table1; bound; mean -->1<!-- end -->", "no field 'mean': choose ours"),
        ("a <!-- number: table1; bound; interval -->1<!-- end -->", "'bound' has no interval"),
        ("a <!-- number: table1; bound; paper -->1<!-- end -->", "'bound' has no paper"),
        ("a <!-- number: table1; bound; off -->1<!-- end -->", "'bound' has no share of missed and extra spikes"),
        ("a <!-- number: bench:none; x; value -->1<!-- end -->", "no section 'none'"),
        ("a <!-- number: bench:peers; NEST; value -->1<!-- end -->", "no row 'NEST' in bench:peers"),
        ("a <!-- number: exactness; speed; value -->1<!-- end -->", "no row 'speed' in exactness"),
        ("a <!-- number: exactness; wrong; ours -->1<!-- end -->", "no field 'ours' in exactness: it has value"),
        ("a <!-- number: learning; long; epochs -->1<!-- end -->", "no row 'long' in learning"),
        ("a <!-- number: table1; bound; ours -->17200", "needs its <!-- end --> in the same line"),
        ("<!-- number: table1; bound; ours -->17200<!-- end -->", "put a word first"),
        ("- <!-- number: table1; bound; ours -->17200<!-- end -->", "put a word first"),
        ("<!-- table: nonsense -->\n<!-- end -->", "no table 'nonsense': choose from bench-"),
        ("<!-- table: readme -->\ntext", "table 'readme' needs <!-- end -->"),
        ("a <!-- table: readme -->", "needs a line of its own"),
        ("a <!--number: table1; bound; ours -->1<!-- end -->", "is no marker: write '<!-- number:"),
        ("a <!-- Number: table1; bound; ours -->1<!-- end -->", "is no marker"),
        ("a <!-- numbers: table1; bound; ours -->1<!-- end -->", "is no marker"),
        ("<!-- tables: readme -->", "is no marker"),
        ("a <!-- number: table1; bound; ours -->17200<!-- End -->", "needs its <!-- end -->"),
        ("a <!--end-->", "is no marker"),
        ("99999<!-- end -->", "<!-- end --> needs the marker"),
        ("<!-- end -->", "<!-- end --> needs the marker"),
        ("a <!-- number: table1; bound; ours -->17200<!-- end --> 1<!-- end -->", "<!-- end --> needs"),
        ("a <!--\nnumber: table1; bound; ours -->", "a comment needs its --> in the same line"),
        ("```\ncode", "the block of code needs ``` on a line below it"),
    ],
)  # fmt: skip
def test_bad_markers_are_named_and_left_alone(root, line, message):
    page = root / "docs" / "page.md"
    text = f"# Title\n\n{line}\n"
    page.write_text(text)
    for write in (False, True):
        (problem,) = insert(root, write=write)
        assert problem.startswith("docs/page.md:3: ")
        assert message in problem
    assert page.read_text() == text


def test_a_table_that_is_not_closed_does_not_swallow_the_next(root):
    page = root / "README.md"
    page.write_text("<!-- table: readme -->\n\n<!-- table: bench-machine -->\n<!-- end -->\n")
    (problem,) = insert(root, write=True)
    assert problem.startswith("README.md:1: table 'readme' needs")
    assert "| cpu | new |" in page.read_text()


@pytest.mark.parametrize(
    "code",
    [
        "    ```",
        "~~~\n```\n~~~",
        "````\n```\n````",
        "```python\n~~~\n``` x\n   ```",
        "``` a ` b",
    ],
)
def test_after_code_markers_are_read_again(root, code):
    page = root / "docs" / "page.md"
    page.write_text(f"{code}\na <!-- number: table1; bound; ours -->1<!-- end -->\n")
    (problem,) = insert(root, write=False)
    assert "'1' should be '17200'" in problem


def rename(monkeypatch, label):
    """Sources in which a row of the results has another label."""
    sources = Sources(ROOT)
    rows = {name: dict(found) for name, found in sources.published.items()}
    experiment, _, row = label.partition("; ")
    rows[experiment][f"{row}, renamed"] = rows[experiment].pop(row)
    monkeypatch.setitem(sources.__dict__, "published", rows)
    return sources


@pytest.mark.parametrize(
    ("table", "label"),
    [
        ("readme", "table1; short, HTP, tuned"),
        ("readme", "table1; long, E-learning"),
        ("readme", "table1; long, PSD, strict, tuned"),
        ("readme", "table2; EMLC by peak"),
        ("readme", "table3; EMLC, tuned, test"),
        ("readme", "table4; MST, tuned, test"),
        ("program", "table1; long, DTA psp (paper's linear program), strict"),
        ("projection", "table1; short, DTA (projection), strict"),
        ("tuned-times", "table1; long, DTA (projection), strict"),
        ("tuned-times", "table1; long, HTP, strict, tuned"),
    ],
)
def test_a_renamed_row_is_an_error(monkeypatch, table, label):
    with pytest.raises(UnknownNumberError, match="no row"):
        REGISTRY[table](rename(monkeypatch, label))


def test_a_new_row_under_the_strict_criterion_has_to_be_named(monkeypatch):
    sources = Sources(ROOT)
    rows = sources.published["table2"]
    monkeypatch.setitem(rows, "DTA (projection), strict", rows["DTA (projection)"])
    with pytest.raises(UnknownNumberError, match="'DTA \\(projection\\)' in STRICT"):
        REGISTRY["projection"](sources)


def test_a_rule_without_a_result_is_an_error():
    sources = Sources(ROOT)
    sources.published["table2"]["EML"]["ours"] = None
    with pytest.raises(UnknownNumberError, match="'EML' has no ours"):
        REGISTRY["readme"](sources)


def test_an_exact_limit_may_be_absent():
    sources = Sources(ROOT)
    rows = sources.published["table1"]
    rows.pop("short, exact limit", None)
    assert REGISTRY["readme"](sources).splitlines()[2].endswith(" - |")
    rows["short, exact limit"] = rows["short, HTP"]
    assert not REGISTRY["readme"](sources).splitlines()[2].endswith(" - |")


def test_tables_and_code(root):
    page = root / "results" / "paper" / "README.md"
    page.parent.mkdir(parents=True)
    code = "```\na <!-- number: nonsense -->1<!-- end -->\n```\n"
    page.write_text(f"{code}\n<!-- table: bench-machine -->\nold\n<!-- end -->\n")
    assert insert(root, write=False) == [
        "results/paper/README.md:5: table 'bench-machine' is stale"
    ]
    assert insert(root, write=True) == []
    table = "|  |  |\n| --- | --- |\n| cpu | new |"
    assert page.read_text() == f"{code}\n<!-- table: bench-machine -->\n\n{table}\n\n<!-- end -->\n"
    assert insert(root, write=False) == []


def test_without_benchmarks_the_message_says_so(root):
    for path in (root / "benchmarks" / "results").iterdir():
        path.unlink()
    with pytest.raises(UnknownNumberError, match="no file in benchmarks/results"):
        Sources(root).lines("engine")


@pytest.mark.parametrize(
    ("value", "unit", "digits", "text"),
    [
        (98.055, "%", None, "98.1"),
        (98.0, "%", 3, "98.0"),
        (337.512, "patterns", None, "338"),
        (9545.7, "ms", 2, "9500"),
        (914.0, "ms", None, "900"),
        (2.284, "ms", None, "2.28"),
        (0.0, "", 2, "0.0"),
        (1e-13, "ms", 1, "1e-13"),
        (13.0, "epochs", None, "13"),
        (-0.5617, "points", 2, "-0.56"),
    ],
)
def test_numbers_as_text(value, unit, digits, text):
    assert format_number(value, unit, digits) == text


def test_an_interval_has_the_places_of_its_number():
    assert format_interval(100.2, 99.44, 101.3, digits=3) == "(99-101)"


def test_the_command_checks():
    command = [sys.executable, "-m", "tools.insert_numbers", "--check"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
