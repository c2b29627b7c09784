"""Table 3: Iris, three neurons that answer their own species with ten spikes.

Half of the flowers to learn from, half to be tested on; the same halves, order of presentation
and initial weights for every rule. Beside the paper's protocol (a neuron's own species needs
exactly ten spikes; of equal counts the first wins; one step size for all) each rule stands at its
best: step size and its decay from the same fourteen settings for each, at least ten spikes, ties
told apart by grades. Tuning has seeds of its own and looks at training halves alone.

Differs from the paper: its DTA is taken as the linear programme of `DTA.paper`. Its step sizes
and initial weights for Iris are not stated; eta is 0.01 as in its other tables. Fields have the
width of the reference, not the printed one, under which all spikes would come at once.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from linspike.experiments import iris
from linspike.experiments.base import (
    Cell,
    Experiment,
    Line,
    Panel,
    Ranks,
    Row,
    Summary,
    Trial,
    mean_interval,
)
from linspike.experiments.iris import CONTENDERS, EPOCHS, LP, OURS, RIVALS
from linspike.experiments.loads import Contender, tuning_seeds
from linspike.experiments.statistics import friedman, nemenyi
from linspike.spikes.ragged import Floats

SIZES = {
    "smoke": {"trials": 2, "epochs": 2, "tuning": 0},
    "laptop": {"trials": 50, "epochs": EPOCHS, "tuning": 5},
    "paper": {"trials": 50, "epochs": EPOCHS, "tuning": 10},
}
DECAYS = (0.0, 0.3)
SMALL_STEP = 0.001
VARIANTS = (
    "",
    f", eta {SMALL_STEP:g}",
    ", freed",
    ", best",
    ", plain halves",
    ", freed, plain halves",
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
    freed = [{**cell, "row": f"{cell['row']}, freed", **FREED} for cell in common]
    plain = [{**c, "row": f"{c['row']}, plain halves", "halves": "plain"} for c in common + freed]
    found = [*common, *freed, *plain]
    # Not stated for Iris is what MNIST is learned with: where that leaves the rivals in 20 epochs.
    found += [
        iris.base(scale, who, SMALL_STEP, f"{who.name}, eta {SMALL_STEP:g}", size["epochs"])
        for who in CONTENDERS[2:]
    ]
    mine = common[1]
    for name, values in SEARCHED.items():
        found += [
            {**mine, "row": f"{name} {value:g}", name: value}
            for value in values
            if value != mine[name] and scale != "smoke"
        ]
    if size["tuning"]:
        for who in CONTENDERS:
            found += _tuning(scale, who)
            best = _best(trials, who, size["tuning"])
            if best is not None:
                found.append({**best, "row": f"{who.name}, best", "tuning": False})
    return found


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


def _best(trials: Sequence[Trial], who: Contender, wanted: int) -> Cell | None:
    """The setting with the highest accuracy on what was set aside; None if not yet tuned."""
    scores: dict[tuple[float, float], list[float]] = {}
    of: dict[tuple[float, float], Cell] = {}
    for trial in trials:
        if trial.cell["row"] == f"tuning {who.name}":
            key = trial.cell["settings"][who.parameter], trial.cell["decay"]
            scores.setdefault(key, []).append(trial.record["test"][-1])
            of[key] = trial.cell
    every = [(value, decay) for value in who.values for decay in DECAYS]
    if any(len(scores.get(key, ())) < wanted for key in every):
        return None
    return of[max(every, key=lambda key: float(np.mean(scores[key])))]


def seeds(scale: str, cell: Cell) -> Sequence[int]:
    """The same for all rules."""
    size = SIZES[scale]
    return tuning_seeds(size["tuning"]) if cell["tuning"] else range(size["trials"])


def _scores(trials: Sequence[Trial], row: str, part: str) -> Floats:
    """Final accuracy of one row, in the order of the seeds."""
    mine = sorted((t.seed, t.record[part][-1]) for t in trials if t.cell["row"] == row)
    return np.array([accuracy for _, accuracy in mine])


def summarise(scale: str, trials: Sequence[Trial]) -> Summary:
    """Accuracies, gains, tests of the differences, and the search."""
    rows: list[Row] = []
    for variant in VARIANTS:
        for who in CONTENDERS:
            for part in ("train", "test"):
                rows += _accuracy_row(
                    trials, f"{who.name}{variant}", f"{who.name}, {part}{variant}"
                )
    notes = []
    for variant in ("", ", freed", ", best"):
        for mine, name in ((LP, ""), (OURS, ", ours")):
            names = [f"{who}{variant}" for who in (mine, *RIVALS)]
            if all(_scores(trials, who, "test").size > 1 for who in names):
                rows += _gains(trials, names, f"{name}{variant}")
                rows += _tests(trials, names, f"{name}{variant}")
                notes.append(_sentence(trials, names))
    panels = (*_panels(trials), *_ranks(trials))
    return Summary(tuple(rows), panels, (*_remarks(), *notes))


def _accuracy_row(trials: Sequence[Trial], row: str, name: str) -> list[Row]:
    part = "train" if ", train" in name else "test"
    scores = _scores(trials, row, part)
    if scores.size == 0:
        return []
    cell = next(t.cell for t in trials if t.cell["row"] == row)
    key = "eta" if "eta" in cell["settings"] else "bound"
    sd = f", sd {scores.std(ddof=1):.2f}" if scores.size > 1 else ""
    decay = f", decay {cell['decay']:g}" if cell["decay"] else ""
    note = f"{key} {cell['settings'][key]:g}{decay}{sd}"
    return [Row(name, *mean_interval(scores), n=scores.size, unit="%", note=note)]


def _gains(trials: Sequence[Trial], names: list[str], variant: str) -> list[Row]:
    rows = []
    for part in ("train", "test"):
        mine, *others = (_scores(trials, name, part) for name in names)
        gain = mine - np.mean(others, axis=0)
        label = f"gain over EMLC and MST, {part}{variant}"
        note = "over the mean of the two, trial by trial"
        rows.append(Row(label, *mean_interval(gain), n=gain.size, unit="points", note=note))
    return rows


def _tests(trials: Sequence[Trial], names: list[str], variant: str) -> list[Row]:
    scores = np.column_stack([_scores(trials, name, "test") for name in names])
    if np.ptp(scores, axis=1).max() == 0.0:
        return []
    whole, pairs = friedman(scores), nemenyi(scores, names=names)
    n = len(scores)
    p = pairs.p_values
    return [
        Row(f"Friedman Q{variant}", whole.chi2, n=n),
        Row(f"Friedman p{variant}", whole.chi2_p, n=n),
        Row(
            f"Nemenyi p, DTA to EMLC and MST{variant}",
            max(p[0][1], p[0][2]),
            n=n,
            note=f"the larger; {p[0][1]:.3g} to EMLC, {p[0][2]:.3g} to MST",
        ),
        Row(f"Nemenyi p, EMLC to MST{variant}", p[1][2], n=n),
    ]


def _sentence(trials: Sequence[Trial], names: list[str]) -> str:
    scores = np.column_stack([_scores(trials, name, "test") for name in names])
    if np.ptp(scores, axis=1).max() == 0.0:
        return "The rules do not differ in any trial."
    return f"{friedman(scores).sentence()} {nemenyi(scores, names=names).sentence()}"


def _panels(trials: Sequence[Trial]) -> tuple[Panel, ...]:
    """Test accuracy around the paper's choices of spikes, width and duration."""
    axes = {"spikes": "spikes for the own species", "beta": "beta", "duration": "duration (ms)"}
    panels = []
    for name, values in SEARCHED.items():
        found = []
        for value in values:
            row = OURS if value == iris.PROTOCOL[name] else f"{name} {value:g}"
            scores = _scores(trials, row, "test")
            if scores.size:
                found.append((float(value), *mean_interval(scores)))
        if len(found) > 1:
            x, y, lo, hi = (list(column) for column in zip(*found, strict=True))
            line = Line(f"{OURS}, test", x, y, lo, hi)
            panels.append(Panel(f"The choice of {name}", axes[name], "test accuracy (%)", (line,)))
    return tuple(panels)


def _ranks(trials: Sequence[Trial]) -> list[Panel]:
    """Which rules are told apart, all four of them together."""
    panels = []
    for variant, title in (("", "one step size for all"), (", best", "each at its best")):
        names = [f"{who.name}{variant}" for who in CONTENDERS]
        scores = [_scores(trials, name, "test") for name in names]
        if min(score.size for score in scores) > 1 and np.ptp(scores, axis=0).max() > 0.0:
            found = nemenyi(np.column_stack(scores), names=[who.name for who in CONTENDERS])
            ranks = Ranks(found.names, found.mean_ranks, found.critical_difference)
            panels.append(Panel(f"Mean ranks in testing, {title}", "", "", ranks=ranks))
    return panels


def _remarks() -> tuple[str, ...]:
    return (
        "freed: a neuron's own species needs at least ten spikes, and grades decide ties; "
        "best: freed, with step size and decay from fourteen settings each, tuned on other seeds "
        "and inside training halves alone (all trials share the same 150 flowers).",
        "Halves hold as many flowers of each species; plain halves are drawn without regard to "
        "it, which makes trials differ more and costs a few tenths of a point.",
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
