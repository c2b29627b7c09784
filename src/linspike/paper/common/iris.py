"""Iris as the paper learns it: what table 3 and figure 8 share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from linspike._typing import Floats, Ints
from linspike.paper.common.methods import baseline, linear_program, projection
from linspike.study.cells import Record, RuleCell
from linspike.study.methods import Method

METHODS = (linear_program(), projection(), baseline("EMLC", "emlc"), baseline("MST", "mst"))
BASELINES = ("EMLC", "MST")
EPOCHS = 20
FOLDS = 3  # of a training half, in tuning


class Size(NamedTuple):
    """Trials of a row, epochs of a trial, and trials of a setting in tuning."""

    trials: int
    epochs: int
    tuning: int


SIZES = {
    "smoke": Size(trials=2, epochs=2, tuning=0),
    "laptop": Size(trials=50, epochs=EPOCHS, tuning=2),
    "paper": Size(trials=50, epochs=EPOCHS, tuning=10),
}


@dataclass(frozen=True, kw_only=True)
class IrisCell(RuleCell):
    """Three neurons that learn one half of Iris. The defaults are the paper's protocol.

    Parameters
    ----------
    epochs : int
        Epochs of training.
    spikes : int
        Desired number of spikes of a neuron for its own species.
    fields : int
        Receptive fields of each feature.
    beta : float
        Width of a field, see `PopulationEncoder`.
    duration : float
        Time of the input spikes (ms).
    target, ties : str
        As of `SpikeClassifier`.
    decay_rate : float
        Steps of epoch e, counted from 0, are 1/(1 + decay_rate e) of the rule's.
    stratified : bool
        Whether halves hold as many flowers of each species; the paper does not say.
    """

    epochs: int
    spikes: int = 10
    fields: int = 10
    beta: float = 1.5
    duration: float = 10.0
    target: str = "exact"
    ties: str = "paper"
    decay_rate: float = 0.0
    stratified: bool = True


def make_cell(scale: str, method: Method, epochs: int, value: float | None = None) -> IrisCell:
    """Return a method under the paper's protocol, at its common setting or at another value."""
    return IrisCell(scale=scale, epochs=epochs, **method.cell_fields(value))


@cache
def load() -> tuple[Floats, Ints]:
    """Return the 150 flowers and their species, as scikit-learn has them."""
    from sklearn.datasets import load_iris

    values, species = load_iris(return_X_y=True)
    return values, species


def split_halves(seed: int, *, stratified: bool = True) -> tuple[Ints, Ints]:
    """Return the numbers of the flowers in the training and the test half of a trial."""
    species = load()[1]
    rng = np.random.default_rng(seed)
    groups = [np.arange(species.size)]
    if stratified:
        groups = [np.flatnonzero(species == kind) for kind in np.unique(species)]
    drawn = [rng.permutation(group) for group in groups]
    train = np.concatenate([group[: group.size // 2] for group in drawn])
    test = np.concatenate([group[group.size // 2 :] for group in drawn])
    return np.sort(train), np.sort(test)


def make_classifier(cell: IrisCell, seed: int) -> Any:
    """Return three neurons; weights and order depend on the seed alone, so rules start alike."""
    from linspike.encoders import PopulationEncoder
    from linspike.estimators import SpikeClassifier
    from linspike.training import Inverse

    return SpikeClassifier(
        PopulationEncoder(cell.fields, cell.beta, cell.duration),
        cell.make_rule(),
        spikes=cell.spikes,
        target=cell.target,
        ties=cell.ties,
        schedule=Inverse(cell.decay_rate),
        init=(0.01, 0.01),
        max_iter=cell.epochs,
        random_state=seed,
        n_jobs=1,
    )


def learn(cell: IrisCell, seed: int, train: Ints, test: Ints) -> Record:
    """Return the accuracy in percent after every epoch, in training and on the test half."""
    from linspike.estimators.monitor import raising_interrupts

    values, species = load()
    model = make_classifier(cell, seed)
    curves: dict[str, list[float]] = {"train": [], "test": []}

    def add_scores(_: Any = None) -> None:
        for name, half in (("train", train), ("test", test)):
            curves[name].append(100.0 * float(model.score(values[half], species[half])))

    with raising_interrupts():
        model.fit(values[train], species[train], on_epoch=add_scores)
    if not model.n_iter_:  # all was right from the start
        add_scores()
    missing = cell.epochs - len(curves["train"])
    return {name: curve + curve[-1:] * missing for name, curve in curves.items()}


def trials(cell: IrisCell, seeds: Sequence[int]) -> list[Record]:
    """Learn one half and test on the other; tuning never uses the test half."""
    records = []
    for seed in seeds:
        train, test = split_halves(seed, stratified=cell.stratified)
        records.append(
            cross_validate(cell, seed, train) if cell.tuning else learn(cell, seed, train, test)
        )
    return records


def cross_validate(cell: IrisCell, seed: int, half: Ints) -> Record:
    """Return mean curves over folds of a training half."""
    from sklearn.model_selection import StratifiedKFold

    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=seed)
    found = [
        learn(cell, seed, half[train], half[test])
        for train, test in folds.split(half, load()[1][half])
    ]
    return {
        part: np.mean([record[part] for record in found], axis=0).tolist()
        for part in ("train", "test")
    }


def cost(cell: IrisCell) -> float:
    """Return the seconds of a trial on one core, roughly."""
    return 4.0 if cell.rule == "dta_lp" else 0.5
