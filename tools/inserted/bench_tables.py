"""Tables of benchmarks, by the name of their marker: bench-SECTION and bench-machine."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

from tools.inserted.cells import NONE
from tools.inserted.formats import format_number, format_table
from tools.inserted.sources import Sources

# The lines of a section in tables of at most ten rows: one pattern of names for each table.
GROUPS = {
    "growth": (r"respond, |.* in the inputs", r"respond_many|.* neurons"),
    "start": (r"",),
    "learning": (r"(?!projection)", r"projection"),
    "rules": (r".*, times,", r".*, counts,"),
    "classifier": (r"",),
    "mnist": (r"(?!learning to)", r"learning to"),
}
PEERS = 200  # patterns at once, where each peer is at its best


def section(sources: Sources, name: str) -> str:
    """Return the tables of a section, one line of the benchmark in each row."""
    lines = sources.lines(name)
    found = ([line for line in lines if re.match(group, line["name"])] for group in GROUPS[name])
    return "\n\n".join(_table(group) for group in found if group)


def _table(lines: list[dict[str, Any]]) -> str:
    rows = [[line["name"], _value(line), _goal(line), line["note"]] for line in lines]
    heads = ["", "measured", "goal", ""]
    used = [i for i in range(4) if i == 1 or any(row[i] for row in rows)]
    return format_table([heads[i] for i in used], [[row[i] for i in used] for row in rows])


def _value(line: dict[str, Any]) -> str:
    return f"{format_number(line['value'], digits=3)} {line['unit']}".strip()


def _goal(line: dict[str, Any]) -> str:
    if line["limit"] is None:
        return ""
    return f"{line['limit']:.3g}, {'met' if line['kept'] else 'missed'}"


def engine(sources: Sources) -> str:
    """Return two tables: times in floors by activity, and single calls."""
    lines = sources.lines("engine")
    levels: dict[str, dict[str, str]] = {}
    others = []
    for line in lines:
        found = re.fullmatch(r"(.*), ([\d.]+) spikes/1000", line["name"])
        if found:
            goal = f" (goal {_goal(line)})" if line["limit"] else ""
            cell = f"{format_number(line['value'], digits=3)}{goal}"
            levels.setdefault(found[2], {})[found[1]] = cell
        else:
            others.append(line)
    methods = list(dict.fromkeys(name for cells in levels.values() for name in cells))
    rows = [[f"{m}", *(cells.get(m, NONE) for cells in levels.values())] for m in methods]
    heads = ["floors, at output spikes per 1000 inputs:", *levels]
    return f"{format_table(heads, rows)}\n\n{_table(others)}"


def peers(sources: Sources) -> str:
    """Return time and errors of linspike and its peers."""
    lines = {line["name"]: line for line in sources.lines("peers")}
    end = f", {PEERS} patterns"
    rows = []
    for name in (name for name in lines if name.endswith(end)):
        parts = ("over linspike", "median error", "largest error")
        found = (lines.get(f"{name}, {part}") for part in parts)
        cells = [NONE if line is None else _value(line) for line in found]
        rows.append([name.removesuffix(end), _value(lines[name]), *cells, lines[name]["note"]])
    heads = ["", "time", "over linspike", "error of spikes, median", "largest", ""]
    return format_table(heads, rows)


def machine(sources: Sources) -> str:
    """Return what the benchmarks were measured with."""
    return format_table(["", ""], [list(pair) for pair in sources.benchmark["machine"].items()])


BENCH_TABLES: dict[str, Callable[[Sources], str]] = {
    **{f"bench-{name}": partial(section, name=name) for name in GROUPS},
    "bench-engine": engine,
    "bench-peers": peers,
    "bench-machine": machine,
}
