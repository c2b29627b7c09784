"""How well responses stand jitter of the input: weights, delays, and layers.

Each method learns tasks by the strict criterion; then every input spike is moved by a normal random
time, and the responses are compared with the desired trains.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from linspike.beyond.delays import LEARNED, NAMES, STRICT, WEIGHTS, WIDE, rule_settings
from linspike.beyond.layer_cells import FIXED, JOINT, RATE, RULES, LayerCell, learn
from linspike.beyond.layers import N_INPUTS
from linspike.paper.common.capacity_rows import group_trials
from linspike.paper.common.methods import PROJECTION
from linspike.spikes.distances import match_spikes
from linspike.spikes.pattern_set import PatternSet
from linspike.spikes.targets import SpikeTimes
from linspike.study.analysis.intervals import mean_interval, paired, percent_interval
from linspike.study.cells import Record, Trial
from linspike.study.experiment import Experiment, Heading, Protocol, Summary
from linspike.study.panels import Line, Panel
from linspike.study.rows import Row, RowKey, Status
from linspike.study.tasks import Task, encoding, latency_encoding

FEW, SHORT = "few inputs", "short"
SAME, OWN, MANY = "same load", "own load", "500 inputs"
JITTERS = {"0.5 ms": 0.5, "1 ms": 1.0}
TOLERANCES = {"1 ms": 1.0, "2 ms": 2.0}
MEASURES = ("responses", "spikes")  # all right; share of the desired ones that are met
COMPARED = "responses within 1 ms"  # with weights alone
NOISE = 4  # kind of random stream, after those of `study.tasks` and `delays`


class Learner(NamedTuple):
    """A method: its name and variant, hidden neurons, and loads where all and where most learn."""

    method: str
    variant: str
    hidden: int
    own_load: int


LEARNERS = (
    Learner(PROJECTION, WEIGHTS, 0, 7),
    Learner(PROJECTION, LEARNED, 0, 12),
    Learner(PROJECTION, WIDE, 0, 7),
    Learner(FIXED, "100 hidden", 100, 12),
    Learner(FIXED, "400 hidden", 400, 38),
    Learner(JOINT, "100 hidden", 100, 24),
)
SAME_LOAD, MANY_LOAD = 6, 45


class Size(NamedTuple):
    """Trials, jittered copies of each pattern, and inputs of short patterns with their load."""

    trials: int
    copies: int
    n_channels: int
    many_load: int


SIZES = {
    "smoke": Size(2, 2, 60, 2),
    "laptop": Size(8, 20, 500, MANY_LOAD),
    "paper": Size(20, 20, 500, MANY_LOAD),
}


@dataclass(frozen=True, kw_only=True)
class JitterCell(LayerCell):
    """A task that is learned, and then presented with jitter.

    Parameters
    ----------
    task : str
        "few inputs" as in `delays`, "short" as in table 1.
    copies : int
        Number of jittered copies of each pattern.
    jitters : tuple of float
        Standard deviations of the jitter, in milliseconds.
    """

    copies: int
    jitters: tuple[float, ...] = tuple(JITTERS.values())

    def make_task(self, seed: int) -> Task:
        """Return patterns with desired times."""
        make = encoding if self.task == SHORT else latency_encoding
        return make(seed, self.load, n_channels=self.n_channels)


def cells(scale: str, trials: Sequence[Trial]) -> list[JitterCell]:
    """Return every method at the same load and at its own, and 500 inputs."""
    size = SIZES[scale]
    found = []
    for learner in LEARNERS:
        if scale == "smoke" and learner.hidden > 100:
            continue
        found.append(_cell(scale, SAME, learner, SAME_LOAD))
        found.append(_cell(scale, OWN, learner, learner.own_load))
    for learner in LEARNERS[:3]:
        many = _cell(scale, MANY, learner, size.many_load)
        found.append(many.but(task=SHORT, n_channels=size.n_channels))
    if scale == "smoke":
        return [cell.but(load=2, max_epochs=40) for cell in found]
    return found


def _cell(scale: str, scenario: str, learner: Learner, load: int) -> JitterCell:
    method, variant = learner.method, learner.variant
    rule, settings = RULES.get(method, ("dta", rule_settings(variant)))
    return JitterCell(
        scale=scale,
        row=_key(scenario, learner),
        rule=rule,
        settings=settings,
        n_channels=N_INPUTS,
        max_epochs=500,
        criterion=STRICT,
        load=load,
        task=FEW,
        hidden=learner.hidden,
        rate=RATE,
        copies=SIZES[scale].copies,
    )


def seeds(scale: str, cell: JitterCell) -> Sequence[int]:
    """Return the seeds of a cell: the same for all methods."""
    return range(SIZES[scale].trials)


def trials(cell: JitterCell, seeds: Sequence[int]) -> list[Record]:
    """Learn, then respond to jittered copies."""
    return [_measure(cell, seed) for seed in seeds]


def _measure(cell: JitterCell, seed: int) -> Record:
    """Return whether a trial learned, and what stays right by jitter and tolerance."""
    _, patterns, targets = cell.make_task(seed)
    assert isinstance(targets, SpikeTimes)
    result, respond = learn(cell, seed)
    record: Record = {"learned": bool(result.converged), "epochs": int(result.epochs)}
    rng = np.random.default_rng([seed, NOISE, 0])
    for jitter in cell.jitters:
        noise = rng.normal(0.0, jitter, (cell.copies, patterns.times.size))
        responses = [respond(add_jitter(patterns, row)) for row in noise]
        for tolerance in TOLERANCES.values():
            shares = compare_responses(responses, targets, tolerance)
            for measure, share in zip(MEASURES, shares, strict=True):
                record[_field(measure, jitter, tolerance)] = share
    return record


def _field(measure: str, jitter: float, tolerance: float) -> str:
    return f"{measure} within {tolerance:g} at {jitter:g}"


def add_jitter(patterns: PatternSet, noise: Any) -> PatternSet:
    """Return patterns with spikes moved by so many milliseconds, inside their durations."""
    ends = np.repeat(patterns.durations, np.diff(patterns.offsets))
    times = np.clip(patterns.times + noise, 0.0, ends)
    return PatternSet.sorted(
        times, patterns.channels, patterns.offsets, patterns.n_channels, patterns.durations
    )


def compare_responses(
    copies: Sequence[Any], targets: SpikeTimes, tolerance: float
) -> tuple[float, float]:
    """Return which per cent of responses are right, and of desired spikes are met."""
    pairs = [
        match_spikes(train, desired, tolerance)
        for responses in copies
        for train, desired in zip(responses, targets, strict=True)
    ]
    right = np.mean([pair.missed == pair.extra == 0 for pair in pairs])
    met = sum(pair.paired for pair in pairs)
    desired_spikes = sum(pair.paired + pair.missed for pair in pairs)
    return 100.0 * float(right), 100.0 * met / max(1, desired_spikes)


def summarise(scale: str, trials: Sequence[Trial]) -> Summary:
    """Return what stays right, of trials that learned, and differences to weights alone."""
    own = group_trials(trials)
    rows: list[Row] = []
    for key in _keys():
        found = own.get(key, [])
        if not found:
            continue
        learned = [trial for trial in found if trial.record["learned"]]
        load = found[0].cell.load
        note = f"{load} patterns; {len(learned)} of {len(found)} trials learned"
        if not learned:
            rows.append(Row(key, None, n=0, note=note, status=Status.NO_RESULT))
        for quantity, name in _quantities():
            values = {trial.seed: trial.record[name] for trial in learned}
            if not values:
                continue
            mean = percent_interval(list(values.values()))
            rows.append(Row(key.but(quantity=quantity), *mean, len(values), "%", note))
            reference = key.but(method=PROJECTION, variant=WEIGHTS)
            if key != reference and quantity.startswith(COMPARED):
                rows += _difference(key, quantity, values, own.get(reference, []), name)
    panels = [_draw(scenario, own) for scenario in (SAME, OWN, MANY)]
    shown = tuple(panel for panel in panels if panel.lines)
    return Summary(tuple(rows), shown, _notes(scale))


def _key(scenario: str, learner: Learner) -> RowKey:
    """Return the row of a method."""
    return RowKey(scenario, learner.method, STRICT, learner.variant)


def _keys() -> list[RowKey]:
    """Return the rows of all methods, in order."""
    return [_key(scenario, learner) for scenario in (SAME, OWN, MANY) for learner in LEARNERS]


def _quantities() -> list[tuple[str, str]]:
    """Return every quantity of a row, with its name in records."""
    return [
        (f"{measure} within {within}, jitter {jitter}", _field(measure, size, tolerance))
        for measure in MEASURES
        for jitter, size in JITTERS.items()
        for within, tolerance in TOLERANCES.items()
    ]


def _difference(
    key: RowKey, quantity: str, values: dict[int, Any], reference: Sequence[Trial], name: str
) -> list[Row]:
    """Return the difference to weights alone, over tasks that both learned."""
    other = {trial.seed: trial.record[name] for trial in reference if trial.record["learned"]}
    both = paired([values, other])
    if len(both) < 2:
        return []
    gain = mean_interval(both[:, 0] - both[:, 1])
    title = f"gain over weights, {quantity}"
    return [Row(key.but(quantity=title), *gain, len(both), "points", "of tasks that both learned")]


def _draw(scenario: str, own: Mapping[RowKey, list[Trial]]) -> Panel:
    """Return the share of right responses within 1 ms and within 2 ms, by jitter."""
    places = [
        (f"{within}, jitter {jitter}", _field("responses", size, tolerance))
        for within, tolerance in TOLERANCES.items()
        for jitter, size in JITTERS.items()
    ]
    lines = []
    for number, learner in enumerate(LEARNERS):
        key = _key(scenario, learner)
        learned = [trial.record for trial in own.get(key, []) if trial.record["learned"]]
        if not learned:
            continue
        found = [percent_interval([record[name] for record in learned]) for _, name in places]
        y, lo, hi = (list(column) for column in zip(*found, strict=True))
        x = [place + 0.1 * (number - 2.5) for place in range(1, len(places) + 1)]
        lines.append(Line(name_learner(learner), x, y, lo, hi, "points"))
    names = tuple(title for title, _ in places)
    return Panel(scenario, "", "responses right (%)", tuple(lines), x_names=names)


def name_learner(learner: Learner) -> str:
    """Return the name of a method in pictures."""
    if learner.method == PROJECTION:
        return NAMES[learner.variant]
    return f"{learner.method}, {learner.variant}"


def _notes(scale: str) -> tuple[str, ...]:
    size = SIZES[scale]
    own = ", ".join(f"{name_learner(learner)} {learner.own_load}" for learner in LEARNERS)
    return (
        f"Every input spike moves by a normal random time of standard deviation 0.5 or 1 ms; "
        f"{size.copies} copies of each pattern, {size.trials} trials; those that did not learn "
        "are left out. A response is right if all of its spikes are within the tolerance, and no "
        "others are there.",
        f"Same load: {N_INPUTS} inputs with one spike each and {SAME_LOAD} patterns. Own load: "
        f"about three quarters of what half of the trials learn ({own}). 500 inputs: "
        f"{size.many_load} short patterns of table 1.",
    )


EXPERIMENT = Experiment(
    Heading("jitter", "Beyond", "Responses to jittered input: weights, delays and layers"),
    Protocol(JitterCell, cells, seeds, trials, summarise),
    batch=5,
    cost=lambda cell: 2.0,
)
