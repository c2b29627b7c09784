"""The document: neuron, patterns, targets, weights and rules, all that the lab knows of a task."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from linspike._typing import Floats, Ints
from linspike.errors import Words
from linspike.lab.plain import (
    as_plain,
    read_choice,
    read_entries,
    read_flag,
    read_list,
    read_number,
    read_numbers,
    read_text,
    read_whole,
    refuse,
)
from linspike.neuron.srm import SRM
from linspike.rules import REGISTRY, rule_of
from linspike.rules.base import Rule
from linspike.spikes.pattern import Pattern
from linspike.spikes.pattern_set import PatternSet
from linspike.spikes.targets import SpikeCounts, SpikeTimes
from linspike.training.criterion import CRITERIA
from linspike.training.trainer import Trainer

VERSION = 1
MOST_CHANNELS, MOST_PATTERNS, MOST_SPIKES = 2000, 200, 100_000
MOST_DESIRED, MOST_COUNT = 200, 100  # of one pattern
MOST_DESIRED_IN_ALL = 2000  # each takes a row over all channels
MOST_RULES, MOST_SEED = 6, 2**31 - 1
LONGEST = 10_000.0  # ms
LARGEST = 1e6  # weight, time constant, threshold
LEAST = 1e-6
WEIGHTS = (-LARGEST, LARGEST)
DELAYS = (0.0, LARGEST)  # ms; a rule that learns them may allow less


@dataclass(frozen=True, eq=False)
class Document:
    """What the lab works on, checked.

    Attributes
    ----------
    neuron : SRM
        The neuron.
    patterns : PatternSet
        The inputs.
    targets : SpikeTimes or SpikeCounts
        What is desired of each pattern.
    weights : array of float
        Where learning starts.
    rules : tuple of Rule
        Rules that learn side by side; the first is the one that is looked at.
    criterion : str
        When desired times count as learned.
    skip_right : bool
        Whether right responses are left alone.
    seed : int
        Decides the order of the patterns.
    delays : array of float, optional
        Delays of the inputs: where rules that learn them start, and what others leave as it is.
    """

    neuron: SRM
    patterns: PatternSet
    targets: SpikeTimes | SpikeCounts
    weights: Floats
    rules: tuple[Rule, ...]
    criterion: str = "strict"
    skip_right: bool = True
    seed: int = 0
    delays: Floats | None = None

    @property
    def counts(self) -> bool:
        """Whether counts are desired, not times."""
        return isinstance(self.targets, SpikeCounts)

    def trainer(self, index: int) -> Trainer:
        """Return the trainer of one of the rules."""
        return Trainer(self.neuron, self.rules[index], criterion=self.criterion)

    def to_plain(self, title: str = "", text: str = "") -> dict[str, Any]:
        """Return the document as JSON can hold it."""
        targets: dict[str, Any] = {"kind": "times"}
        if isinstance(self.targets, SpikeCounts):
            targets = {"kind": "counts", "counts": self.targets.counts.tolist()}
        else:
            targets["times"] = [train.times.tolist() for train in self.targets]
        plain = {
            "version": VERSION,
            "title": title,
            "text": text,
            "neuron": asdict(self.neuron),
            "n_channels": self.patterns.n_channels,
            "patterns": [plain_pattern(pattern) for pattern in self.patterns],
            "targets": targets,
            "weights": as_plain(self.weights),
            "rules": [{"key": rule.key, "settings": rule.settings()} for rule in self.rules],
            "criterion": self.criterion,
            "skip_right": self.skip_right,
            "seed": self.seed,
        }
        return plain if self.delays is None else {**plain, "delays": as_plain(self.delays)}


def plain_pattern(pattern: Pattern) -> dict[str, Any]:
    """Return a pattern as JSON can hold it."""
    times, channels = pattern.times.tolist(), pattern.channels.tolist()
    return {"duration": pattern.duration, "times": times, "channels": channels}


def read_document(plain: Any) -> Document:
    """Return the document that plain data describe, or raise an error that names the entry."""
    entries = read_entries(plain, "document")
    version = read_whole(entries.get("version"), "version", 1, 10**6)
    if version > VERSION:
        remedy = "Update linspike to open it."
        raise refuse("version", f"at most {VERSION}", version, remedy)
    neuron = read_neuron(entries.get("neuron"))
    n_channels = read_whole(entries.get("n_channels"), "n_channels", 1, MOST_CHANNELS)
    patterns = read_patterns(entries.get("patterns"), n_channels)
    delays = entries.get("delays")
    return Document(
        neuron=neuron,
        patterns=patterns,
        targets=read_targets(entries.get("targets"), patterns.durations),
        weights=read_weights(entries.get("weights"), "weights", n_channels),
        rules=read_rules(entries.get("rules")),
        criterion=read_choice(entries.get("criterion", "strict"), "criterion", tuple(CRITERIA)),
        skip_right=read_flag(entries.get("skip_right", True), "skip_right"),
        seed=read_whole(entries.get("seed", 0), "seed", 0, MOST_SEED),
        delays=None if delays is None else read_delays(delays, "delays", n_channels),
    )


def read_title(plain: Any) -> str:
    """Return the title of a document."""
    return read_text(read_entries(plain, "document").get("title", ""), "title", 200)


def read_neuron(plain: Any) -> SRM:
    """Return the neuron; its own checks say what does not fit together."""
    entries = read_entries(plain, "neuron")
    names = ("tau_m", "tau_s", "threshold")
    return SRM(**{name: read_number(entries.get(name), name, LEAST, LARGEST) for name in names})


def read_weights(plain: Any, name: str, n_channels: int) -> Floats:
    """Return one weight per channel."""
    weights = read_numbers(plain, name, WEIGHTS, MOST_CHANNELS)
    if weights.size != n_channels:
        raise refuse(name, f"one number per channel ({n_channels})", weights.size)
    return weights


def read_delays(plain: Any, name: str, n_channels: int) -> Floats:
    """Return one delay per channel."""
    delays = read_numbers(plain, name, DELAYS, MOST_CHANNELS)
    if delays.size != n_channels:
        raise refuse(name, f"one number per channel ({n_channels})", delays.size)
    return delays


def read_patterns(plain: Any, n_channels: int) -> PatternSet:
    """Return the patterns; their spikes may come in any order."""
    listed = read_list(plain, "patterns", 1, MOST_PATTERNS)
    times, channels, durations = [], [], []
    left = MOST_SPIKES
    for p, each in enumerate(listed):
        name = f"patterns[{p}]"
        entries = read_entries(each, name)
        end = read_number(entries.get("duration"), f"{name}.duration", 1e-3, LONGEST)
        at = read_numbers(entries.get("times"), f"{name}.times", (0.0, end), left)
        of = _read_channels(entries.get("channels"), f"{name}.channels", n_channels)
        if of.size != at.size:
            raise refuse(f"{name}.channels", f"as long as its times ({at.size})", of.size)
        left -= at.size
        times.append(at)
        channels.append(of)
        durations.append(end)
    offsets = np.concatenate([[0], np.cumsum([at.size for at in times])])
    flat = np.concatenate(times), np.concatenate(channels)
    return PatternSet.sorted(*flat, offsets, n_channels, np.array(durations))


def _read_channels(plain: Any, name: str, n_channels: int) -> Ints:
    listed = read_list(plain, name, 0, MOST_SPIKES)
    if not {type(each) for each in listed} <= {int}:
        raise refuse(name, "a list of whole numbers", listed)
    if listed and not (min(listed) >= 0 and max(listed) < n_channels):
        got = Words(f"{min(listed)} to {max(listed)}")
        raise refuse(name, f"channels from 0 to {n_channels - 1}", got)
    return np.array(listed, dtype=np.int64)


def read_targets(plain: Any, durations: Floats) -> SpikeTimes | SpikeCounts:
    """Return one target per pattern; desired times may come in any order."""
    entries = read_entries(plain, "targets")
    kind = read_choice(entries.get("kind"), "targets.kind", ("times", "counts"))
    listed = read_list(entries.get(kind), f"targets.{kind}", 1, MOST_PATTERNS)
    if len(listed) != durations.size:
        raise refuse(f"targets.{kind}", f"one per pattern ({durations.size})", len(listed))
    if kind == "counts":
        names = [f"targets.counts[{p}]" for p in range(len(listed))]
        pairs = zip(listed, names, strict=True)
        return SpikeCounts([read_whole(each, name, 0, MOST_COUNT) for each, name in pairs])
    trains, left = [], MOST_DESIRED_IN_ALL
    for p, each in enumerate(listed):
        limits, most = (0.0, float(durations[p])), min(MOST_DESIRED, left)
        times = read_numbers(each, f"targets.times[{p}]", limits, most)
        left -= times.size
        trains.append(np.sort(times))
    return SpikeTimes(trains)


def read_rules(plain: Any) -> tuple[Rule, ...]:
    """Return the rules; their own checks say which settings they refuse."""
    listed: Sequence[Any] = read_list(plain, "rules", 1, MOST_RULES)
    return tuple(read_rule(each, f"rules[{i}]") for i, each in enumerate(listed))


def read_rule(plain: Any, name: str) -> Rule:
    """Return a rule by its key and settings."""
    entries = read_entries(plain, name)
    key = read_choice(entries.get("key"), f"{name}.key", tuple(REGISTRY))
    settings = read_entries(entries.get("settings", {}), f"{name}.settings")
    known = rule_of(key, "the document").settings()
    for setting, value in settings.items():
        if setting not in known:
            raise refuse(f"{name}.settings", f"settings of {key} ({', '.join(known)})", setting)
        _check_setting(value, f"{name}.settings.{setting}")
    return rule_of(key, "the document", **settings)


def _check_setting(value: Any, name: str) -> None:
    """Refuse what no rule has as a setting; a rule refuses the rest itself."""
    if isinstance(value, list):
        read_numbers(value, name, (0.0, LARGEST), 2)
    elif isinstance(value, float | int) and not isinstance(value, bool):
        read_number(value, name, -LARGEST, LARGEST)
    elif isinstance(value, str):
        read_text(value, name, 40)
    elif value is not None and not isinstance(value, bool):
        raise refuse(name, "a number, a text, true, false or null", value)
