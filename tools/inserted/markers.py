"""Markers in Markdown, and what stands between them.

Inline, behind a word:   <!-- number: table1; short, DTA (projection); ours 3 -->25200<!-- end -->
On lines of their own:   <!-- table: readme -->   the table   <!-- end -->
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from tools.inserted.sources import UnknownNumberError

END = "<!-- end -->"
NUMBER = re.compile(r"(<!-- number: (.*?) -->)(.*?)<!-- end -->")
TABLE = re.compile(r"<!-- table: ([\w-]+) -->")
FENCE = re.compile(r"\s*(```|~~~)")
# Markdown takes a line that begins with a comment as HTML, and leaves what follows as it is.
FIRST = re.compile(r"\s*(>\s*)*([-*+]\s+|\d+[.)]\s+)?<!-- number:")
FORM = "a marker of a number is 'source; row; field' or 'source; row; field digits'"


@dataclass(frozen=True)
class Makers:
    """Functions that make what a marker asks for."""

    number: Callable[[str, str, str, int | None], str]
    table: Callable[[str], str]


@dataclass
class Filled:
    """A text with its markers filled in, and what was wrong: (line, message)."""

    lines: list[str] = field(default_factory=list)
    stale: list[tuple[int, str]] = field(default_factory=list)
    broken: list[tuple[int, str]] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The text that should be."""
        return "".join(f"{line}\n" for line in self.lines)


def fill(text: str, makers: Makers) -> Filled:
    """Return the text with every number and table made anew; code blocks stay as they are."""
    filled = Filled()
    lines = text.splitlines()
    at, in_code = 0, False
    while at < len(lines):
        line = lines[at]
        in_code ^= bool(FENCE.match(line))
        opening = TABLE.fullmatch(line.strip())
        if opening and not in_code:
            at = _fill_table(lines, at, opening[1], makers, filled)
        else:
            filled.lines.append(line if in_code else _fill_line(line, at + 1, makers, filled))
            at += 1
    return filled


def _fill_line(line: str, number: int, makers: Makers, filled: Filled) -> str:
    if line.count("<!-- number:") != len(NUMBER.findall(line)):
        filled.broken.append((number, f"a number needs its {END} in the same line"))
        return line
    if line.count("<!-- table:"):
        filled.broken.append((number, "the marker of a table needs a line of its own"))
    if FIRST.match(line):
        filled.broken.append((number, "no line may begin with a number's marker; put a word first"))

    def made(match: re.Match[str]) -> str:
        opening, asked, old = match.groups()
        try:
            new = makers.number(*_parse(asked))
        except UnknownNumberError as error:
            filled.broken.append((number, str(error)))
            return match[0]
        if new != old:
            filled.stale.append((number, f"{asked}: {old!r} should be {new!r}"))
        return f"{opening}{new}{END}"

    return NUMBER.sub(made, line)


def _parse(asked: str) -> tuple[str, str, str, int | None]:
    parts = [part.strip() for part in asked.split(";")]
    form = re.fullmatch(r"([a-z]+)(?: ([1-9]))?", parts[-1])
    if len(parts) != 3 or form is None:
        raise UnknownNumberError(f"{FORM}. Got {asked!r}")
    return parts[0], parts[1], form[1], int(form[2]) if form[2] else None


def _fill_table(lines: list[str], at: int, name: str, makers: Makers, filled: Filled) -> int:
    """Add a table with its markers, and return the line after it."""
    ends = [i for i in range(at + 1, len(lines)) if lines[i].strip() == END]
    others = [i for i in range(at + 1, len(lines)) if TABLE.fullmatch(lines[i].strip())]
    if not ends or (others and others[0] < ends[0]):
        filled.broken.append((at + 1, f"table {name!r} needs {END} on a line of its own below it"))
        filled.lines.append(lines[at])
        return at + 1
    old = lines[at + 1 : ends[0]]
    try:
        new = ["", *makers.table(name).splitlines(), ""]
    except UnknownNumberError as error:
        filled.broken.append((at + 1, str(error)))
        new = old
    if new != old:
        filled.stale.append((at + 1, f"table {name!r} is stale"))
    filled.lines += [lines[at], *new, lines[ends[0]]]
    return ends[0] + 1
