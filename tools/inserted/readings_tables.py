"""Tables of readings of the paper, by the name of their marker."""

from __future__ import annotations

import re
from typing import Any

from tools.inserted.cells import NONE, PROGRAM, paper_cell
from tools.inserted.formats import format_table
from tools.inserted.sources import Sources, format_field

from linspike.paper.readings.program import PRESET, counts_name

TASKS = {
    "short": "short patterns",
    "long": "one long pattern",
    "counts": "five classes",
    "iris": "Iris",
    "mnist": "MNIST",
}
RULES = ("FILT", "FILT, window of Gardner", "ReSuMe", "PSD", "MST", "EMLC")
STEP, OTHER = "implied step size", "the other implied step size"
TARGETS = {
    "short, psp": "short, psp",
    "short, stdp": "short, stdp",
    "short, filt": "short, filt",
    "counts, psp": "classes",
    "long, psp": "long, psp",
    "long, stdp": "long, stdp",
    "long, filt": "long, filt",
}
THREE, SEVEN = ", distance, psp", ", distance, all"
# Shown though they did not come to one long pattern: another bound, the text's fallback step.
SHOWN = (
    "bound 0.03, fallback 0.01 per step, always a step",
    "bound 0.01, fallback 0.01 per row, always a step",
)
SETTINGS, MOST_ROWS = 9, 10
WORDS = re.compile(r"(Explained|Tried): (.*)$")


def step_sizes(sources: Sources) -> str:
    """Return the step sizes at which each rule has its printed number."""
    found = sources.published["step_sizes"]
    rows = []
    for rule in RULES:
        cells = [rule]
        for task in TASKS:
            steps = [found.get(f"{task}, {rule}, {name}") for name in (STEP, OTHER)]
            texts = [_with_interval(step) for step in steps if step and step["ours"] is not None]
            tried = any(step is not None for step in steps)
            cells.append(" or ".join(texts) or ("none" if tried else NONE))
        rows.append(cells)
    return format_table(["", *TASKS.values()], rows)


def _with_interval(row: dict[str, Any]) -> str:
    return f"{format_field(row, 'ours', 2)} {format_field(row, 'interval', 2)}"


def program_search(sources: Sources) -> str:
    """Return the settings tried on one long pattern, the nearest first, and some others."""
    found = sources.published["program"]
    three = {
        label.removesuffix(THREE): row["ours"]
        for label, row in found.items()
        if label.endswith(THREE)
    }
    printed = [paper_cell(sources, *_printed(target)) for target in TARGETS]
    rows = [["the paper", *printed, NONE, NONE]]
    others = [name for name in SHOWN if name not in three]
    for name in [*sorted(three, key=lambda name: three[name]), *others][:SETTINGS]:
        cells = [f"`DTA.paper()`: {name}" if name == PRESET else name]
        for target in TARGETS:
            setting = counts_name(name) if target.startswith("counts") else name
            cells.append(_value_or_bound(found.get(f"{target}, {setting}")))
        distances = [found.get(f"{name}{end}") for end in (THREE, SEVEN)]
        rows.append([*cells, *(f"{row['ours']:.2f}" if row else NONE for row in distances)])
    heads = ["distance, psp", "distance, all"]
    return format_table(["setting", *TARGETS.values(), *heads], rows)


def _printed(target: str) -> tuple[str, str]:
    """Return the experiment and the row with the printed number of a target."""
    task, window = target.split(", ")
    if task == "counts":
        return "table2", PROGRAM
    return "table1", f"{task}, DTA {window} (paper's linear program)"


def _value_or_bound(row: dict[str, Any] | None) -> str:
    """Return a capacity, or what is known of it: below or above a load."""
    if row is None:
        return NONE
    if row["ours"] is not None:
        return format_field(row, "ours")
    bound = row["hi"] if row["lo"] is None else row["lo"]
    return f"{'<' if row['lo'] is None else '>'} {bound:.0f}"


def mnist_readings(sources: Sources) -> str:
    """Return the most accurate readings of MNIST with their trials, the best first."""
    return _table_of_readings(sources, 0, MOST_ROWS)


def other_mnist_readings(sources: Sources) -> str:
    """Return the other readings of MNIST."""
    return _table_of_readings(sources, MOST_ROWS, None)


def _table_of_readings(sources: Sources, first: int, stop: int | None) -> str:
    found = sources.published["mnist_readings"]
    end = ", validation"
    names = [
        label.removeprefix(f"{PROGRAM}, ").removesuffix(end)
        for label in found
        if label.endswith(end)
    ]
    names.sort(key=lambda name: -float(found[f"{PROGRAM}, {name}{end}"]["ours"]))
    rows = []
    for name in names[first:stop]:
        labels = [
            f"{PROGRAM}, {name}{end}{ties}" for ties in ("", ", among", ", among, not silent")
        ]
        trials = str(found[labels[0]]["n"])
        rows.append([name, trials, *(format_field(found[label], "ours", 4) for label in labels)])
    ties = ["first of equal counts", "among equal counts", "the same, silence wrong"]
    return format_table(["reading, validation, %", "trials", *ties], rows)


def explained(sources: Sources) -> str:
    """Return how many rows are explained, and how many are not, by table; figures as one."""
    counts: dict[str, list[int]] = {}
    for row, word, _ in _sentences(sources):
        name = re.sub(r"^fig.*", "figures", row["id"].replace("table", "table "))
        own = counts.setdefault(name.replace("claims", "text"), [0, 0])
        own[0 if word == "Explained" else 1] += 1
    rows = [[name, str(sum(own)), str(own[0]), str(own[1])] for name, own in counts.items()]
    columns = zip(*(map(int, row[1:]) for row in rows), strict=True)
    rows.append(["all", *(str(sum(column)) for column in columns)])
    return format_table(["", "short or differing", "explained", "not explained"], rows)


def sentences(sources: Sources) -> str:
    """Return what was tried for every row that is short or differs."""
    rows = [
        [f"{row['id']}: {row['row']}", f"{word.lower()}: {text}"]
        for row, word, text in _sentences(sources)
    ]
    return format_table(["row", "readings"], rows)


def _sentences(sources: Sources) -> list[tuple[dict[str, Any], str, str]]:
    found = []
    for rows in sources.published.values():
        for row in rows.values():
            match = WORDS.search(row["note"])
            if match:
                found.append((row, match[1], match[2]))
    return found


READINGS_TABLES = {
    "step-sizes": step_sizes,
    "program-search": program_search,
    "mnist-readings": mnist_readings,
    "mnist-other-readings": other_mnist_readings,
    "explained": explained,
    "sentences": sentences,
}
