"""Figure 9: the hybrid network, and one digit on its way through it.

A convolution with frozen filters, rate-coded, and ten spiking neurons that read its pooled
activations as the times of first spikes. Units and parameters are counted, not copied. If MNIST is
available, a test image is followed to the responses of ten neurons after a little learning.

Differs from the paper: it shows the schematic alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from linspike.datasets.mnist import mnist_missing
from linspike.datasets.mnist_features import FIELD, MAPS, POOL, POOLED, SIDE, shipped_filters
from linspike.paper.common import mnist, mnist_trials
from linspike.paper.common.methods import PROJECTION
from linspike.paper.common.mnist import METHODS, MnistCell
from linspike.study.cells import Record, Trial, one_seed
from linspike.study.experiment import Experiment, Heading, NotEnoughTrials, Protocol, Summary
from linspike.study.panels import Flow, Image, Line, Mark, Panel, Stage
from linspike.study.rows import Row, RowKey, Status

RATES, SPIKES = "rate-coded, filters frozen", "spiking, weights learned"
SIZE = mnist.Size(images=2000, tests=200, epochs=2, trials=1)
SHOWN = 0  # which test image
ACROSS = 3  # maps beside each other
NETWORK = RowKey(quantity="network")
DIGIT = RowKey(method=PROJECTION, quantity="digit")
INPUT_SPIKES = RowKey(quantity="input spikes of the digit")


@dataclass(frozen=True, kw_only=True)
class NetworkCell(MnistCell):
    """The network before learning or, with an image to show, after some of it.

    Parameters
    ----------
    shown : int or None
        The test image that is followed through the network.
    """

    shown: int | None = None


def cells(scale: str, trials: Sequence[Trial]) -> list[NetworkCell]:
    """Return the network, and the digit in it: the projection under the paper's protocol."""
    method = METHODS[1]
    network = NetworkCell(
        scale=scale,
        row=NETWORK,
        rule=method.rule,
        settings=method.settings_at(),
        epochs=0,
        images=0,
        tests=0,
    )
    sizes = {"epochs": SIZE.epochs, "images": SIZE.images, "tests": SIZE.tests}
    return [network, network.but(row=DIGIT, shown=SHOWN, **sizes)]


def count_units() -> Record:
    """Return the units and parameters of every layer."""
    filters = shipped_filters()[0]
    convolved = SIDE - FIELD + 1
    channels = filters.features(np.zeros((1, SIDE, SIDE))).shape[1]
    return {
        "pixels": SIDE * SIDE,
        "convolved": MAPS * convolved * convolved,
        "channels": channels,
        "neurons": mnist.DIGITS,
        "filter_parameters": filters.weights.size + filters.bias.size,
        "weights": mnist.DIGITS * channels,
    }


class RecordedOutputs(mnist_trials.SpikingOutputs):
    """Ten neurons whose input and output spikes for a test image can be recorded."""

    def record(self, number: int) -> Record:
        """Return the spikes of an image and of all neurons."""
        patterns, digits = self.spikes["test"]
        pattern, trainer = patterns[number], self.trainer
        trains = [
            trainer.neuron.respond(own, pattern, until=trainer.until).times.tolist()
            for own in self.weights
        ]
        return {
            "digit": int(digits[number]),
            "input_times": pattern.times.tolist(),
            "input_channels": pattern.channels.tolist(),
            "output_times": [time for train in trains for time in train],
            "output_neurons": [neuron for neuron, train in enumerate(trains) for _ in train],
        }


def follow_digit(cell: NetworkCell, seed: int) -> Record:
    """Return a test image, its maps and its spikes, after a little learning."""
    from linspike.datasets import load_mnist

    assert cell.shown is not None
    filters = shipped_filters()
    image = load_mnist("test").images[cell.shown]
    outputs = RecordedOutputs(cell, seed)
    outputs.train(cell.epochs, lambda: False)
    return {
        "image": image.ravel().tolist(),
        "maps": filters[seed % len(filters)].features(image[np.newaxis]).ravel().tolist(),
        "accuracy": 100.0 * outputs.accuracies("test")[0],
        **outputs.record(cell.shown),
    }


def trials(cell: NetworkCell, seeds: Sequence[int]) -> list[Record]:
    """Count units, or follow a digit."""
    return [count_units() if cell.shown is None else follow_digit(cell, seed) for seed in seeds]


def _square(side: int) -> str:
    return f"{side} \N{MULTIPLICATION SIGN} {side}"


def _network_panel(record: Record) -> Panel:
    """Return every stage with what it does, its shape, its units and its parameters."""
    edge, within = SIDE - FIELD + 1, MnistCell.duration
    maps = f"{MAPS} maps of "
    filters, weights = record["filter_parameters"], record["weights"]
    image = ("", _square(SIDE), f"{record['pixels']} pixels", "")
    convolution = (
        f"{MAPS} filters {_square(FIELD)}, ReLU",
        maps + _square(edge),
        f"{record['convolved']} activations",
        f"{filters} parameters",
    )
    pooling = (
        f"largest of {_square(POOL)}",
        maps + _square(POOLED),
        f"{record['channels']} activations",
        "no parameters",
    )
    latencies = (
        "the stronger, the earlier",
        f"within {within:g} ms",
        f"{record['channels']} channels",
        "no parameters",
    )
    neurons = (
        "most spikes win",
        "one for each digit",
        f"{record['neurons']} neurons",
        f"{weights} parameters",
    )
    stages = (
        Stage("image", image, RATES, SIDE, SIDE),
        Stage("convolution", convolution, RATES, edge, edge, MAPS, sees=FIELD),
        Stage("pooling", pooling, RATES, POOLED, POOLED, MAPS, sees=POOL),
        Stage("first spikes", latencies, SPIKES, record["channels"]),
        Stage("neurons", neurons, SPIKES, record["neurons"], sees=0),
    )
    return Panel("A: the network", "", "", flow=Flow(stages))


