"""Figure 9: the hybrid network, and one digit on its way through it.

A convolution with frozen filters, rate-coded, and ten spiking neurons that read its pooled
activations as the times of first spikes. Units and parameters are counted, not copied. Where
MNIST is there, a test image is followed to the answers of ten neurons after a little learning.

Differs from the paper: it shows the schematic alone.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from linspike.datasets.mnist import mnist_missing
from linspike.datasets.mnist_features import FIELD, MAPS, POOL, POOLED, SIDE, shipped_filters
from linspike.paper.common import mnist
from linspike.study.experiment import (
    Cell,
    Experiment,
    Flow,
    Image,
    Line,
    Mark,
    Panel,
    Record,
    Row,
    Stage,
    Summary,
    Trial,
    one_seed,
)

NETWORK, DIGIT = "network", "digit"
RATES, SPIKES = "rate-coded, filters frozen", "spiking, weights learned"
LEARNED = {"images": 2000, "tests": 200, "epochs": 2}
SHOWN = 0  # which test image
ACROSS = 3  # maps beside each other


def cells(scale: str, trials: Sequence[Trial]) -> list[Cell]:
    """The network as it is, and the digit on its way: ours, under the paper's protocol."""
    mine = mnist.CONTENDERS[1]
    digit = mnist.base(scale, mine, mine.common, DIGIT, LEARNED)
    return [{"scale": scale, "row": NETWORK}, {**digit, "shown": SHOWN}]


def counted() -> Record:
    """Units and parameters of every layer."""
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


class Shown(mnist.Spiking):
    """Ten neurons that let one look at a test image as they see it, and at their answers."""

    def digit(self, number: int) -> Record:
        """Spikes of an image and of all neurons that see it."""
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


def followed(cell: Cell, seed: int) -> Record:
    """A test image and all that becomes of it, after a little learning."""
    from linspike.datasets import load_mnist

    filters = shipped_filters()
    image = load_mnist("test").images[cell["shown"]]
    learner = Shown(cell, seed)
    learner.train(cell["epochs"], lambda: False)
    return {
        "image": image.ravel().tolist(),
        "maps": filters[seed % len(filters)].features(image[np.newaxis]).ravel().tolist(),
        "accuracy": 100.0 * learner.accuracy("test"),
        **learner.digit(cell["shown"]),
    }


def trials(cell: Cell, seeds: Sequence[int]) -> list[Record]:
    """Count, or learn and look."""
    return [counted() if cell["row"] == NETWORK else followed(cell, seed) for seed in seeds]


def _square(side: int) -> str:
    return f"{side} \N{MULTIPLICATION SIGN} {side}"


def _network_panel(record: Record) -> Panel:
    """Every stage with what it does, its shape, its units and its parameters."""
    edge, within = SIDE - FIELD + 1, mnist.PROTOCOL["duration"]
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


def _tiled(maps: Sequence[float]) -> list[list[float | None]]:
    """All maps in one picture, with a row or column of nothing between them."""
    down, side = MAPS // ACROSS, POOLED + 1
    picture = np.full((down * side - 1, ACROSS * side - 1), np.nan)
    for number, one in enumerate(np.reshape(maps, (MAPS, POOLED, POOLED))):
        row, column = side * (number // ACROSS), side * (number % ACROSS)
        picture[row : row + POOLED, column : column + POOLED] = one
    return [[None if np.isnan(value) else value for value in row] for row in picture.tolist()]


def _picture(title: str, values: Sequence[Sequence[float | None]], label: str) -> Panel:
    x, y = range(len(values[0])), range(len(values))
    return Panel(title, "", "", image=Image(x, y, values, label, picture=True))


def _digit_panels(cell: Cell, record: Record) -> list[Panel]:
    """The image, its spikes, its maps, and the answers below the spikes."""
    digit = record["digit"]
    ends = tuple(Mark("x", end, "start and end") for end in (0.0, cell["duration"]))
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
        _picture("D: its maps after pooling", _tiled(record["maps"]), "activation"),
        Panel("E: the answers", "time (ms)", "neuron", tuple(lines), marks=ends, y_names=names),
    ]


def summarise(scale: str, trials: Sequence[Trial]) -> Summary:
    """The schematic with its numbers and, where it is there, the digit on its way."""
    found = {trial.cell["row"]: trial for trial in trials}
    counts = found[NETWORK].record
    rows = [
        Row("channels", counts["channels"], n=1),
        Row("parameters of the filters", counts["filter_parameters"], n=1),
        Row("parameters of the neurons", counts["weights"], n=1),
    ]
    panels = [_network_panel(counts)]
    if DIGIT not in found:
        reason = "skipped: MNIST was not there; `linspike data mnist` fetches it"
        rows.append(Row("input spikes of the digit", None, note=reason))
        return Summary(tuple(rows), tuple(panels), (f"The digit on its way is missing: {reason}.",))
    cell, _, record = found[DIGIT]
    own = sum(neuron == record["digit"] for neuron in record["output_neurons"])
    desired = f"{cell['spikes']} desired"
    rows += [
        Row("input spikes of the digit", len(record["input_times"]), n=1),
        Row("output spikes of its neuron", own, n=1, note=desired),
        Row(
            "output spikes of the others", len(record["output_times"]) - own, n=1, note="0 desired"
        ),
    ]
    notes = (
        f"B to E: test image {cell['shown']}; ours after {cell['epochs']} epochs of "
        f"{cell['images']} images, {record['accuracy']:.1f} % of {cell['tests']} tests right.",
    )
    return Summary(tuple(rows), (*panels, *_digit_panels(cell, record)), notes)


EXPERIMENT = Experiment(
    id="fig9",
    title="MNIST: the hybrid network, and a digit on its way",
    place="Figure 9",
    cells=cells,
    seeds=one_seed,
    trials=trials,
    summarise=summarise,
    unable=lambda cell: mnist_missing() if cell["row"] == DIGIT else "",
    batch=1,
    cost=lambda cell: 0.1 if cell["row"] == NETWORK else 5.0,
    threaded=True,
)
