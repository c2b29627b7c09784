"""A comparison as text: for a terminal, Markdown, LaTeX and CSV."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterable, Sequence

from tabulate import tabulate

from linspike.paper.report.verdicts import Result, Verdict

HEADINGS = ("row", "paper", "ours", "95 % interval", "n", "unit", "verdict")
ALIGNMENT = ("left", "right", "right", "right", "right", "left", "left")
PAGE = 40  # rows that fit on a page
# Signs that LaTeX needs a package for.
_SIGNS = {"±": r"$\pm$", "∞": r"$\infty$", "…": r"\ldots{}"}


def ours(result: Result, decimals: int | None = None) -> str:
    """Return our value, with as many digits as its interval supports; else a bound or a dash."""
    if result.ours is not None:
        return _number(result.ours, _decimals(result) if decimals is None else decimals)
    if result.lo is not None:
        return f"> {_number(result.lo, None)}"
    return "-" if result.hi is None else f"< {_number(result.hi, None)}"


def interval(result: Result, decimals: int | None = None) -> str:
    """Return the interval as "lo … hi"; "" if there is none, or if the number is exact."""
    if result.lo == result.hi or result.ours is None:
        return ""
    digits = _decimals(result) if decimals is None else decimals
    lo = -math.inf if result.lo is None else result.lo
    hi = math.inf if result.hi is None else result.hi
    return f"{_number(lo, digits)} … {_number(hi, digits)}"


def claim(result: Result) -> str:
    """Return the paper's number as it states it; a dash if it has none."""
    return result.claim or "-"


def share_decimals(results: Iterable[Result]) -> int | None:
    """Return decimals that all of these intervals support; None if none has an interval."""
    found = [(each, _decimals(each)) for each in results]
    digits = [n for each, n in found if n is not None and not _is_whole(each)]
    whole = any(n is not None for _, n in found)
    return min(digits) if digits else 0 if whole else None


def _decimals(result: Result) -> int | None:
    """Return the decimals that leave two digits of the interval's half width; None without one."""
    if result.lo is None or result.hi is None:
        return None
    if _is_whole(result):
        return 0
    half = 0.5 * (result.hi - result.lo)
    if not (math.isfinite(half) and half > 0.0):
        return None
    return min(max(1 - math.floor(math.log10(half)), 0), 8)


def _is_whole(result: Result) -> bool:
    """Return whether a result and its interval are counts."""
    return all(end is None or end.is_integer() for end in (result.ours, result.lo, result.hi))


def _number(value: float, decimals: int | None) -> str:
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    if decimals is not None:
        return f"{round(value, decimals) + 0.0:.{decimals}f}"  # without the sign of -0
    if abs(value) < 1e-12:  # rounding alone
        return "0"
    # Three digits are enough to read; whole numbers keep all of theirs.
    return f"{value:.0f}" if abs(value) >= 1000.0 else f"{value:.3g}"


def _texts(result: Result) -> list[str]:
    n = str(result.n) if result.n else ""
    numbers = [claim(result), ours(result), interval(result), n]
    return [result.row, *numbers, result.unit, str(result.verdict)]


def _tabulate(rows: Sequence[Sequence[str]], results: Sequence[Result], form: str) -> str:
    """Return rows under their headings in a form of `tabulate`; ids only if there are several."""
    headings, alignment = list(HEADINGS), list(ALIGNMENT)
    if len({result.id for result in results}) > 1:
        headings, alignment = ["id", *headings], ["left", *alignment]
        rows = [[result.id, *row] for result, row in zip(results, rows, strict=True)]
    more = {"colalign": alignment} if rows else {}
    return str(tabulate(rows, headings, tablefmt=form, disable_numparse=True, **more))


def as_text(results: Sequence[Result]) -> str:
    """Return aligned columns for a terminal."""
    table = _tabulate([_texts(result) for result in results], results, "simple")
    skipped = [f"{r.id}, {r.row}: {r.note}" for r in results if r.verdict is Verdict.SKIPPED]
    lines = [line.rstrip() for line in table.splitlines()]
    return "\n".join([*lines, *skipped]) + "\n"


def as_markdown(results: Sequence[Result], title: str = "") -> str:
    """Return a Markdown table, with the notes beneath it."""
    rows = [[_escape_markdown(text) for text in _texts(result)] for result in results]
    top = f"**{title}**\n\n" if title else ""
    notes = [f"- {_escape_markdown(f'{names}: {note}')}" for names, note in notes_of(results)]
    below = "\n" + "\n".join(notes) + "\n" if notes else ""
    return f"{top}{_tabulate(rows, results, 'pipe')}\n{below}"


def _escape_markdown(text: str) -> str:
    """Return the text on one line, and without letters that Markdown reads as marks."""
    plain = " ".join(text.split()).replace("\\", "\\\\").replace("<", "&lt;")
    return plain.replace("|", "\\|").replace("*", "\\*")


def as_latex(results: Sequence[Result], caption: str = "", label: str = "") -> str:
    r"""Return a booktabs table; the document needs ``\usepackage{booktabs}``.

    Above 40 rows it is a longtable, which may run over pages, and needs that package instead.
    """
    rows = [_texts(result) for result in results]
    title = rf"\caption{{{_escape_latex(caption)}}}" if caption else ""
    title += rf"\label{{{label}}}" if label else ""
    if len(rows) > PAGE:
        begin, *lines = _tabulate(rows, results, "latex_longtable").splitlines()
        lines = [begin, *([title + r" \\"] if title else []), *lines]
    else:
        table = _tabulate(rows, results, "latex_booktabs")
        lines = [
            r"\begin{table}",
            r"\centering",
            *([title] if title else []),
            table,
            r"\end{table}",
        ]
    text = "\n".join(lines) + "\n"
    for sign, command in _SIGNS.items():
        text = text.replace(sign, command)
    return text


def _escape_latex(caption: str) -> str:
    return re.sub(r"([&%$#_{}])", r"\\\1", caption)


def as_csv(results: Sequence[Result], commands: Sequence[str]) -> str:
    """Return every field of every result, numbers in full, and the command that makes it again."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow((*Result._fields, "command"))
    writer.writerows((*result, command) for result, command in zip(results, commands, strict=True))
    return stream.getvalue()


def notes_of(results: Sequence[Result]) -> list[tuple[str, str]]:
    """Return each note once, after the rows it belongs to."""
    rows: dict[str, list[str]] = {}
    for result in results:
        if result.note:
            rows.setdefault(result.note, []).append(result.row)
    return [("; ".join(names), note) for note, names in rows.items()]
