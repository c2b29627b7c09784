"""A comparison as text: for a terminal, Markdown, LaTeX and CSV."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Sequence

from linspike.paper.report.verdicts import SKIPPED, Result

HEADINGS = ("row", "paper", "ours", "95 % interval", "n", "unit", "verdict")
NUMERIC = (1, 2, 3, 4)  # columns set to the right
PAGE = 40  # rows that fit on a page

_LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "±": r"$\pm$",
    "∞": r"$\infty$",
    "…": r"\ldots{}",
}


def ours(result: Result) -> str:
    """Our value, with as many digits as its interval supports; else a bound, else a dash."""
    if result.ours is not None:
        return _number(result.ours, _decimals(result))
    if result.lo is not None:
        return f"> {_number(result.lo, None)}"
    return "-" if result.hi is None else f"< {_number(result.hi, None)}"


def interval(result: Result) -> str:
    """The interval as "lo … hi"; empty if there is none, or if the number is exact."""
    if result.lo == result.hi or result.ours is None:
        return ""
    digits = _decimals(result)
    lo = -math.inf if result.lo is None else result.lo
    hi = math.inf if result.hi is None else result.hi
    return f"{_number(lo, digits)} … {_number(hi, digits)}"


def claim(result: Result) -> str:
    """The paper's number as it states it; a dash if it has none."""
    return result.claim or "-"


def _decimals(result: Result) -> int | None:
    """Decimals that leave two digits of the interval's half width; None without an interval."""
    if result.lo is None or result.hi is None:
        return None
    half = 0.5 * (result.hi - result.lo)
    if not (math.isfinite(half) and half > 0.0):
        return None
    return min(max(1 - math.floor(math.log10(half)), 0), 8)


def _number(value: float, decimals: int | None) -> str:
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    if decimals is not None:
        return f"{value:.{decimals}f}"
    # Four digits are enough to read; whole numbers keep all of theirs.
    return f"{value:.0f}" if abs(value) >= 1000.0 else f"{value:.4g}"


def _cells(result: Result) -> list[str]:
    n = str(result.n) if result.n else ""
    return [
        result.row,
        claim(result),
        ours(result),
        interval(result),
        n,
        result.unit,
        result.verdict,
    ]


def _grid(results: Sequence[Result]) -> tuple[list[str], list[list[str]], tuple[int, ...]]:
    """Headings, cells, and the columns set to the right; ids only if there are several."""
    rows = [_cells(result) for result in results]
    if len({result.id for result in results}) < 2:
        return list(HEADINGS), rows, NUMERIC
    named = [[result.id, *row] for result, row in zip(results, rows, strict=True)]
    return ["id", *HEADINGS], named, tuple(column + 1 for column in NUMERIC)


def as_text(results: Sequence[Result]) -> str:
    """Aligned columns for a terminal."""
    headings, rows, right = _grid(results)
    lines = [headings, *rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(headings))]
    lines.insert(1, ["-" * width for width in widths])

    def aligned(line: list[str]) -> str:
        cells = [
            cell.rjust(width) if column in right else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ]
        return "  ".join(cells).rstrip()

    skipped = [f"{r.id}, {r.row}: {r.note}" for r in results if r.verdict == SKIPPED]
    return "\n".join([*(aligned(line) for line in lines), *skipped]) + "\n"


def as_markdown(results: Sequence[Result], title: str = "") -> str:
    """A Markdown table, with the notes beneath it."""
    headings, rows, right = _grid(results)
    rule = ["---:" if column in right else "---" for column in range(len(headings))]
    lines = [f"| {' | '.join(_markdown_cell(cell) for cell in row)} |" for row in [headings, *rows]]
    lines.insert(1, f"|{'|'.join(rule)}|")
    top = f"**{title}**\n\n" if title else ""
    notes = [f"- {_markdown_cell(f'{names}: {note}')}" for names, note in notes_of(results)]
    return top + "\n".join(lines) + "\n" + ("\n" + "\n".join(notes) + "\n" if notes else "")


def _markdown_cell(text: str) -> str:
    """On one line, and without letters that Markdown reads as marks."""
    plain = " ".join(text.split()).replace("\\", "\\\\").replace("<", "&lt;")
    return plain.replace("|", "\\|").replace("*", "\\*")


def as_latex(results: Sequence[Result], caption: str = "", label: str = "") -> str:
    r"""A booktabs table; the document needs ``\usepackage{booktabs}``.

    Above 40 rows it is a longtable, which may run over pages, and needs that package too.
    """
    headings, rows, right = _grid(results)
    columns = "".join("r" if column in right else "l" for column in range(len(headings)))
    body = [" & ".join(_latex_cell(cell) for cell in row) + r" \\" for row in rows]
    top = [" & ".join(_latex_cell(heading) for heading in headings) + r" \\", r"\midrule"]
    title = rf"\caption{{{_latex_cell(caption)}}}" if caption else ""
    title += rf"\label{{{label}}}" if label else ""
    if len(rows) > PAGE:
        lines = [rf"\begin{{longtable}}{{{columns}}}", *([title + r" \\"] if title else [])]
        lines += [r"\toprule", *top, r"\endhead", *body, r"\bottomrule", r"\end{longtable}"]
    else:
        lines = [r"\begin{table}", r"\centering", *([title] if title else [])]
        lines += [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", *top, *body]
        lines += [r"\bottomrule", r"\end{tabular}", r"\end{table}"]
    return "\n".join(lines) + "\n"


def _latex_cell(text: str) -> str:
    return "".join(_LATEX.get(letter, letter) for letter in text)


def as_csv(results: Sequence[Result]) -> str:
    """CSV: every field of every result, numbers in full, and the command that makes it again."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow((*Result._fields, "command"))
    writer.writerows((*result, command_of(result)) for result in results)
    return stream.getvalue()


def command_of(result: Result) -> str:
    """What to type for this number: its row alone where a row is made of trials of its own."""
    return f"linspike reproduce {result.id} --scale {result.scale}"


def notes_of(results: Sequence[Result]) -> list[tuple[str, str]]:
    """Each note once, after the rows it belongs to."""
    rows: dict[str, list[str]] = {}
    for result in results:
        if result.note:
            rows.setdefault(result.note, []).append(result.row)
    return [("; ".join(names), note) for note, names in rows.items()]
