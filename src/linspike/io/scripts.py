"""Programs for other simulators, with the weights of a model in them."""

from __future__ import annotations

from importlib import resources
from os import PathLike
from typing import Any

from linspike._files import write_whole
from linspike._typing import Floats
from linspike._validation import check_choice
from linspike.estimators.as_model import as_model
from linspike.neuron.arguments import check_time_step

# Time step of each simulator in ms, unless given.
STEPS = {"brian2": 0.1, "nest": 2.0**-12}
MOST_DIGITS = 110  # characters in a line of weights, about


def write_script(
    model: Any, path: str | PathLike[str], simulator: str, dt: float | None = None
) -> None:
    """Write a Python program that computes the responses of a model in another simulator.

    The program needs numpy and the simulator, not linspike. It takes a file of `PatternSet.save`,
    and prints the spike times or writes them to a file.

    Parameters
    ----------
    model : Model, SpikeClassifier or SpikeMapper
        What holds the weights; an estimator must be fitted.
    path : str or path
        The file to write.
    simulator : {"brian2", "nest"}
        The simulator.
    dt : float, optional
        Time step in milliseconds; 0.1 for Brian2, 1/4096 for NEST unless given.
    """
    write_whole(path, make_script(model, simulator, dt).encode())


def make_script(model: Any, simulator: str, dt: float | None = None) -> str:
    """Return the text of the program that `write_script` writes."""
    owner = "write_script"
    found = as_model(model, owner)
    check_choice(simulator, "simulator", owner, STEPS)
    neuron, step = found.neuron, STEPS[simulator] if dt is None else dt
    step = check_time_step(step, neuron.tau_s, "dt", owner)
    text = _read_template(simulator)
    values = {
        "TAU_M": repr(neuron.tau_m),
        "TAU_S": repr(neuron.tau_s),
        "THRESHOLD": repr(neuron.threshold),
        "DT": repr(step),
        "WEIGHTS": _format_rows(found.weights.tolist()),
        "DELAYS": _format_delays(found.delays),
        "COMMON": _read_template("common").rstrip("\n"),
    }
    for name, value in values.items():
        text = text.replace(f"@{name}@", value)
    return text


def _read_template(name: str) -> str:
    folder = resources.files("linspike.io") / "templates"
    return (folder / f"{name}.py.txt").read_text(encoding="utf-8")


def _format_delays(delays: Floats | None) -> str:
    """Return delays as Python text."""
    if delays is None:
        return "np.zeros(WEIGHTS.shape)"
    return f"np.array({_format_rows(delays.tolist())})"


def _format_rows(rows: list[list[float]]) -> str:
    """Return a matrix as Python text in lines of moderate length; floats keep all their digits."""
    lines = ["["]
    for row in rows:
        lines.append("    [")
        line = "       "
        for value in row:
            line += f" {value!r},"
            if len(line) > MOST_DIGITS - 24:
                lines.append(line)
                line = "       "
        lines += [line] if line.strip() else []
        lines.append("    ],")
    return "\n".join([*lines, "]"])
