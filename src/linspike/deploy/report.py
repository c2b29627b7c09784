"""Result of a check: rows, and the same as table, JSON and picture."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any, NamedTuple

HEADINGS = ("dt (ms)", "bits", "changed", "median (ms)", "max (ms)", "accuracy")


class DeployRow(NamedTuple):
    """What one time step and one size of weights change, compared with exact responses.

    Attributes
    ----------
    dt : float or None
        Length of a bin in milliseconds; None for exact times.
    bits : int or None
        Size of a weight; None for weights as they are.
    count_changed : float
        Share of the patterns to which some neuron responds with another number of spikes.
    median_error, max_error : float
        By how many milliseconds spikes are displaced: of responses whose number of spikes is the
        same, paired in order. NaN where there is no such spike.
    accuracy : float or None
        Share of right classes; None without labels.
    """

    dt: float | None
    bits: int | None
    count_changed: float
    median_error: float
    max_error: float
    accuracy: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return the row as JSON has it: None for NaN."""
        values = self._asdict()
        for name in ("median_error", "max_error"):
            values[name] = None if math.isnan(values[name]) else values[name]
        return values


@dataclass(frozen=True)
class DeployReport:
    """Result of `deploy_check`; printed, it is a table.

    Attributes
    ----------
    reference : DeployRow
        The exact response with weights as they are: no change, and the accuracy to compare with.
    rows : tuple of DeployRow
        One for each combination of time step and bits.
    n_patterns, n_neurons, n_spikes : int
        Size of the check; spikes are those of the reference.
    """

    reference: DeployRow
    rows: tuple[DeployRow, ...]
    n_patterns: int
    n_neurons: int
    n_spikes: int

    def __str__(self) -> str:
        cells = [_cells(row) for row in (self.reference, *self.rows)]
        shown = 6 if self.reference.accuracy is not None else 5
        lines = [HEADINGS, *cells]
        widths = [max(len(line[column]) for line in lines) for column in range(shown)]
        return "\n".join(
            "  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=False))
            for line in lines
        )

    def to_dict(self) -> dict[str, Any]:
        """Return everything as a dict of plain values."""
        return {
            "n_patterns": self.n_patterns,
            "n_neurons": self.n_neurons,
            "n_spikes": self.n_spikes,
            "reference": self.reference.to_dict(),
            "rows": [row.to_dict() for row in self.rows],
        }

    def to_json(self) -> str:
        """Return `to_dict` as JSON."""
        return json.dumps(self.to_dict(), indent=1)

    def plot(self, *, ax: Any = None) -> Any:
        """Draw the rows with `plot_deploy_check`; return the axes."""
        from linspike.plotting import plot_deploy_check

        return plot_deploy_check(self, ax=ax)


def _cells(row: DeployRow) -> tuple[str, ...]:
    return (
        "exact" if row.dt is None else f"{row.dt:g}",
        "full" if row.bits is None else str(row.bits),
        f"{100.0 * row.count_changed:.1f} %",
        _format_error(row.median_error),
        _format_error(row.max_error),
        "" if row.accuracy is None else f"{100.0 * row.accuracy:.1f} %",
    )


def _format_error(error: float) -> str:
    return "-" if math.isnan(error) else f"{error:.3g}"
