"""Pages of the documentation, and the blocks of code in them."""

import re
from itertools import pairwise
from typing import NamedTuple

from tests.support.paths import ROOT

DOCS = ROOT / "docs"
GENERATED = (DOCS / "gallery", DOCS / "api" / "generated")
BLOCK = re.compile(r"^(`{3,})([^\n`]*)\n(.*?)^\1$", flags=re.DOTALL | re.MULTILINE)
SHELLS = ("", "bash", "console", "sh", "shell")


class Block(NamedTuple):
    language: str
    code: str


def written_pages():
    """The README, then all pages that people write."""
    pages = sorted(DOCS.glob("**/*.md"))
    return [
        ROOT / "README.md",
        *(page for page in pages if not any(page.is_relative_to(made) for made in GENERATED)),
    ]


def blocks_of(page):
    """The fenced blocks of a page, with their languages."""
    return [Block(found[2].strip(), found[3]) for found in BLOCK.finditer(page.read_text())]


def code_of(page):
    """All Python of a page, as one script."""
    return "\n".join(block.code for block in blocks_of(page) if block.language == "python")


def outputs_of(page):
    """What a page says that its code prints: text right after Python."""
    pairs = pairwise(blocks_of(page))
    return [b.code for a, b in pairs if (a.language, b.language) == ("python", "text")]


def commands_of(page):
    """The command lines of a page that call linspike."""
    shells = [block.code for block in blocks_of(page) if block.language in SHELLS]
    lines = "\n".join(shells).replace("\\\n", " ").splitlines()
    return [found[1] for line in lines if (found := re.match(r"(?:\$ )?(linspike .*)", line))]


def name_of(page):
    """A short name of a page, for the names of tests."""
    return page.relative_to(ROOT).with_suffix("").as_posix()
