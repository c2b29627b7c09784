"""Table 1's pictures: the share of trials learned against the length of the input."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from linspike.paper.common.capacity_rows import group_trials, measured_rows, share_line
from linspike.paper.common.methods import LINEAR_PROGRAM
from linspike.paper.tables import table1_limits as limits
from linspike.paper.tables import table1_methods as table1
from linspike.study.cells import Trial
from linspike.study.methods import TUNED, Method
from linspike.study.panels import Mark, Panel
from linspike.study.rows import RowKey

TITLES = {table1.SHORT: "Short patterns", table1.LONG: "One long pattern"}
SHOWN = (
    table1.PROJECTION,
    table1.PROGRAM,
    *table1.MEASURED,
    *table1.BEYOND[1:],
)  # no more than eight in a picture
WINDOWS = ("stdp", "psp", "filt")  # of the linear programs
BELOW_LIMIT = (table1.PROJECTION, table1.HTP)  # the rules that come nearest to it
HARDEST = ((table1.STRICT, TUNED), (table1.STRICT, ""), ("", TUNED), ("", ""))
PAPERS = "the paper's criterion"


class Picture(NamedTuple):
    """One panel: its title after that of the scenario, and its rows with their names."""

    title: str
    rows: dict[RowKey, str]


def share_panels(scenario: str, trials: Sequence[Trial], bound: float) -> list[Panel]:
    """Return the share learned by load at the common setting, and below the exact limit."""
    common = {method.key(scenario): _name(method) for method in SHOWN}
    measured = measured_rows(trials)
    pictures = [Picture("common setting", common)]
    if RowKey(scenario, limits.LIMIT) in measured:
        pictures.append(Picture("below the exact limit", _name_limits(scenario, measured)))
    return _draw(scenario, pictures, trials, bound)


def _name_limits(scenario: str, measured: Collection[RowKey]) -> dict[RowKey, str]:
    """Return the limits, and rules by the strict criterion where they have such rows."""
    rows = {
        RowKey(scenario, limits.LIMIT): limits.LIMIT,
        RowKey(scenario, limits.FOUND, table1.STRICT): "found within 1 ms",
    }
    for method in BELOW_LIMIT:
        keys = (method.key(scenario, *fields) for fields in HARDEST)
        key = next((key for key in keys if key in measured), None)
        if key is not None:
            rows[key] = f"{method.name}, {key.criterion or PAPERS}"
    return rows


def detail_panels(scenario: str, trials: Sequence[Trial], bound: float) -> list[Panel]:
    """Return the same tuned, under the strict criterion, of DTA's variants, and of first error."""
    tuned = {method.key(scenario, variant=TUNED): _name(method) for method in SHOWN}
    strict = {
        method.key(scenario, table1.STRICT, variant): _name(method)
        for method in SHOWN
        for variant in ("", TUNED)
    }
    windows = {
        method.key(scenario): name for name, method in zip(WINDOWS, table1.PROGRAMS, strict=True)
    }
    row_step = table1.PROGRAM.key(scenario, variant="fallback step per row")
    programs = {**windows, row_step: "psp, step per row"}
    projections = {
        table1.PROJECTION.key(scenario, variant=variant): variant or "as in the table"
        for variant in ("", "steady", "no gap")
    }
    alone = {
        table1.FIRST_ERROR.key(scenario): "common setting",
        table1.FIRST_ERROR.key(scenario, variant=TUNED): TUNED,
        table1.FIRST_ERROR.key(scenario, table1.STRICT, TUNED): f"{table1.STRICT}, {TUNED}",
    }
    pictures = [
        Picture("each rule tuned", tuned),
        Picture("strict criterion", strict),
        Picture("DTA (projection)", projections),
        Picture("DTA (linear program)", programs),
        Picture("first error", alone),
    ]
    return _draw(scenario, pictures, trials, bound)


def _name(method: Method) -> str:
    return LINEAR_PROGRAM if method is table1.PROGRAM else method.name


def _draw(
    scenario: str, pictures: Sequence[Picture], trials: Sequence[Trial], bound: float
) -> list[Panel]:
    """Return a panel for each picture that has rows."""
    measured = measured_rows(trials)
    own = group_trials(trials)
    marks = (Mark("x", bound, "bound"), Mark("y", 0.5, "half"))
    labels = ("length of input (ms)", "share of trials learned")
    panels = []
    for title, rows in pictures:
        lines = tuple(
            share_line(name, own[key], key, table1.LOAD_MS[scenario], _method(key))
            for key, name in rows.items()
            if key in measured
        )
        if lines:
            whole = ", ".join(part for part in (TITLES[scenario], title) if part)
            panels.append(Panel(whole, *labels, lines, marks=marks, y_ends=(0.0, 1.0)))
    return panels


def _method(key: RowKey) -> str:
    """Return the method whose colour a row has: one for all windows of the linear program."""
    return LINEAR_PROGRAM if key.method in {one.name for one in table1.PROGRAMS} else key.method