def _tile(maps: Sequence[float]) -> list[list[float | None]]:
    """Return all maps in one picture, with an empty row or column between them."""
    down, side = MAPS // ACROSS, POOLED + 1
    picture = np.full((down * side - 1, ACROSS * side - 1), np.nan)
    for number, one in enumerate(np.reshape(maps, (MAPS, POOLED, POOLED))):
        row, column = side * (number // ACROSS), side * (number % ACROSS)
        picture[row : row + POOLED, column : column + POOLED] = one
    return [[None if np.isnan(value) else value for value in row] for row in picture.tolist()]


def _picture(title: str, values: Sequence[Sequence[float | None]], label: str) -> Panel:
    x, y = range(len(values[0])), range(len(values))
    return Panel(title, "", "", image=Image(x, y, values, label, picture=True))


def _digit_panels(cell: NetworkCell, record: Record) -> list[Panel]:
    """Return the image, its spikes, its maps, and the responses below the spikes."""
    digit = record["digit"]
    ends = tuple(Mark("x", end, "start and end") for end in (0.0, cell.duration))
    spikes = Line(
        "spike of a channel", record["input_times"], record["input_channels"], style="points"
    )
    responses = list(zip(record["output_times"], record["output_neurons"], strict=True))
    own = [time for time, neuron in responses if neuron == digit]
    others = [(time, neuron + 1) for time, neuron in responses if neuron != digit]
    lines = [Line(f"spike of neuron {digit}", own, [digit + 1] * len(own), style="points")]
    if others:
        times, places = zip(*others, strict=True)
        lines.append(Line("spike of another", times, places, style="points"))
    pixels = (np.reshape(record["image"], (SIDE, SIDE)) / 255.0).tolist()
    names = tuple(str(neuron) for neuron in range(mnist.DIGITS))
    return [
        _picture(f"B: an image of a {digit}", pixels, "brightness"),
        Panel("C: its first spikes", "time (ms)", "channel", (spikes,), marks=ends),
        _picture("D: its maps after pooling", _tile(record["maps"]), "activation"),
        Panel(
            "E: responses of the neurons",
            "time (ms)",
            "neuron",
            tuple(lines),
            marks=ends,
            y_names=names,
        ),
    ]


def summarise(scale: str, trials: Sequence[Trial]) -> Summary:
    """Return the schematic with its numbers and, if MNIST was available, the digit on its way."""
    found = {trial.cell.row: trial for trial in trials}
    if NETWORK not in found:
        raise NotEnoughTrials("The network of figure 9 has not been counted.")
    counts = found[NETWORK].record
    rows = [
        Row(RowKey(quantity="channels"), counts["channels"], n=1),
        Row(RowKey(quantity="parameters of the filters"), counts["filter_parameters"], n=1),
        Row(RowKey(quantity="parameters of the neurons"), counts["weights"], n=1),
    ]
    panels = [_network_panel(counts)]
    if DIGIT not in found:
        reason = "MNIST was not there; `linspike data mnist` fetches it"
        rows.append(Row(INPUT_SPIKES, None, note=reason, status=Status.SKIPPED))
        return Summary(tuple(rows), tuple(panels), (f"The digit on its way is missing: {reason}.",))
    cell, _, record = found[DIGIT]
    rows += _digit_rows(cell, record)
    notes = (
        f"B to E: test image {cell.shown}; the projection after {cell.epochs} epochs of "
        f"{cell.images} images, {record['accuracy']:.1f} % of {cell.tests} tests right.",
    )
    return Summary(tuple(rows), (*panels, *_digit_panels(cell, record)), notes)


def _digit_rows(cell: NetworkCell, record: Record) -> list[Row]:
    own = sum(neuron == record["digit"] for neuron in record["output_neurons"])
    others = len(record["output_times"]) - own
    own_key = RowKey(quantity="output spikes of its neuron")
    others_key = RowKey(quantity="output spikes of the others")
    return [
        Row(INPUT_SPIKES, len(record["input_times"]), n=1),
        Row(own_key, own, n=1, note=f"{cell.spikes} desired"),
        Row(others_key, others, n=1, note="0 desired"),
    ]


EXPERIMENT = Experiment(
    Heading("fig9", "Figure 9", "MNIST: the hybrid network, and a digit on its way"),
    Protocol(NetworkCell, cells, one_seed, trials, summarise),
    unable=lambda cell: mnist_missing() if cell.shown is not None else "",
    batch=1,
    cost=lambda cell: 0.1 if cell.shown is None else 5.0,
    threaded=True,
)
