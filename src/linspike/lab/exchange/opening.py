"""Files that are opened in the lab: documents, npz files, tables of spikes, events."""

from __future__ import annotations

import io
import json
import math
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from linspike._files import kind_of, refusing_damage
from linspike.errors import FileFormatError, SpikeDataError
from linspike.lab.document import MOST_CHANNELS, MOST_SPIKES, Document, read_document, read_title
from linspike.lab.exchange.tables import read_table
from linspike.neuron.srm import SRM
from linspike.rules import rule_of
from linspike.spikes.pattern_set import FORMAT as PATTERNS
from linspike.spikes.pattern_set import PatternSet
from linspike.spikes.targets import (
    COUNTS_FORMAT,
    TIMES_FORMAT,
    SpikeCounts,
    SpikeTimes,
    load_targets,
)
from linspike.training.initial import driven_weights
from linspike.training.model import FORMAT as MODEL
from linspike.training.model import load_model

MOST_BYTES = 64 * 2**20  # of arrays in memory
AS_GIVEN = ("patterns", "targets", "weights")
MOST_TEXT = 2000  # characters of what is said of a task
KINDS = "json, npz, npy, csv and txt"
NOTHING_DESIRED = (
    "No spikes are desired yet: click into the upper line of desired and actual spikes, or open "
    "the targets of these patterns."
)


def open_file(name: str, content: bytes, document: Document) -> dict[str, Any]:
    """Return the document after a file was opened; targets and models go into the present one."""
    kind, title = name.rpartition(".")[2].lower(), name[:100]
    if kind == "json":
        return _open_json(content, title)
    if kind == "npz":
        found = _open_npz(content, title, document)
    elif kind == "npy":
        found = _with_patterns(document, _read_events(content, title))
    elif kind in ("csv", "txt", "tsv"):
        found = _with_patterns(document, *read_table(content, title))
    else:
        raise FileFormatError(f"{title!r} cannot be opened: the lab reads {KINDS}.")
    drawn = isinstance(found.targets, SpikeCounts) or any(len(train) for train in found.targets)
    plain = found.to_plain(title, "" if drawn else NOTHING_DESIRED)
    read_document(plain)  # what the lab opens, it can work on
    return plain


def _open_json(content: bytes, title: str) -> dict[str, Any]:
    try:
        plain = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise FileFormatError(f"{title!r} is no JSON file ({error}).") from None
    if not isinstance(plain, dict) or "version" not in plain:
        raise FileFormatError(f"{title!r} is not a lab document: it lacks the entry 'version'.")
    return complete(plain)


def complete(plain: Any) -> dict[str, Any]:
    """Return a document with all its entries; spikes stay in their order, and settings as few."""
    document, text = read_document(plain), plain.get("text", "")
    whole = document.to_plain(read_title(plain), text[:MOST_TEXT] if isinstance(text, str) else "")
    rules = [{"key": each["key"], "settings": each.get("settings", {})} for each in plain["rules"]]
    return {**whole, **{name: plain[name] for name in AS_GIVEN}, "rules": rules}


def _open_npz(content: bytes, title: str, document: Document) -> Document:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "opened.npz"
        path.write_bytes(content)
        try:
            return _load_npz(path, document)
        except FileFormatError as error:
            raise FileFormatError(str(error).replace(str(path), title)) from None


def _load_npz(path: Path, document: Document) -> Document:
    kind = kind_of(path, MOST_BYTES)
    if kind == PATTERNS:
        return _with_patterns(document, PatternSet.load(path, max_bytes=MOST_BYTES))
    if kind in (TIMES_FORMAT, COUNTS_FORMAT):
        targets = load_targets(path, max_bytes=MOST_BYTES)
        if len(targets) != len(document.patterns):
            raise SpikeDataError(
                f"These targets are for {len(targets)} patterns, but there are "
                f"{len(document.patterns)}. Open their patterns first."
            )
        return replace(document, targets=targets)
    if kind == MODEL:
        model = load_model(path, max_bytes=MOST_BYTES)
        if model.weights.shape[1] != document.patterns.n_channels:
            raise SpikeDataError(
                f"This model has {model.weights.shape[1]} channels, but the patterns have "
                f"{document.patterns.n_channels}. Open its patterns first."
            )
        rules = document.rules if model.rule is None else (rule_of(model.rule, "lab"),)
        weights, delays = model.weights[0], None if model.delays is None else model.delays[0]
        return replace(document, neuron=model.neuron, weights=weights, delays=delays, rules=rules)
    raise FileFormatError(f"{str(path)!r} is no file of patterns, targets or a model.")


def _with_patterns(
    document: Document, patterns: PatternSet, targets: SpikeTimes | None = None
) -> Document:
    """Return a document with other patterns and weights that suit them."""
    if targets is None:
        same = len(patterns) == len(document.patterns)
        targets = document.targets if same else SpikeTimes([[] for _ in patterns])  # type: ignore[assignment]
        if isinstance(targets, SpikeTimes):
            pairs = zip(targets, patterns.durations, strict=True)
            targets = SpikeTimes([train.times[train.times <= end] for train, end in pairs])
    assert targets is not None
    if patterns.n_channels > MOST_CHANNELS or patterns.times.size > MOST_SPIKES:
        raise SpikeDataError(
            f"The lab takes up to {MOST_CHANNELS} channels and {MOST_SPIKES} spikes. "
            f"Got {patterns.n_channels} and {patterns.times.size} instead."
        )
    weights = driven_weights(SRM(), patterns, [targets], document.seed)[0]
    return replace(document, patterns=patterns, targets=targets, weights=weights, delays=None)


def _read_events(content: bytes, title: str) -> PatternSet:
    """Return the events of a structured array: t in microseconds, and x, y, p or some of them."""
    with refusing_damage(title):
        stream = io.BytesIO(content)
        version = np.lib.format.read_magic(stream)
        formats: Any = np.lib.format
        older = version == (1, 0)
        shape, _, dtype = (
            formats.read_array_header_1_0(stream)
            if older
            else formats.read_array_header_2_0(stream)
        )
        if dtype.hasobject:
            raise FileFormatError(f"{title!r} holds pickled objects, which the lab does not read.")
        if math.prod(shape) * max(dtype.itemsize, 8) > len(content) + 2**10:
            raise FileFormatError(f"{title!r} does not hold the array that it announces.")
        events = np.lib.format.read_array(io.BytesIO(content), allow_pickle=False)
    names = events.dtype.names or ()
    coordinates = [name for name in ("x", "y", "p") if name in names]
    if "t" not in names or not coordinates or events.ndim != 1 or not events.size:
        raise FileFormatError(f"{title!r} holds no events with the fields t and x, y or p.")
    kinds = {name: events.dtype[name].kind for name in ("t", *coordinates)}
    if kinds["t"] not in "iuf" or not all(kinds[name] in "iub" for name in coordinates):
        raise FileFormatError(f"{title!r} must have numbers in t, and whole ones in x, y and p.")
    sizes = []
    for name in coordinates:
        column = events[name].astype(np.int64)
        sizes.append(max(1, int(column.max()) + 1))
    if math.prod(sizes) > MOST_CHANNELS:
        raise SpikeDataError(
            f"These events have {math.prod(sizes)} channels, and the lab takes up to "
            f"{MOST_CHANNELS}. Pool them first: linspike.PoolEvents."
        )
    events = np.sort(events, order="t")
    start = events["t"][:1]
    shifted = events.copy()
    shifted["t"] -= start
    return PatternSet.from_structured(
        shifted, ("t", *coordinates), sensor_size=sizes, time_unit="us"
    )
