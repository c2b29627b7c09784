"""All experiments by id, in the order of the paper; a file is loaded when it is asked for."""

from __future__ import annotations

from importlib import import_module

from linspike.errors import ParameterError
from linspike.study.experiment import Experiment

IDS = (
    "fig1",
    "fig2",
    "fig3",
    "fig4",
    "table1",
    "fig5",
    "table2",
    "fig6",
    "fig7",
    "table3",
    "fig8",
    "table4",
    "fig9",
    "fig10",
    "figA1",
    "claims",
    "ablation",
    "realdata",
)


def _folder(name: str) -> str:
    if name == "figA1":
        return "paper.figures.fig_a1"
    if name in ("ablation", "realdata"):
        return f"beyond.{name}"
    kind = {"tab": "tables.", "fig": "figures."}.get(name[:3], "")
    return f"paper.{kind}{name}"


def experiment(name: str) -> Experiment:
    """The experiment of this id."""
    if name not in IDS:
        raise ParameterError.of("id", "experiment", f"one of {IDS}", name)
    found: Experiment = import_module(f"linspike.{_folder(name)}").EXPERIMENT
    return found


def experiments(names: tuple[str, ...] = ()) -> list[Experiment]:
    """Those of these ids, or all."""
    chosen = IDS if not names or "all" in names else names
    return [experiment(name) for name in dict.fromkeys(chosen)]
