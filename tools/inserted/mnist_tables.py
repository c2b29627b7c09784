"""Tables of results on MNIST, by the name of their marker."""

from __future__ import annotations

from tools.inserted.cells import NONE, PROGRAM, PROJECTION, our_cell, paper_cell
from tools.inserted.formats import format_table
from tools.inserted.sources import Sources, format_field

DIGITS = 4  # accuracies lie closer together than elsewhere
CHANGE = f"one change, {PROJECTION}, "
UNCHANGED = "none"
MOST_ROWS = 10


def accuracy(sources: Sources) -> str:
    """Return test accuracies of all rules."""
    rows = []
    for method in (PROGRAM, PROJECTION, "EMLC", "MST"):
        plain, tuned = f"{method}, test", f"{method}, tuned, test"
        cells = [our_cell(sources, "table4", label, DIGITS) for label in (plain, tuned)]
        first = _first_epoch(sources, f"{method}, tuned")
        rows.append([method, paper_cell(sources, "table4", plain), *cells, first])
    cnn = our_cell(sources, "table4", "CNN, test", DIGITS)
    rows.append(["no spikes: sigmoid outputs", NONE, NONE, cnn, _first_epoch(sources, "CNN")])
    heads = ["test, %", "the paper", "the paper's protocol", "tuned", "first epoch, tuned"]
    return format_table(heads, rows)


def _first_epoch(sources: Sources, label: str) -> str:
    return format_field(sources.row("fig10", f"{label}, first epoch"), "ours", DIGITS)


def changes(sources: Sources) -> str:
    """Return the changes of one setting that matter most."""
    return _table_of_changes(_sorted_changes(sources)[:MOST_ROWS])


def small_changes(sources: Sources) -> str:
    """Return the other changes."""
    return _table_of_changes(_sorted_changes(sources)[MOST_ROWS:])


def _sorted_changes(sources: Sources) -> list[tuple[str, float, float]]:
    """Return name, accuracy and difference of every change, the largest first."""
    ours = {
        label.removeprefix(CHANGE).removesuffix(", validation"): row["ours"]
        for label, row in sources.published["table4"].items()
        if label.startswith(CHANGE)
    }
    start = ours.pop(UNCHANGED)
    found = [(name, value, value - start) for name, value in ours.items()]
    return sorted(found, key=lambda change: -abs(change[2]))


def _table_of_changes(found: list[tuple[str, float, float]]) -> str:
    rows = [[name, f"{value:.2f}", f"{points:+.2f}"] for name, value, points in found]
    return format_table(["changed", "validation, %", "points"], rows)


MNIST_TABLES = {
    "mnist-accuracy": accuracy,
    "mnist-changes": changes,
    "mnist-small-changes": small_changes,
}
