"""Patterns from files of Neurodata Without Borders."""

from __future__ import annotations

from contextlib import ExitStack
from os import PathLike, fspath
from typing import Any

import numpy as np

from linspike._files import refusing_damage
from linspike._typing import Floats
from linspike._validation import check_float_array, check_int_array, describe_value
from linspike.errors import ParameterError, SpikeDataError, Words
from linspike.io.hdf5 import check_hdf5
from linspike.io.optional import import_format
from linspike.io.windows import check_window, cut, warn_empty
from linspike.spikes.pattern_set import PatternSet
from linspike.spikes.units import to_ms

OWNER = "from_nwb"
ALIGN = "the name of a column of the trials table, or an array of times in s"
TIMES = "Or pass align= as an array of times in s."


def from_nwb(
    file: Any,
    align: Any = "start_time",
    *,
    window: float | tuple[float, float] | None = None,
    units: Any = None,
) -> PatternSet:
    """Return patterns from an NWB file: one pattern per trial, one channel per sorted unit.

    Parameters
    ----------
    file : str, path or pynwb.NWBFile
        The file, or what was read from it. Spike times come from its units table.
    align : str or array of float
        What times count from: a column of the trials table that holds times, such as
        "start_time", or an array of times in seconds, which need no trials table.
    window : float or tuple (start, end)
        Which part of the recording becomes a pattern, in milliseconds from the aligned time, ends
        included: (-100.0, 400.0) starts 100 ms before it. A length is a window from 0.
    units : array of int, optional
        Rows of the units table to read, in the order of the channels; all unless given.

    Examples
    --------
    ``ls.from_nwb("session.nwb", align="go_cue_time", window=(-100.0, 400.0))``
    """
    if window is None:
        domain = "given: a length or a tuple (start, end), in ms"
        raise ParameterError.of("window", OWNER, domain, window)
    span = check_window(window, OWNER)
    pynwb = import_format("pynwb", OWNER)
    with ExitStack() as stack:
        content = _open(pynwb, file, stack)
        trains = _read_units(content, units)
        starts = _read_starts(content, align)
    patterns = _cut_trials(trains, starts, span)
    remedy = "Aligned times are in s, the window in ms."
    warn_empty(sum(train.size for train in trains), patterns.times.size, OWNER, remedy)
    return patterns


def _open(pynwb: Any, file: Any, stack: ExitStack) -> Any:
    """Return the content of a file, which `stack` closes, or the content that was passed."""
    if isinstance(file, pynwb.NWBFile):
        return file
    if not isinstance(file, (str, PathLike)):
        domain = "a path or a pynwb.NWBFile"
        got = Words(f"an object of type {type(file).__name__}")
        raise ParameterError.of("file", OWNER, domain, got)
    check_hdf5(file, "an NWB file")
    with refusing_damage(file):
        reader = pynwb.NWBHDF5IO(fspath(file), mode="r", load_namespaces=True)
        stack.callback(reader.close)
        return reader.read()


def _read_units(content: Any, chosen: Any) -> list[Floats]:
    """Return the spike times of the chosen units, in seconds."""
    table = content.units
    if table is None or "spike_times" not in table.colnames:
        raise SpikeDataError("The NWB file has no spikes: it has no units table with spike_times.")
    rows = np.arange(len(table))
    if chosen is not None:
        rows = check_int_array(chosen, "units", OWNER)
        bad = (rows < 0) | (rows >= len(table))
        if bad.any() or not rows.size:
            domain = f"rows of the units table, from 0 to {len(table) - 1}"
            got = int(rows[bad][0]) if bad.any() else describe_value(chosen)
            raise ParameterError.of("units", OWNER, domain, got)
    if not rows.size:
        raise SpikeDataError("The NWB file has no spikes: its units table is empty.")
    trains = [np.asarray(table["spike_times"][int(row)], dtype=np.float64) for row in rows]
    for row, train in zip(rows.tolist(), trains, strict=True):
        if not np.isfinite(train).all():
            raise SpikeDataError(f"Unit {row} of the NWB file has spike times that are not finite.")
    return trains


def _read_starts(content: Any, align: Any) -> Floats:
    """Return the times that the trials are aligned to, in seconds."""
    if not isinstance(align, str):
        starts = check_float_array(align, "align", OWNER)
        _refuse(starts, "align", "array")
        return starts
    if content.trials is None:
        raise SpikeDataError(f"The NWB file has no trials table for align={align!r}. {TIMES}")
    names = tuple(content.trials.colnames)
    if align not in names:
        raise ParameterError.of("align", OWNER, f"one of the columns {names}", align, TIMES)
    column = np.asarray(content.trials[align][:])
    if column.dtype.kind not in "iuf" or column.ndim != 1:
        got = Words(f"{align!r}, a column of {column.dtype} with shape {column.shape}")
        raise ParameterError.of("align", OWNER, "a column that holds times in s", got)
    starts = column.astype(np.float64)
    _refuse(starts, align, "column")
    return starts


def _refuse(starts: Floats, name: str, kind: str) -> None:
    """Refuse no trials, and trials without a time."""
    if not starts.size:
        raise SpikeDataError(f"There are no trials: the {kind} {name!r} is empty.")
    bad = ~np.isfinite(starts)
    if bad.any():
        at = int(np.argmax(bad))
        raise SpikeDataError(
            f"Trial {at} has no time: the {kind} {name!r} holds {starts[at].item()}. Pass the "
            "times of the other trials as align=, an array in s."
        )


def _cut_trials(trains: list[Floats], starts: Floats, window: tuple[float, float]) -> PatternSet:
    times, channels, samples = [], [], []
    for channel, train in enumerate(trains):
        ordered = np.sort(train)
        # Of all trials at once: the spikes from a bit before the window to a bit after it.
        reach = 1e-3 * np.array(window) + [-1e-6, 1e-6]
        first = np.searchsorted(ordered, starts + reach[0])
        sizes = np.searchsorted(ordered, starts + reach[1]) - first
        trial = np.repeat(np.arange(starts.size), sizes)
        places = np.arange(sizes.sum()) + np.repeat(first - np.cumsum(sizes) + sizes, sizes)
        since = to_ms(ordered[places] - starts[trial], "s")
        # What the two times, good to half a unit in the last place, leave open.
        rounding = to_ms(np.spacing(np.abs(starts[trial]) + np.abs(ordered[places])), "s")
        shifted, inside = cut(since, window, rounding)
        times.append(shifted[inside])
        channels.append(np.full(int(inside.sum()), channel))
        samples.append(trial[inside])
    return PatternSet.from_events(
        np.concatenate(times),
        np.concatenate(channels),
        np.concatenate(samples),
        time_unit="ms",
        window=np.full(starts.size, window[1] - window[0]),
        n_channels=len(trains),
    )
