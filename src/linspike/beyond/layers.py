"""A hidden layer: random and fixed, or learned together with the output neuron.

Tasks are those of `delays` with few inputs. Every method starts from the same hidden layer, so that
what learning it adds is seen seed by seed: joint constraints, Adam on the same gradients, and the
paper's spike jitter. Then temporal XOR, which has few inputs and needs several delays of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from linspike.beyond.delays import LEARNED, STRICT, WEIGHTS, rule_settings
from linspike.beyond.layer_cells import (
    ADAM,
    FIXED,
    JITTER,
    JOINT,
    NO_LAYER,
    RATE,
    RULES,
    XOR,
    XOR_DELAY,
    XOR_HIDDEN,
    XOR_RATE,
    LayerCell,
    learn,
)
from linspike.beyond.paired_loads import Grid, gain_rows, grid_cells, seed_capacities
from linspike.paper.common.capacity_rows import capacity_row, group_trials, share_line
from linspike.paper.common.methods import PROJECTION
from linspike.study.analysis.intervals import median_interval, percent_interval
from linspike.study.cells import Record, Trial
from linspike.study.experiment import Experiment, Heading, Protocol, Summary
from linspike.study.panels import Line, Mark, Panel
from linspike.study.rows import Row, RowKey

FACTOR = 1.6  # a gain of joint learning that is tested apart
N_INPUTS = 50


class Size(NamedTuple):
    """Trials a load, of XOR, and epochs."""

    trials: int
    xor_trials: int
    max_epochs: int


SIZES = {"smoke": Size(2, 2, 40), "laptop": Size(8, 20, 300), "paper": Size(20, 60, 300)}
Grids = dict[tuple[int, str, str], Grid]  # by hidden neurons, method and variant
SMOKE: Grids = {
    (0, PROJECTION, WEIGHTS): Grid(2, 4, 2, 4),
    **{(15, method, WEIGHTS): Grid(2, 4, 2, 4) for method in RULES},
    (15, FIXED, LEARNED): Grid(2, 4, 2, 4),
}
LAPTOP: Grids = {
    (0, PROJECTION, WEIGHTS): Grid(4, 16, 2, 50),
    (100, FIXED, WEIGHTS): Grid(12, 22, 2, 100),
    (400, FIXED, WEIGHTS): Grid(40, 60, 5, 400),
    (100, FIXED, LEARNED): Grid(20, 44, 4, 200),
    (100, JOINT, WEIGHTS): Grid(24, 40, 4, 100),
    (100, ADAM, WEIGHTS): Grid(12, 28, 4, 100),
    (100, JITTER, WEIGHTS): Grid(8, 20, 4, 100),
}
PAPER: Grids = {
    **LAPTOP,
    (200, FIXED, WEIGHTS): Grid(24, 36, 4, 200),
    (800, FIXED, WEIGHTS): Grid(72, 108, 12, 800),
    (200, JOINT, WEIGHTS): Grid(48, 72, 8, 200),
    (200, ADAM, WEIGHTS): Grid(20, 44, 8, 200),
    (200, JITTER, WEIGHTS): Grid(20, 36, 8, 200),
}
GRIDS = {"smoke": SMOKE, "laptop": LAPTOP, "paper": PAPER}


def cells(scale: str, trials: Sequence[Trial]) -> list[LayerCell]:
    """Return XOR, then every load of every layer."""
    own = group_trials(trials)
    found = [_xor_cell(scale, method) for method in RULES]
    for (hidden, method, variant), grid in GRIDS[scale].items():
        base = _base(scale, hidden, method, variant)
        found += grid_cells(base, grid, own[base.row], SIZES[scale].trials)
    return found


def layer_key(hidden: int, method: str, variant: str = WEIGHTS) -> RowKey:
    """Return the row of a method with so many hidden neurons."""
    return RowKey(f"{hidden} hidden" if hidden else NO_LAYER, method, STRICT, variant)


def xor_key(method: str) -> RowKey:
    """Return the row of a method on XOR."""
    return RowKey(XOR, method, STRICT)


def _base(scale: str, hidden: int, method: str, variant: str) -> LayerCell:
    """Return the cell of a row, at no load yet."""
    rule, settings = RULES.get(method, RULES[FIXED])
    return LayerCell(
        scale=scale,
        row=layer_key(hidden, method, variant),
        rule=rule,
        settings=rule_settings(variant) if rule == "dta" else settings,
        n_channels=15 if scale == "smoke" else N_INPUTS,
        max_epochs=SIZES[scale].max_epochs,
        criterion=STRICT,
        task="few inputs",
        hidden=hidden,
        rate=RATE,
    )


def _xor_cell(scale: str, method: str) -> LayerCell:
    """Return a method on XOR, behind hidden neurons whose inputs are delayed."""
    return _base(scale, XOR_HIDDEN, method, WEIGHTS).but(
        row=xor_key(method),
        n_channels=3,
        load=4,
        task=XOR,
        rate=XOR_RATE,
        hidden_delay=XOR_DELAY,
    )


def seeds(scale: str, cell: LayerCell) -> Sequence[int]:
    """Return the seeds of a cell: the same for all methods."""
    return range(SIZES[scale].xor_trials if cell.task == XOR else SIZES[scale].trials)


def trials(cell: LayerCell, seeds: Sequence[int]) -> list[Record]:
    """Learn, one chain per seed."""
    results = [learn(cell, seed)[0] for seed in seeds]
    return [{"learned": bool(one.converged), "epochs": int(one.epochs)} for one in results]


def summarise(scale: str, trials: Sequence[Trial]) -> Summary:
    """Return capacities and gains over the layer as it is, and what is learned of XOR."""
    own = group_trials(trials)
    keys = [layer_key(*entry) for entry in GRIDS[scale]]
    measured = [key for key in keys if key in own]
    rows = [capacity_row(key, own[key], "patterns") for key in measured]
    capacities = {key: seed_capacities(own[key], key) for key in measured}
    for key, reference, name, factors in _pairs(scale):
        rows += gain_rows(capacities, key, reference, name, factors)
    rows += [row for method in RULES for row in _xor_rows(method, own)]
    panels = [panel for panel in _panels(scale, own) if panel.lines]
    return Summary(tuple(rows), tuple(panels), _notes(scale))


def _pairs(scale: str) -> Iterator[tuple[RowKey, RowKey, str, tuple[float, ...]]]:
    """Yield rows that are compared seed by seed, with the name of the second and factors."""
    for hidden, method, variant in GRIDS[scale]:
        key = layer_key(hidden, method, variant)
        if method in (JOINT, ADAM, JITTER) or variant == LEARNED:
            factors = (FACTOR,) if method == JOINT else ()
            yield key, layer_key(hidden, FIXED), "the fixed layer", factors
        elif method == FIXED:
            yield key, layer_key(0, PROJECTION), NO_LAYER, ()
        if method == JOINT:
            yield key, layer_key(hidden, ADAM), ADAM, ()


def _xor_rows(method: str, own: Mapping[RowKey, list[Trial]]) -> list[Row]:
    """Return the share of trials that learned XOR, and their median epochs."""
    key = xor_key(method)
    found = own.get(key, [])
    if not found:
        return []
    learned = [100.0 * trial.record["learned"] for trial in found]
    used = [float(trial.record["epochs"]) for trial in found if trial.record["learned"]]
    rows = [Row(key, *percent_interval(learned), len(learned), "%")]
    if used:
        of_learned = "median of the trials that learned"
        epochs = key.but(quantity="epochs")
        rows.append(Row(epochs, *median_interval(used), len(used), "epochs", of_learned))
    return rows


def _panels(scale: str, own: Mapping[RowKey, list[Trial]]) -> Iterator[Panel]:
    """Yield the share learned by load: of random layers, and of each layer that learns."""
    entries = [(entry, layer_key(*entry)) for entry in GRIDS[scale]]
    random = [
        (key.scenario, key)
        for (_, method, variant), key in entries
        if method in (FIXED, PROJECTION) and variant == WEIGHTS
    ]
    yield _panel("Random layers", random, own)
    for hidden in sorted({entry[0] for entry in GRIDS[scale] if entry[1] == JOINT}):
        shown = [
            (", ".join(filter(None, (key.method, key.variant))), key)
            for (size, _, _), key in entries
            if size == hidden
        ]
        yield _panel(f"{hidden} hidden neurons", shown, own)


def _panel(
    title: str, shown: Sequence[tuple[str, RowKey]], own: Mapping[RowKey, list[Trial]]
) -> Panel:
    lines: list[Line] = [
        share_line(name, own[key], key, method=name) for name, key in shown if key in own
    ]
    labels = ("number of patterns", "share of trials learned")
    return Panel(title, *labels, tuple(lines), marks=(Mark("y", 0.5, "half"),), y_ends=(0.0, 1.0))


def _notes(scale: str) -> tuple[str, ...]:
    size = SIZES[scale]
    return (
        f"{15 if scale == 'smoke' else N_INPUTS} inputs with one spike each, uniform in 100 ms, "
        f"two desired spikes, {size.trials} trials a load, {size.max_epochs} epochs, strict "
        "criterion. Hidden weights are normal, scaled to three spikes per neuron and pattern.",
        "Settings of joint layers, Adam and spike jitter were chosen on other seeds, of about 40 "
        "each. The best shift of spike jitter was the smallest, 0.001 ms: it moves the layer "
        "least.",
        f"Temporal XOR: {XOR_HIDDEN} hidden neurons with random delays up to {XOR_DELAY:g} ms, "
        f"{size.xor_trials} trials.",
    )


EXPERIMENT = Experiment(
    Heading("layers", "Beyond", "Capacity behind a random layer, and of layers learned together"),
    Protocol(LayerCell, cells, seeds, trials, summarise),
    batch=5,
    cost=lambda cell: 0.2 + 0.005 * cell.hidden * (5.0 if cell.rule != "dta" else 1.0),
)
