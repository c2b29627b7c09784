"""Table 3: Iris, three neurons that answer their own species with ten spikes.

Half of the flowers to learn from, half to be tested on; the same halves, order of presentation
and initial weights for every rule. Beside the paper's protocol (a neuron's own species needs
exactly ten spikes; of equal counts the first wins; one step size for all) each rule stands at its
best: step size and its decay from the same fourteen settings for each, at least ten spikes, ties
told apart by grades. Tuning has seeds of its own and looks at training halves alone.

Differs from the paper: its DTA is taken as the linear program of `DTA.paper`. Its step sizes
and initial weights for Iris are not stated; eta is 0.01 as in its other tables. Fields have the
width of the reference, not the printed one, under which all spikes would come at once.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from linspike.paper.common import iris
from linspike.paper.common.capacity_rows import Contender, tuning_seeds
from linspike.paper.common.iris import CONTENDERS, EPOCHS, LP, OURS, RIVALS, SIZES
from linspike.study.analysis.accuracies import accuracy_rows, rank_panel, scores
from linspike.study.experiment import (
    Cell,
    Experiment,
    Line,
    Panel,
    Row,
    Summary,
    Trial,
    mean_interval,
    paired,
    percent_interval,
)
from linspike.study.analysis.statistics import friedman, nemenyi

DECAYS = (0.0, 0.3)
SMALL_STEP = 0.001
VARIANTS = (
    "",
    f"eta {SMALL_STEP:g}: ",
    "freed: ",
    "best: ",
    "plain halves: ",
    "freed, plain halves: ",
    "gradient: ",
    "gradient, plain halves: ",
)
FREED = {"target": "at_least", "ties": "graded"}
# What the paper says it searched, each around its choice.
SEARCHED: dict[str, tuple[float, ...]] = {
    "spikes": (1, 2, 5, 10, 20),
    "beta": (0.5, 1.0, 1.5, 2.0, 3.0),
    "duration": (5.0, 10.0, 20.0, 50.0),
}


def cells(scale: str, trials: Sequence[Trial]) -> list[Cell]:
    """The paper's rows, the search around its choices, tuning, then each rule at its best."""
    size = SIZES[scale]
    common = [iris.base(scale, who, who.common, who.name, size["epochs"]) for who in CONTENDERS]
    freed = [{**cell, "row": f"freed: {cell['row']}", **FREED} for cell in common]
    plain = {"halves": "plain"}
    found = [
        *common,
        *freed,
        *({**cell, "row": f"plain halves: {cell['row']}", **plain} for cell in common),
        *(
            {**cell, "row": f"freed, plain halves: {who.name}", **plain}
            for who, cell in zip(CONTENDERS, freed, strict=True)
        ),
    ]
    if scale == "smoke":
        return common
    # Not stated for Iris is what MNIST is learned with: where that leaves the rivals in 20 epochs.
    found += [
        iris.base(scale, who, SMALL_STEP, f"eta {SMALL_STEP:g}: {who.name}", size["epochs"])
        for who in CONTENDERS[2:]
    ]
    mine = common[1]
    found += _along_the_gradient(mine)
    for name, values in SEARCHED.items():
        found += [
            {**mine, "row": f"{name} {value:g}", name: value}
            for value in values
            if value != mine[name]
        ]
    if size["tuning"]:
        for who in CONTENDERS:
            found += _tuning(scale, who)
            best = _best(trials, who, size["tuning"])
            if best is not None:
                found.append({**best, "row": f"best: {who.name}", "tuning": False})
    return found


def _along_the_gradient(mine: Cell) -> list[Cell]:
    """Ours with counts learned the other way, on both kinds of halves."""
    other = {**mine, "settings": {**mine["settings"], "count_target": "gradient"}}
    return [
        {**other, "row": f"gradient: {OURS}"},
        {**other, "row": f"gradient, plain halves: {OURS}", "halves": "plain"},
    ]


def _tuning(scale: str, who: Contender) -> list[Cell]:
    return [
        {
            **iris.base(scale, who, value, f"tuning {who.name}", EPOCHS),
            **FREED,
            "decay": decay,
            "tuning": True,
        }
        for value in who.values
        for decay in DECAYS
    ]


def _best(trials: Sequence[Trial], who: Contender, desired: int) -> Cell | None:
    """The setting with the highest accuracy on what was set aside; None if not yet tuned."""
    found: dict[tuple[float, float], list[float]] = {}
    of: dict[tuple[float, float], Cell] = {}
    for trial in trials:
        if trial.cell["row"] == f"tuning {who.name}":
            key = trial.cell["settings"][who.parameter], trial.cell["decay"]
            found.setdefault(key, []).append(trial.record["test"][-1])
            of[key] = trial.cell
    every = [(value, decay) for value in who.values for decay in DECAYS]
    if any(len(found.get(key, ())) < desired for key in every):
        return None
    return of[max(every, key=lambda key: float(np.mean(found[key])))]


