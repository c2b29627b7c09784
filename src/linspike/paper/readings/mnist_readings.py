"""Readings of MNIST: what the paper's text leaves open, changed one at a time.

The paper's program under the protocol of table 4, and each thing that the text does not fix:
what activations above 1 become, the activation function and the training of the network, how long
neurons may respond, the bounds and the fallback step. Every response is judged under three
readings of equal counts: the first of them wins; right if the own digit is among them; the same,
but silence of all neurons is wrong. Images before the last 10000 are learned and these are tested,
for five epochs: test images are not used.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from linspike.datasets.mnist import mnist_missing
from linspike.paper.common import mnist, mnist_trials
from linspike.paper.common.methods import LINEAR_PROGRAM, tuning_seeds
from linspike.paper.common.mnist import AMONG, METHODS, OTHER_TIES, SIZES, MnistCell
from linspike.study.analysis.intervals import percent_interval
from linspike.study.cells import Trial
from linspike.study.experiment import Experiment, Heading, NotEnoughTrials, Protocol, Summary
from linspike.study.panels import Line, Panel
from linspike.study.rows import Row, RowKey

KEY = RowKey(method=LINEAR_PROGRAM)
LITERAL = "as table 4"
READINGS: dict[str, dict[str, Any]] = {
    LITERAL: {},
    "activations / largest": {"activation": None},
    "activations / largest of the image": {"activation": "image"},
    "activations / 2": {"activation": 2.0},
    "activations above 1 spike before time 0": {"activation": "unclipped"},
    "network with sigmoid": {"filters": "sigmoid"},
    "network with tanh": {"filters": "tanh"},
    "network trained by SGD": {"filters": "relu, SGD"},
    "10 ms more to respond": {"horizon": 10.0},
    "bound 0.0003": {"settings": {"bound": 0.0003}},
    "bound 0.003": {"settings": {"bound": 0.003}},
    "bound 0.01": {"settings": {"bound": 0.01}},
    "fallback 0.001 per step": {"settings": {"fallback_per": "step"}},
    "margin 0.1": {"settings": {"margin": 0.1}},
}
PARTS = ("test", *(f"test, {ties}" for ties in OTHER_TIES))


def cells(scale: str, trials: Sequence[Trial]) -> list[MnistCell]:
    """Return every reading."""
    size = SIZES[scale]
    images = size.tuning_images or size.images
    epochs = min(size.epochs, mnist.TUNING_EPOCHS)
    start = mnist.make_cell(scale, METHODS[0], size._replace(images=images, epochs=epochs))
    start = start.but(validation=True, other_ties=OTHER_TIES)
    return [
        start.vary(name, **{**fields, "settings": {**start.settings, **fields.get("settings", {})}})
        for name, fields in READINGS.items()
    ]


def seeds(scale: str, cell: MnistCell) -> Sequence[int]:
    """Return the seeds of a reading."""
    return tuning_seeds(SIZES[scale].changes or 1)


def summarise(scale: str, trials: Sequence[Trial]) -> Summary:
    """Return the validation accuracy of each reading, under each reading of equal counts."""
    rows: list[Row] = []
    for name in READINGS:
        key = KEY.but(variant=name)
        records = [trial.record for trial in trials if trial.cell.row == key]
        for part in PARTS if records else ():
            found = [record[part][-1] for record in records]
            quantity = part.replace("test", "validation")
            row = Row(key.but(quantity=quantity), *percent_interval(found), len(found), "%")
            rows.append(row)
    if not rows:
        raise NotEnoughTrials("No reading of MNIST has trials.")
    return Summary(tuple(rows), (), NOTES, (_panel(rows),))


def _panel(rows: Sequence[Row]) -> Panel:
    """Return every reading, the first on top, with the first of equal counts or all of them."""
    lines = []
    for quantity, name in (
        ("validation", "first of equal counts"),
        (f"validation, {AMONG}", AMONG),
    ):
        values = [row.value or 0.0 for row in reversed(rows) if row.key.quantity == quantity]
        places = [float(place) for place in range(1, len(values) + 1)]
        lines.append(Line(name, values, places, style="points"))
    names = [row.key.variant for row in reversed(rows) if row.key.quantity == "validation"]
    title = "One reading changed at a time"
    return Panel(title, "validation accuracy (%)", "", tuple(lines), y_names=tuple(names))


NOTES = (
    "Images before the last 10000 of training are learned for five epochs, and these are tested.",
    "Among: right where the own digit is among those with most spikes. Among, not silent: the "
    "same, but wrong where no neuron responds.",
)


EXPERIMENT = Experiment(
    Heading("mnist_readings", "Readings", "Readings of MNIST: one thing changed at a time"),
    Protocol(MnistCell, cells, seeds, mnist_trials.trials, summarise),
    needs=mnist_missing,
    batch=1,
    cost=mnist.cost,
    threaded=True,
)
