"""`linspike certify`: whether any weights give each pattern its desired spikes."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from linspike.cli.options import JSON, setting
from linspike.cli.output import STDOUT, align, as_json, check_place, making_folders
from linspike.cli.progress import Display
from linspike.errors import FileFormatError, SpikeDataError, printable

if TYPE_CHECKING:
    from linspike.constraints.task.solution import Constraint, TaskSolution
    from linspike.neuron.srm import SRM

Loaded = TypeVar("Loaded")

PATH = click.Path(path_type=Path, readable=False)  # what cannot be read ends with status 1
POSITIVE = click.FloatRange(min=0.0, min_open=True)
STATUS = {True: 0, False: 3, None: 4}
SHOWN = 10  # constraints of a conflict
EXAMPLE = """\b
Example:
  linspike certify patterns.npz targets.npz
  linspike certify patterns.npz targets.npz --tolerance 1 --out weights.npz
"""


@click.command(epilog=EXAMPLE)
@click.argument("patterns", type=PATH)
@click.argument("targets", type=PATH)
@setting(
    "--tolerance",
    click.FloatRange(min=0.0),
    0.0,
    "How far each spike may be from its desired time, in ms; with 0 the simulated spike must be "
    "there to 1e-6 ms.",
    "tolerance",
    "MS",
)
@setting("--tau-m", POSITIVE, 20.0, "Membrane time constant in ms.", "tau_m", "MS")
@setting("--tau-s", POSITIVE, 5.0, "Synaptic time constant in ms, below tau_m.", "tau_s", "MS")
@setting("--threshold", POSITIVE, 1.0, "Potential at which the neuron fires.")
@click.option("--weight-low", type=float, help="Least weight of a channel; no bound unless given.")
@click.option(
    "--weight-high", type=float, help="Largest weight of a channel; no bound unless given."
)
@click.option(
    "--out",
    type=PATH,
    metavar="FILE",
    help="Model (.npz) to write if the task is solvable: the neuron and weights that solve it.",
)
@JSON
def certify(
    patterns: Path,
    targets: Path,
    tolerance: float,
    weight_low: float | None,
    weight_high: float | None,
    out: Path | None,
    print_json: bool,
    **constants: float,
) -> None:
    """Print whether a task can be learned at all: if any weights give each pattern its spikes.

    PATTERNS is a PatternSet and TARGETS are SpikeTimes, one train per pattern, as `save` in Python
    wrote them (.npz). The verdict is one of three. Solvable: weights were found, and their
    simulated responses have every desired spike and no other. Not solvable: constraints were found
    that no weights meet together, with the multipliers that prove it. Undecided: neither.

    Times are in milliseconds. Weights are in the unit of the threshold: a spike on a channel of
    weight w raises the potential by w at its peak. The margin says how far below the threshold the
    potential stays away from the spikes, in thresholds.

    The status is 0 if the task is solvable, 3 if it is not, and 4 if that is undecided. As for
    every command it is 1 after an error, 2 for a wrong command line and 130 after Ctrl-C.
    """
    from linspike.constraints import solve_task
    from linspike.neuron.srm import SRM
    from linspike.spikes import PatternSet
    from linspike.spikes.targets import SpikeTimes, load_targets

    if str(out) == STDOUT:
        raise click.UsageError("A model is no text: give --out the name of a file, not '-'.")
    check_place(out, patterns, targets)
    neuron = SRM(**constants)
    inputs = _load(PatternSet.load, patterns)
    desired = _load(load_targets, targets)
    if not isinstance(desired, SpikeTimes):
        raise SpikeDataError(
            f"{targets} holds counts, but certify needs desired times: save SpikeTimes. "
            "A count leaves open where the spikes are, so that the task is not linear."
        )
    bounds = _join_bounds(weight_low, weight_high)
    with Display("rounds") as display:
        solution = solve_task(
            neuron,
            inputs,
            desired,
            tolerance=tolerance,
            weight_bounds=bounds,
            progress=lambda rounds, detail: display.update("certify", rounds, None, detail),
        )
    if print_json:
        row = {**solution.to_dict(), "margin": _finite(solution.margin)}
        files = {"patterns": str(patterns), "targets": str(targets)}
        limits = {"weight_low": _finite(weight_low), "weight_high": _finite(weight_high)}
        click.echo(as_json([row], **files, tolerance=tolerance, **constants, **limits))
    else:
        click.echo(_describe(solution))
    if out is not None:
        _write(out, neuron, solution, tolerance)
    raise SystemExit(STATUS[solution.solvable])


def _load(load: Callable[[Path], Loaded], path: Path) -> Loaded:
    try:
        return load(path)
    except OSError as error:
        raise FileFormatError(f"{path} cannot be read: {error.strerror}.") from None


def _join_bounds(low: float | None, high: float | None) -> tuple[float, float] | None:
    if low is None and high is None:
        return None
    return -math.inf if low is None else low, math.inf if high is None else high


def _finite(value: float | None) -> float | None:
    """Return a number as JSON can hold it: None in place of an infinite one."""
    return value if value is not None and math.isfinite(value) else None


def _describe(solution: TaskSolution) -> str:
    lines = [solution.reason]
    if math.isfinite(solution.margin):
        lines.append(f"margin: {solution.margin:.4g} thresholds")
    if solution.conflict:
        lines += ["", *_list_conflict(solution.conflict)]
    return "\n".join(lines)


def _list_conflict(conflict: tuple[Constraint, ...]) -> list[str]:
    """Return the table of a conflict: the constraints with the largest multipliers first."""
    ordered = sorted(conflict, key=lambda each: -abs(each.multiplier))
    rows = [_row(constraint) for constraint in ordered[:SHOWN]]
    headings = ("pattern", "time (ms)", "multiplier")
    left = len(conflict) - len(rows)
    return [align(rows, headings, right=(1, 2)), *([f"and {left} more"] if left else [])]


def _row(constraint: Constraint) -> tuple[str, str, str]:
    multiplier = f"{constraint.multiplier:.4g}"
    if constraint.pattern < 0:
        return f"weight {constraint.time:.0f}", "bound", multiplier
    return str(constraint.pattern), f"{constraint.time:.3f}", multiplier


def _write(out: Path, neuron: SRM, solution: TaskSolution, tolerance: float) -> None:
    """Write a model of the weights that solve the task; others are not written."""
    from linspike.training import Model

    if not solution.solvable:
        click.echo(
            f"{printable(out)} not written: no weights were found that solve the task", err=True
        )
        return
    notes: dict[str, Any] = {"tolerance": tolerance, "margin": float(solution.margin)}
    with making_folders(out):
        Model(neuron, solution.weights, notes=notes).save(out)
    click.echo(f"weights written to {printable(out)}", err=True)
