"""The page, and the files beside it."""

import itertools
import sys
from html.parser import HTMLParser

import pytest
from tests.support.report_pages import published_sections
from tests.support.report_rows import compare_example, example_keys

import linspike as ls
from linspike.cli.experiments import REGISTRY
from linspike.paper.report import html as page
from linspike.paper.report.choices import OPEN
from linspike.paper.report.context import Origin, group_origins, make_context
from linspike.paper.report.figures import FORMATS
from linspike.paper.report.sections import Section
from linspike.study.panels import Line, Panel

PANEL = Panel("Steps", "x", "y", (Line("a", [1, 2], [1, 2], style="steps"),))
SECTIONS = [
    Section("fig1", "Kernels", "Figure 1", "linspike reproduce fig1", panels=[PANEL], trials=1),
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
    "commit": "",
    "records": [({"linspike": "linspike 1", "commit": "abc"}, 550)],
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


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    out = tmp_path_factory.mktemp("page") / "new" / "report.html"
    return page.write_report(out, SECTIONS, PROVENANCE)


@pytest.fixture(scope="module")
def walker(written):
    made = Walker()
    made.feed(written.read_text("utf-8"))
    return made


def test_the_page(written, walker):
    source = written.read_text("utf-8")
    assert source.startswith("<!DOCTYPE html>")
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
    assert ids == ["table2", "table3", "fig1", "about"]  # tables first
    assert tags.count("svg") == 3  # a panel of each figure, and the capacities of table 2
    text = " ".join("".join(walker.text).split())
    for section in SECTIONS:
        assert section.command in text
        assert section.title in text
    assert "DTA: 1 ▲ better; other rules: 1 ● reproduced. How verdicts" in text
    for part in ("znver3", "no scikit-learn", "550 trials", "2.0 h", "linspike 1"):
        assert part in text
    assert 'EML 5 % a_b, "odd" | <i>' in text  # escaped in the source
    assert [fact for fact, _ in make_context([], PROVENANCE)["facts"]] == ["cpu"]  # nothing empty
    assert "which feasible solution of the linear program" in text
    assert not list(written.parent.glob("*.part"))


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


def test_open_choices_belong_to_experiments():
    for choice in OPEN:
        assert set(choice.experiments) <= set(REGISTRY.ids)


def find_all(walker, tag):
    return [attributes for name, attributes in walker.tags if name == tag]


def test_links_lead_to_places_of_the_page(walker):
    ids = [attributes["id"] for _, attributes in walker.tags if "id" in attributes]
    inside = [each["href"][1:] for each in find_all(walker, "a") if each["href"].startswith("#")]
    assert set(inside) <= set(ids)
    assert {"findings", "table2", "table3", "fig1", "about", "verdicts", "main"} <= set(inside)


def test_headings_are_in_order_and_tables_say_what_they_show(walker):
    levels = [int(tag[1]) for tag, _ in walker.tags if tag in ("h1", "h2", "h3", "h4")]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in itertools.pairwise(levels))
    tags = [tag for tag, _ in walker.tags]
    assert tags.count("caption") == tags.count("table") > 2
    assert all("scope" in attributes for attributes in find_all(walker, "th"))


def test_smoke_scale_says_so_first(tmp_path):
    about = {**PROVENANCE, "scale": "smoke"}
    source = page.write_report(tmp_path / "r.html", SECTIONS[:1], about).read_text("utf-8")
    statement = "Smoke scale proves the machinery, not the numbers"
    assert source.index("<h1>") < source.index(statement) < source.index("<figure>")


def test_a_section_of_another_scale_says_so(tmp_path):
    about = {**PROVENANCE, "scale": "laptop"}
    source = page.write_report(tmp_path / "r.html", SECTIONS[1:2], about).read_text("utf-8")
    assert "Table 2 · paper scale" in source


def test_records_are_counted_by_version_and_machine():
    zen = {"linspike": "1", "system": "Linux", "cpu": "zen", "cores": "2", "numpy": "2.4"}
    records = [({**zen, "commit": "a"}, 3), ({**zen, "commit": "b"}, 4), ({"linspike": "2"}, 5)]
    assert group_origins(records) == [
        Origin("1", "Linux, zen, 2 cores", "numpy 2.4", 2, 7),
        Origin("2", "", "", 1, 5),
    ]


def test_the_heading_names_sections_of_another_scale():
    few = [each for each in published_sections() if each.id in ("fig9", "realdata")]
    meaning = make_context(few, {"scale": "paper"})["scale_meaning"]
    assert meaning.startswith("Paper scale")
    assert meaning.endswith("At laptop scale: Tables and tactile recordings.")
    assert "laptop" not in make_context(few[:1], {"scale": "paper"})["scale_meaning"]


def test_verdicts_are_explained_where_the_link_leads(written):
    source = written.read_text("utf-8")
    before, after = source.split('id="verdicts"')
    assert before.count("<details") == before.count("</details>")  # nothing folded
    assert "the whole 95 % interval lies on the better side" in after.split("<details")[0]
