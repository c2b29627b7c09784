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
NUMBER_OPENING = re.compile(r"<!-- number: .*? -->")
TABLE = re.compile(r"<!-- table: ([\w-]+) -->")
COMMENT = re.compile(r"<!--.*?(?:-->|$)")
# A comment with one of these words that is no marker is a marker with a typing error.
WORDS = re.compile(r"number|table|\bend\b", flags=re.IGNORECASE)
# Deeper indented marks open no block of code. The same mark closes it, as long or longer.
FENCE = re.compile(r" {0,3}(?P<mark>`{3,}(?=[^`]*$)|~{3,})")
# Markdown takes a line that begins with a comment as HTML, and leaves what follows as it is.
FIRST = re.compile(r"\s*(>\s*)*([-*+]\s+|\d+[.)]\s+)?<!-- number:")
FORMS = f"'<!-- number: ... -->', '<!-- table: NAME -->' or '{END}'"
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
    at = 0
    while at < len(lines):
        line = lines[at]
        opening = TABLE.fullmatch(line.strip())
        fence = FENCE.match(line)
        if fence:
            at = _keep_code(lines, at, fence["mark"], filled)
        elif opening:
            at = _fill_table(lines, at, opening[1], makers, filled)
        else:
            filled.lines.append(_fill_line(line, at + 1, makers, filled))
            at += 1
    return filled


def _keep_code(lines: list[str], at: int, mark: str, filled: Filled) -> int:
    """Add a block of code as it is, and return the line after it."""
    closing = re.compile(rf" {{0,3}}{mark}{mark[0]}*\s*")
    ends = (i for i in range(at + 1, len(lines)) if closing.fullmatch(lines[i]))
    end = next(ends, None)
    if end is None:
        filled.broken.append((at + 1, f"the block of code needs {mark} on a line below it"))
        end = at
    filled.lines += lines[at : end + 1]
    return end + 1


def _fill_line(line: str, number: int, makers: Makers, filled: Filled) -> str:
    problem = _find_problem(line)
    if problem:
        filled.broken.append((number, problem))
        return line

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


def _find_problem(line: str) -> str | None:
    """Return what is wrong with the comments of a line, or None."""
    is_open = False
    for comment in COMMENT.findall(line):
        if NUMBER_OPENING.fullmatch(comment) and not is_open:
            is_open = True
        elif comment == END and is_open:
            is_open = False
        elif is_open:
            break
        elif comment == END:
            return f"{END} needs the marker of a number in the same line, or of a table above"
        elif TABLE.fullmatch(comment):
            return "the marker of a table needs a line of its own"
        elif WORDS.search(comment):
            return f"{comment!r} is no marker: write {FORMS}"
        elif not comment.endswith("-->"):
            return "a comment needs its --> in the same line"
    if is_open:
        return f"a number needs its {END} in the same line"
    if FIRST.match(line):
        return "no line may begin with a number's marker; put a word first"
    return None


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
