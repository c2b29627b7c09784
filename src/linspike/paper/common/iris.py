"""Iris as the paper learns it: what table 3 and figure 8 share."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from linspike._typing import Floats, Ints
from linspike.paper.common.capacity_rows import (
    Contender,
    contender,
    make_rule,
    ours,
    papers_programme,
)
from linspike.study.experiment import Cell, Record

LP = "DTA (paper's LP)"
OURS = "DTA (ours)"
RIVALS = ("EMLC", "MST")
CONTENDERS = (
    papers_programme(LP),
    ours(OURS),
    contender("EMLC", "emlc"),
    contender("MST", "mst"),
)
# What the paper found to be best by its own search; target and ties are its protocol.
PROTOCOL: dict[str, Any] = {
    "spikes": 10,
    "fields": 10,
    "beta": 1.5,
    "duration": 10.0,
    "target": "exact",
    "ties": "paper",
    "decay": 0.0,
    "halves": "even",
}
EPOCHS = 20
SIZES = {
    "smoke": {"trials": 2, "epochs": 2, "tuning": 0},
    "laptop": {"trials": 50, "epochs": EPOCHS, "tuning": 2},
    "paper": {"trials": 50, "epochs": EPOCHS, "tuning": 10},
}
FOLDS = 3  # of a training half, in tuning


def base(scale: str, who: Contender, value: float, row: str, epochs: int) -> Cell:
    """A rule at one setting of its tuned parameter, under the paper's protocol."""
    return {
        "scale": scale,
        "row": row,
        "tuning": False,
        "rule": who.rule,
        "settings": {**who.settings, who.parameter: value},
        "epochs": epochs,
        **PROTOCOL,
    }


@cache
def data() -> tuple[Floats, Ints]:
    """The 150 flowers and their species, as scikit-learn has them."""
    from sklearn.datasets import load_iris

    values, species = load_iris(return_X_y=True)
    return values, species


def halves(seed: int, how: str = "even") -> tuple[Ints, Ints]:
    """Training and test half of a trial.

    "even" divides each species in two, "plain" all flowers without regard to species; the paper
    does not say which.
    """
    species = data()[1]
    rng = np.random.default_rng(seed)
    groups = [np.arange(species.size)]
    if how == "even":
        groups = [np.flatnonzero(species == kind) for kind in np.unique(species)]
    drawn = [rng.permutation(group) for group in groups]
    train = np.concatenate([group[: group.size // 2] for group in drawn])
    test = np.concatenate([group[group.size // 2 :] for group in drawn])
    return np.sort(train), np.sort(test)


def classifier(cell: Cell, seed: int) -> Any:
    """Three neurons; weights and order depend on the seed alone, so rules start alike."""
    from linspike.encoders import PopulationEncoder
    from linspike.estimators import SpikeClassifier
    from linspike.training import Inverse

    encoder = PopulationEncoder(cell["fields"], cell["beta"], cell["duration"])
    return SpikeClassifier(
        encoder,
        make_rule(cell),
        spikes=cell["spikes"],
        target=cell["target"],
        ties=cell["ties"],
        schedule=Inverse(cell["decay"]),
        max_iter=cell["epochs"],
        random_state=seed,
        n_jobs=1,
    )


def learned(cell: Cell, seed: int, train: Ints, test: Ints) -> Record:
    """Accuracy in percent after every epoch, in training and on the test half."""
    values, species = data()
    model = classifier(cell, seed)
    curves: dict[str, list[float]] = {"train": [], "test": []}

    def add_scores(_: Any = None) -> None:
        for name, half in (("train", train), ("test", test)):
            curves[name].append(100.0 * float(model.score(values[half], species[half])))

    model.fit(values[train], species[train], on_epoch=add_scores)
    if not model.n_iter_:  # all was right from the start
        add_scores()
    missing = cell["epochs"] - len(curves["train"])
    return {name: curve + curve[-1:] * missing for name, curve in curves.items()}


def trials(cell: Cell, seeds: Sequence[int]) -> list[Record]:
    """Learn on one half and test on the other; in tuning, the test half is never looked at."""
    records = []
    for seed in seeds:
        train, test = halves(seed, cell["halves"])
        records.append(
            _within(cell, seed, train) if cell["tuning"] else learned(cell, seed, train, test)
        )
    return records


def _within(cell: Cell, seed: int, half: Ints) -> Record:
    """Cross-validation inside a training half: the mean curves over its folds."""
    from sklearn.model_selection import StratifiedKFold

    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=seed)
    found = [
        learned(cell, seed, half[kept], half[aside])
        for kept, aside in folds.split(half, data()[1][half])
    ]
    return {
        part: np.mean([record[part] for record in found], axis=0).tolist()
        for part in ("train", "test")
    }
