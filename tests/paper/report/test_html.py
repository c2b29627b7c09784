"""The page, and the files beside it."""

import sys
from html.parser import HTMLParser

import pytest
from tests.support.report_rows import compare_example, example_keys

import linspike as ls
from linspike.cli.experiments import REGISTRY
from linspike.paper.report import html as page
from linspike.paper.report.choices import OPEN
from linspike.paper.report.figures import FORMATS
from linspike.paper.report.sections import Section
from linspike.paper.report.verdicts import Verdict
from linspike.study.panels import Line, Panel

PANEL = Panel("Steps", "x", "y", (Line("a", [1, 2], [1, 2], style="steps"),))
SECTIONS = [
    Section("fig1", "Kernels", "Figure 1", "linspike reproduce fig1", panels=[PANEL]),
    Section(
        "table2",
        "Capacity <for> counts",
        "Table 2",
        "linspike reproduce table2 --scale paper",
        compare_example(),
        example_keys(),
        ["linspike reproduce table2"] * 5,
        panels=[PANEL],
        notes=["At 5 % & below."],
        trials=550,
        seconds=7300.0,
    ),
    Section("table3", "Iris", "Table 3", "linspike reproduce table3", skipped="no scikit-learn"),
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
    assert "which feasible solution of the linear program" in text
    assert not list(out.parent.glob("*.part"))


def test_files_beside_the_page(tmp_path):
    page.write_report(tmp_path / "report.html", SECTIONS, PROVENANCE, folder="files")
    names = {path.name for path in (tmp_path / "files").iterdir()}
    pictures = {f"{name}.{kind}" for name in ("fig1", "table2") for kind in FORMATS}
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
        return page._strip(compare_example()[1]._replace(**changes))

    assert strip(ours=355.0, lo=355.0, hi=355.0) == {"at": 50.0, "lo": 50.0, "width": 0.0}
    assert strip(ours=1420.0, lo=710.0, hi=9e9) == pytest.approx(
        {"at": 100.0, "lo": 75.0, "width": 25.0}
    )
    assert strip(lo=-5.0)["lo"] == 0.0
    assert strip(ours=None) is strip(paper=None) is strip(paper=0.0) is None
    assert strip(verdict=Verdict.NOT_COMPARABLE) is None


def test_open_choices_belong_to_experiments():
    for choice in OPEN:
        assert set(choice.experiments) <= set(REGISTRY.ids)
