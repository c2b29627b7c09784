"""What the site's own Sphinx extensions make of pages and docstrings."""

import re
import sys

import click
import pytest
from tests.support.pages import DOCS
from tests.support.paths import ROOT

import linspike as ls
from linspike.cli.app import cli

pytest.importorskip("sphinx", reason="the site is built with the extra 'docs'")
sys.path.insert(0, str(ROOT / "docs" / "_sphinx"))
import command_help
import docstrings
import lab_recording
import repository_links

COMMAND_LINE = DOCS / "howto" / "command_line.md"
CLASSIFIER = ls.SpikeClassifier().get_params(deep=False)
ENCODER = ls.PopulationEncoder().get_params()
PAGE = ROOT / "docs" / "howto" / "page.md"


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("[a](../theory.md#units)", "[a](../theory.md#units)"),
        ("[a](../../ARCHITECTURE.md)", "[a](../architecture.md)"),
        ("[a](../../examples/learn_times.py)", "[a](../gallery/learn_times.rst)"),
        ("[a](../../results/paper/report.html)", '<a href="../report.html">a</a>'),
        ("[a](../../Makefile)", "a"),
        ("[a](../broken.md)", "[a](../broken.md)"),
        ("[a](https://arxiv.org/abs/2103.12564)", "[a](https://arxiv.org/abs/2103.12564)"),
        ("![a](../images/learn_times.png)", "![a](../images/learn_times.png)"),
    ],
)
def test_links_to_files_become_links_of_the_site(written, shown):
    assert repository_links.rewrite(written, PAGE, PAGE, "") == shown


def test_included_files_link_from_the_page_that_includes_them():
    text, page = "[a](docs/theory.md)", ROOT / "docs" / "architecture.md"
    assert repository_links.rewrite(text, ROOT / "README.md", page, "") == "[a](theory.md)"


def test_other_files_have_a_link_once_there_is_a_repository():
    found = repository_links.rewrite("[a](../../Makefile)", PAGE, PAGE, "https://host/name")
    assert found == "[a](https://host/name/blob/main/Makefile)"


def test_a_recorded_run_has_all_that_the_lab_needs():
    recorded = lab_recording.record("figure-2", 3)
    assert [rule["key"] for rule in recorded["about"]["rules"]] == ["dta", "first_error"]
    assert [[frame["step"] for frame in run] for run in recorded["runs"]] == [[0, 1, 2, 3]] * 2
    assert all(frame["look"]["curves"] for run in recorded["runs"] for frame in run)
    html = lab_recording.render("figure-2", 1)
    assert html.count("</script>") == 3
    assert 'data-lab="lab-figure-2"' in html


def test_indented_blocks_of_docstrings_are_formulas():
    lines = ["Sum.", "", "It is", "", "    a +", "      b", "", "    c", "", "and so on.", ""]
    docstrings.keep_formulas(None, "class", "", None, None, lines)
    assert lines[3:7] == ["", ".. code-block:: none", "", "    a +"]
    assert lines.count(".. code-block:: none") == 1


def test_sections_of_docstrings_stay_as_they_are():
    lines = ["Sum.", "", "Parameters", "----------", "a : int", "", "    Text."]
    docstrings.keep_formulas(None, "class", "", None, None, lines)
    assert ".. code-block:: none" not in lines


def commands_in(group, *above):
    """The words of every command of the program."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from commands_in(command, *above, name)
        else:
            yield " ".join([*above, name])


def test_the_page_of_the_command_line_has_every_command():
    text = COMMAND_LINE.read_text()
    shown = re.findall(r"^## linspike (.+)\n\n```\{command-help\} (.+)$", text, re.MULTILINE)
    assert all(heading == command for heading, command in shown)
    assert sorted(command for _, command in shown) == sorted(commands_in(cli))


def test_the_help_of_a_command():
    usage, paragraphs, options = command_help.describe(["fit"])
    assert usage == "linspike fit [OPTIONS] DATA"
    assert paragraphs[0].startswith("Train a classifier on a table, and write the model")
    assert ("--target COL", "Column with the class of each row. [required]") in options
    assert (
        "--jobs INTEGER",
        "Number of processes or threads; one per core unless given. [x>=1]",
    ) in (options)
    with pytest.raises(LookupError, match="'fits'"):
        command_help.describe(["fits"])


def test_options_have_the_names_that_the_page_says():
    rows = re.findall(r"^\| (`--.+?) \| (.+) \|$", COMMAND_LINE.read_text(), re.MULTILINE)
    named = {
        option: python for options, python in rows for option in re.findall(r"--[\w-]+", options)
    }
    parameters = {p.name: p for p in command_help.find_command(["fit"])[0].params}
    options = {option for p in parameters.values() for option in p.opts if option.startswith("--")}
    assert set(named) <= options
    same = {option for option in options if option[2:].replace("-", "_") in CLASSIFIER}
    assert options - same - {"--json", "--delimiter"} <= set(named)
    assert {named["--epochs"], *named["--seed"].split()[:1]} <= {f"`{name}`" for name in CLASSIFIER}
    assert "n_fields" in ENCODER
    assert {"beta", "duration"} <= set(ENCODER)
