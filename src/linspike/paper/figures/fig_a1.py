"""Figure A1: van Rossum distance between a train and its jittered copy.

Poisson trains of many durations T are jittered with many sizes sigma; the distances are fitted by
a dt + b T, through the origin. The paper's criterion of learning is such a fit at dt = 1.

The paper calls sigma a variance, writes it as a standard deviation, and takes the mean difference
of the spike times for dt. The signed mean is next to 0 for any jitter, so it must be the mean of
absolute differences; both readings of sigma are done, and beside them dt taken as sigma's standard
deviation itself. With sigma a standard deviation and dt the same, the fit comes nearest.

Differs from the paper: trains that have no spike are left out, as they have no displacement.
Spikes are compared in order after jitter, as the distance sees them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from linspike._typing import Floats
from linspike.spikes.distances import VRD_PER_DURATION, VRD_PER_MS, van_rossum
from linspike.spikes.generators import jitter, poisson_trains
from linspike.study.cells import Cell, Record, Trial
from linspike.study.experiment import Experiment, Heading, NotEnoughTrials, Protocol, Summary
from linspike.study.panels import Line, Panel
from linspike.study.rows import Row, RowKey

RATE = 0.005
DURATIONS = (100.0, 10_000.0)
SIGMAS = np.linspace(1.0, 10.0, 19)  # with a thousand trains each, the paper's 19000
TRAINS = 5  # of each size in one trial
TRIALS = {"smoke": 6, "laptop": 40, "paper": 200}
STREAM = 11
READINGS = ("sd", "variance")
TITLES = {"sd": "deviation", "variance": "variance"}
BANDS = (0.0, 2500.0, 5000.0, 7500.0, math.inf)  # of durations, one line each


@dataclass(frozen=True, kw_only=True)
class JitterCell(Cell):
    """A reading of sigma, "sd" or "variance", and the number of trains of each size."""

    sigma: str
    trains: int


def cells(scale: str, done: Sequence[Trial]) -> list[JitterCell]:
    """Return both readings of sigma."""
    return [JitterCell(scale=scale, sigma=reading, trains=TRAINS) for reading in READINGS]


def seeds(scale: str, cell: JitterCell) -> Sequence[int]:
    """Return the seeds, each a batch of trains of all sizes; the same for both readings."""
    return range(TRIALS[scale])


def trials(cell: JitterCell, seeds: Sequence[int]) -> list[Record]:
    """Return duration, deviation of the jitter, mean displacement and distance of every train."""
    return [_batch(cell, seed) for seed in seeds]


def _batch(cell: JitterCell, seed: int) -> Record:
    rng = np.random.default_rng([seed, STREAM])
    record: Record = {"duration": [], "deviation": [], "displacement": [], "distance": []}
    for sigma in np.repeat(SIGMAS, cell.trains):
        deviation = float(sigma if cell.sigma == "sd" else math.sqrt(sigma))
        duration = float(rng.uniform(*DURATIONS))
        train = poisson_trains(1, duration=duration, rate=RATE, rng=rng)[0]
        moved = jitter(train, deviation, rng=rng)
        if not len(train):
            continue
        record["duration"].append(round(duration, 3))
        record["deviation"].append(deviation)
        displacement = float(np.abs(moved.times - train.times).mean())
        record["displacement"].append(round(displacement, 6))
        record["distance"].append(round(van_rossum(train, moved), 6))
    return record


def plane(dt: Floats, duration: Floats, distance: Floats) -> tuple[Floats, Floats]:
    """Fit distance = a dt + b T by least squares; return (a, b) and their 95 % half-widths.

    The scatter grows with dt and T, so the errors are those that allow for it (White's).
    """
    inputs = np.column_stack([dt, duration])
    inverse = np.linalg.inv(inputs.T @ inputs)
    found = inverse @ (inputs.T @ distance)
    scatter = inputs * (distance - inputs @ found)[:, np.newaxis]
    spread = inverse @ (scatter.T @ scatter) @ inverse
    return found, 1.96 * np.sqrt(np.diag(spread))


def summarise(scale: str, done: Sequence[Trial]) -> Summary:
    """Return the coefficients for every reading of sigma and dt, and the nearest to the paper's."""
    rows: list[Row] = []
    off: dict[str, float] = {}
    for reading in READINGS:
        duration, deviation, displacement, distance = _columns(done, reading)
        for name, dt in ((reading, displacement), (f"{reading}, dt its deviation", deviation)):
            (a, b), (da, db) = (pair.tolist() for pair in plane(dt, duration, distance))
            n = distance.size
            rows.append(_row(f"a ({name})", a, n, "1/ms")._replace(lo=a - da, hi=a + da))
            rows.append(_row(f"b ({name})", b, n, "1/ms")._replace(lo=b - db, hi=b + db))
            if name == "sd, dt its deviation":
                note = "a + 1000 b, with dt the deviation of the jitter"
                rows.append(_row("vRD* at T = 1000", a + 1000.0 * b, n)._replace(note=note))
            off[name] = abs(math.log(a / VRD_PER_MS)) + abs(math.log(b / VRD_PER_DURATION))
    nearest = min(off, key=lambda name: off[name])
    notes = (
        f"nearest to the criterion in use, by the ratios of both coefficients: {nearest}",
        "dt is the mean absolute displacement of a train's spikes unless said otherwise",
    )
    as_deviation, as_variance = (_panel(done, reading) for reading in READINGS)
    return Summary(tuple(rows), (as_deviation,), notes, (as_variance,))


def _row(quantity: str, value: float, n: int, unit: str = "") -> Row:
    return Row(RowKey(quantity=quantity), value, n=n, unit=unit)


def _columns(done: Sequence[Trial], reading: str) -> tuple[Floats, Floats, Floats, Floats]:
    found = [trial.record for trial in done if trial.cell.sigma == reading]
    if not found:
        raise NotEnoughTrials(f"There are no trials with sigma as {reading}.")
    names = ("duration", "deviation", "displacement", "distance")
    a, b, c, d = (np.concatenate([record[name] for record in found]) for name in names)
    return a, b, c, d


def _panel(done: Sequence[Trial], reading: str) -> Panel:
    """Return mean distance against mean displacement, a line for every band of durations."""
    duration, deviation, displacement, distance = _columns(done, reading)
    lines = []
    for low, high in pairwise(BANDS):
        band = (duration >= low) & (duration < high)
        sizes = [s for s in np.unique(deviation) if (band & (deviation == s)).any()]
        groups = [band & (deviation == size) for size in sizes]
        x = [float(displacement[group].mean()) for group in groups]
        y = [float(distance[group].mean()) for group in groups]
        name = f"T {low:g} to {min(high, DURATIONS[1]):g} ms"
        lines.append(Line(name, x, y, style="points"))
    title = f"Distance of jittered trains, sigma a {TITLES[reading]}"
    return Panel(title, "mean displacement (ms)", "van Rossum distance", tuple(lines))


EXPERIMENT = Experiment(
    Heading("figA1", "Figure A1", "Van Rossum distance against jitter and duration"),
    Protocol(JitterCell, cells, seeds, trials, summarise),
    batch=20,
)