def seeds(scale: str, cell: Cell) -> Sequence[int]:
    """The same for all rules."""
    size = SIZES[scale]
    return tuning_seeds(size["tuning"]) if cell["tuning"] else range(size["trials"])


def summarise(scale: str, trials: Sequence[Trial]) -> Summary:
    """Accuracies, gains, tests of the differences, and the search."""
    rows: list[Row] = []
    for variant in VARIANTS:
        for who in CONTENDERS:
            rows += accuracy_rows(trials, f"{variant}{who.name}")
    notes = list(REMARKS)
    for variant in ("", "best: "):
        for mine, name in ((LP, ""), (OURS, ", ours")):
            names = [f"{variant}{who}" for who in (mine, *RIVALS)]
            rows += _gains(trials, names, variant, name)
            tests, sentence = _tests(trials, names, variant, name)
            rows += tests
            notes += sentence
    names = [who.name for who in CONTENDERS]
    ranks = [
        *rank_panel(trials, names, "", "one step size for all"),
        *rank_panel(trials, names, "best: ", "each at its best"),
    ]
    return Summary(tuple(rows), (*_panels(trials), *ranks), tuple(notes))


def _gains(trials: Sequence[Trial], names: list[str], variant: str, name: str) -> list[Row]:
    rows = []
    for part in ("train", "test"):
        found = paired([scores(trials, who, part) for who in names])
        if len(found):
            gain = found[:, 0] - found[:, 1:].mean(axis=1)
            label = f"{variant}gain over EMLC and MST, {part}{name}"
            note = "over the mean of the two, trial by trial"
            rows.append(Row(label, *mean_interval(gain), n=gain.size, unit="points", note=note))
    return rows


def _tests(
    trials: Sequence[Trial], names: list[str], variant: str, name: str
) -> tuple[list[Row], list[str]]:
    """Whether three rules differ on the test halves, and which of them: rows and a sentence."""
    found = paired([scores(trials, who, "test") for who in names])
    if len(found) < 2 or np.ptp(found, axis=1).max() == 0.0:
        return [], []
    whole, pairs = friedman(found), nemenyi(found, names=names)
    n, p = len(found), pairs.p_values
    both = f"the larger; {p[0][1]:.3g} to EMLC, {p[0][2]:.3g} to MST"
    rows = [
        Row(f"{variant}Friedman Q{name}", whole.chi2, n=n),
        Row(f"{variant}Friedman p{name}", whole.chi2_p, n=n),
        Row(
            f"{variant}Nemenyi p, DTA to EMLC and MST{name}", max(p[0][1], p[0][2]), n=n, note=both
        ),
        Row(f"{variant}Nemenyi p, EMLC to MST{name}", p[1][2], n=n),
    ]
    return rows, [f"{whole.sentence()} {pairs.sentence()}"]


def _panels(trials: Sequence[Trial]) -> list[Panel]:
    """Test accuracy around the paper's choices of spikes, width and duration."""
    axes = {"spikes": "spikes for the own species", "beta": "beta", "duration": "duration (ms)"}
    panels = []
    for name, values in SEARCHED.items():
        found = []
        for value in values:
            row = OURS if value == iris.PROTOCOL[name] else f"{name} {value:g}"
            right = list(scores(trials, row, "test").values())
            if right:
                found.append((float(value), *percent_interval(right)))
        if len(found) > 1:
            x, y, lo, hi = (list(column) for column in zip(*found, strict=True))
            line = Line(f"{OURS}, test", x, y, lo, hi)
            panels.append(Panel(f"The choice of {name}", axes[name], "test accuracy (%)", (line,)))
    return panels


REMARKS = (
    "freed: a neuron's own species needs at least ten spikes, and grades decide ties; best: "
    "freed, with step size and decay from fourteen settings each, tuned on other seeds and inside "
    "training halves alone. These are not the paper's protocol and are given no verdict.",
    "gradient: counts are learned along the gradient of the critical threshold.",
    "Halves hold as many flowers of each species; plain halves are drawn without regard to it.",
    "All trials divide the same 150 flowers, so they are not independent: the tests tell rules "
    "apart more easily than they should, and depend on the number of trials.",
)


EXPERIMENT = Experiment(
    id="table3",
    title="Iris: accuracy of three spiking neurons",
    place="Table 3",
    cells=cells,
    seeds=seeds,
    trials=iris.trials,
    summarise=summarise,
    batch=5,
    cost=lambda cell: 4.0 if cell["settings"].get("objective") == "feasible" else 0.5,
)
