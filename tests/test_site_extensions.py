"""What the site's own Sphinx extensions make of pages and docstrings."""

import sys

import pytest
from tests.support.paths import ROOT

pytest.importorskip("sphinx", reason="the site is built with the extra 'docs'")
sys.path.insert(0, str(ROOT / "docs" / "_sphinx"))
import docstrings
import repository_links

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


def test_indented_blocks_of_docstrings_are_formulas():
    lines = ["Sum.", "", "It is", "", "    a +", "      b", "", "    c", "", "and so on.", ""]
    docstrings.keep_formulas(None, "class", "", None, None, lines)
    assert lines[3:7] == ["", ".. code-block:: none", "", "    a +"]
    assert lines.count(".. code-block:: none") == 1


def test_sections_of_docstrings_stay_as_they_are():
    lines = ["Sum.", "", "Parameters", "----------", "a : int", "", "    Text."]
    docstrings.keep_formulas(None, "class", "", None, None, lines)
    assert ".. code-block:: none" not in lines
