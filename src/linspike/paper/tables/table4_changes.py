"""Table 4's one change at a time: what lifts the projection, on validation images."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from linspike.paper.common.methods import PROJECTION
from linspike.paper.common.mnist import MnistCell
from linspike.study.analysis.intervals import percent_interval
from linspike.study.analysis.learning_curves import last_accuracies
from linspike.study.cells import Trial
from linspike.study.panels import Line, Mark, Panel
from linspike.study.rows import Row, RowKey

KEY = RowKey(scenario="one change", method=PROJECTION)
CHANGES: dict[str, dict[str, Any]] = {
    "none": {},
    "ties to the first": {"ties": "paper"},
    "exactly 2 spikes": {"target": "exact"},
    "1 spike": {"spikes": 1},
    "5 spikes": {"spikes": 5},
    "10 spikes": {"spikes": 10},
    "tau_m 20, tau_s 5": {"tau_m": 20.0, "tau_s": 5.0},
    "activations / largest": {"activation": None},
    "activations / 2": {"activation": 2.0},
    "10 ms more to respond": {"horizon": 10.0},
    "desired times by halving": {"settings": {"count_target": "halving"}},
    "along the gradient": {"settings": {"count_target": "gradient"}},
    "along the gradient, bound 0.1": {"settings": {"count_target": "gradient", "bound": 0.1}},
    "along the gradient, bound 0.03": {"settings": {"count_target": "gradient", "bound": 0.03}},
    "bound 0.1": {"settings": {"bound": 0.1}},
    "bound 1": {"settings": {"bound": 1.0}},
    "margin 0": {"settings": {"margin": 0.0}},
    "margin 0.5": {"settings": {"margin": 0.5}},
    "steps fall as 1/(1 + 0.3 epoch)": {"decay_rate": 0.3},
    "mean of weights over epochs": {"average": True},
}


def cells(start: MnistCell) -> list[MnistCell]:
    """Return the starting cell with each change."""
    return [
        start.but(
            **{
                **fields,
                "row": KEY.but(variant=name),
                "settings": {**start.settings, **fields.get("settings", {})},
            }
        )
        for name, fields in CHANGES.items()
    ]


def rows(trials: Sequence[Trial]) -> list[Row]:
    """Return the validation accuracy of each change that has trials."""
    return [
        Row(KEY.but(variant=name, quantity="validation"), *percent_interval(found), len(found), "%")
        for name, found in _accuracies(trials).items()
    ]


def panels(trials: Sequence[Trial]) -> list[Panel]:
    """Return every change with all its trials, the first on top; [] for fewer than two."""
    found = dict(reversed(_accuracies(trials).items()))
    if len(found) < 2:
        return []
    places = [float(place) for place, values in enumerate(found.values(), 1) for _ in values]
    line = Line(PROJECTION, [value for values in found.values() for value in values], places)
    top = list(found)[-1]
    return [
        Panel(
            "One thing changed at a time",
            "validation accuracy (%)",
            "",
            (line._replace(style="points"),),
            marks=(Mark("x", float(np.mean(found[top])), top),),
            y_names=tuple(found),
        )
    ]


def _accuracies(trials: Sequence[Trial]) -> dict[str, list[float]]:
    """Return the validation accuracies of each change that has trials."""
    found = {name: last_accuracies(trials, KEY.but(variant=name), "test") for name in CHANGES}
    return {name: list(values.values()) for name, values in found.items() if values}
