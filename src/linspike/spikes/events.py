"""Conversion of tables of events, one row per spike, to flat spikes."""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

import numpy as np

from linspike._typing import Bools, Floats, Ints
from linspike._validation import (
    check_choice,
    check_float_array,
    check_int_array,
    check_integer,
    describe_value,
)
from linspike.errors import ParameterError, UnitWarning, Words, caller_level
from linspike.spikes.convert import Flat
from linspike.spikes.units import TIME_UNITS, to_ms

OWNER = "PatternSet"
UNIQUE = "Number them first: labels, {0} = np.unique({0}, return_inverse=True)."
FREE_PATTERNS = 1000  # gaps in the numbers of samples are empty patterns, but not without end
PATTERNS_PER_EVENT = 10
ROUNDING = 1e-12  # of times at the end of a window that came in another unit


class EventArrays(NamedTuple):
    """Events of a set of patterns, one entry per spike.

    Attributes
    ----------
    times : array of float
        Time from the start of the sample.
    channels : array of int
        Channel of the spike.
    samples : array of int
        Number of the pattern.
    """

    times: Floats
    channels: Ints
    samples: Ints


class EventTable(NamedTuple):
    """Events as they came in, with times in milliseconds."""

    times: Floats
    channels: Ints
    samples: Ints
    n_samples: int  # that the numbers in samples ask for


def read_events(times: Any, channels: Any, samples: Any, time_unit: Any) -> EventTable:
    """Return the arrays of `PatternSet.from_events`, checked one by one and for their lengths."""
    unit = check_choice(time_unit, "time_unit", OWNER, TIME_UNITS)
    for name, values in (("times", times), ("channels", channels), ("samples", samples)):
        _refuse_missing(values, name)
    ms = to_ms(_check_times(times), unit)
    _refuse_column(channels, "channels")
    of_channel = _check_numbers(channels, "channels")
    of_sample, n_samples = np.zeros(ms.size, np.int64), 1
    if samples is not None:
        _refuse_column(samples, "samples")
        of_sample, n_samples = _number_samples(samples)
    for name, array in (("channels", of_channel), ("samples", of_sample)):
        if array.size != ms.size:
            domain = f"as long as 'times' ({ms.size})"
            raise ParameterError.of(name, OWNER, domain, array.size)
    _refuse_events(~np.isfinite(ms), ms, "finite")
    _refuse_events(of_channel < 0, of_channel, "at least 0", "channels")
    return EventTable(ms, of_channel, of_sample, n_samples)


def sort_events(table: EventTable, window: Any) -> tuple[Flat, Floats]:
    """Return the events in the window by sample and time, and the duration of each sample."""
    times, inside, durations = _cut(table, window)
    if not inside.all():
        channels, samples = table.channels[inside], table.samples[inside]
        times, table = times[inside], table._replace(channels=channels, samples=samples)
    order = np.lexsort((times, table.samples))  # stable
    counts = np.bincount(table.samples, minlength=durations.size)
    offsets = np.concatenate([[0], np.cumsum(counts)])
    return Flat(times[order], table.channels[order], offsets), durations


def count_channels(table: EventTable, n_channels: Any) -> int:
    """Return the given number of channels, or the highest channel and one."""
    if n_channels is not None:
        return check_integer(n_channels, "n_channels", OWNER, least=1)
    if table.channels.size == 0:
        raise ParameterError.of("n_channels", OWNER, "given where there are no events", n_channels)
    return int(table.channels.max()) + 1


def _check_times(times: Any) -> Floats:
    _refuse_column(times, "times")
    if getattr(getattr(times, "dtype", None), "kind", "") in ("m", "M"):
        remedy = "Use (times - start) / np.timedelta64(1, 'ms') with time_unit='ms'."
        got = Words(f"an array of {times.dtype}")
        raise ParameterError.of("times", OWNER, "a 1-D array of numbers", got, remedy)
    return check_float_array(times, "times", OWNER)


def _refuse_column(values: Any, name: str) -> None:
    """Refuse a matrix of one column, as MATLAB and Kilosort write vectors, with the remedy."""
    shape = getattr(values, "shape", ())
    if len(shape) == 2 and 1 in shape:
        got = Words(f"shape {tuple(shape)}")
        raise ParameterError.of(name, OWNER, "a 1-D array", got, f"Use {name}.ravel().")


def _refuse_missing(values: Any, name: str) -> None:
    """Refuse a column of a data frame that has rows without a value."""
    if hasattr(values, "isna"):
        missing = np.asarray(values.isna())
        if missing.any():
            got = Words(f"{np.count_nonzero(missing)} missing of {missing.size}")
            remedy = "Drop these rows of the table first: table.dropna()."
            raise ParameterError.of(name, OWNER, "without missing values", got, remedy)


def _check_numbers(values: Any, name: str) -> Ints:
    """Return whole numbers; labels of other kinds get the remedy that numbers them."""
    array = values if isinstance(values, np.ndarray) else _as_array(values, name)
    if array.size and array.dtype.kind in "OSU":
        remedy, got = UNIQUE.format(name), describe_value(values)
        raise ParameterError.of(name, OWNER, "a 1-D array of integers", got, remedy)
    numbers: Ints = check_int_array(values, name, OWNER)
    return numbers


def _as_array(values: Any, name: str) -> Any:
    try:
        return np.asarray(values)
    except ValueError:  # rows of different lengths
        domain = "a 1-D array"
        raise ParameterError.of(name, OWNER, domain, describe_value(values)) from None


def _number_samples(samples: Any) -> tuple[Ints, int]:
    """Return the number of each event's sample and how many samples there are."""
    array = _as_array(samples, "samples")
    if array.dtype == object and all(isinstance(each, (int, np.integer)) for each in array.flat):
        samples = array = array.astype(np.int64)  # as tables with missing values hold integers
    if array.ndim == 1 and array.size and array.dtype.kind in "OSU":
        try:
            labels, numbers = np.unique(array, return_inverse=True)
        except TypeError:
            domain = "integers, or labels that can be sorted"
            raise ParameterError.of("samples", OWNER, domain, describe_value(samples)) from None
        return numbers, labels.size
    numbers = check_int_array(samples, "samples", OWNER)
    _refuse_events(numbers < 0, numbers, "at least 0", "samples")
    n_samples = int(numbers.max(initial=0)) + 1
    most = max(FREE_PATTERNS, PATTERNS_PER_EVENT * numbers.size)
    if n_samples > most:
        domain = f"numbers from 0 with few gaps: of {numbers.size} events, at most {most - 1}"
        raise ParameterError.of("samples", OWNER, domain, n_samples - 1, UNIQUE.format("samples"))
    return numbers, n_samples


def _cut(table: EventTable, window: Any) -> tuple[Floats, Bools, Floats]:
    """Return times from the window's start, which events are inside, and the durations."""
    times, n = table.times, table.n_samples
    if window is None:
        return times, np.ones(times.size, bool), np.full(n, _latest(times))
    if isinstance(window, tuple):
        start, end = _check_pair(window)
        lengths = np.full(n, end - start)
        shifted, inside = _find_inside(times - start, lengths[table.samples])
        if times.size and not inside.any():
            _warn_outside(f"none of the {times.size} events is in the window {window}")
        return shifted, inside, lengths
    lengths = _check_lengths(window, table)
    times, inside = _find_inside(times, lengths[table.samples])
    if not inside.all():
        n_outside = times.size - np.count_nonzero(inside)
        _warn_outside(f"{n_outside} of {times.size} events are outside the window")
    return times, inside, lengths


def _find_inside(times: Floats, ends: Floats) -> tuple[Floats, Bools]:
    """Return times and which are from 0 to the end; those that rounding put beyond it are at it."""
    inside = (times >= 0.0) & (times <= (1.0 + ROUNDING) * ends)
    return np.minimum(times, ends), inside


def _latest(times: Floats) -> float:
    """Return the latest time, which is the duration where no window is given."""
    remedy = "Pass window=(start, end) to cut the events and to count from its start."
    _refuse_events(times < 0.0, times, "at least 0 ms", "times", remedy)
    latest = float(times.max(initial=0.0))
    if latest == 0.0:
        raise ParameterError.of("window", OWNER, "given where no event comes after 0", None)
    return latest


def _check_pair(window: tuple[Any, ...]) -> tuple[float, float]:
    domain = "a length, a tuple (start, end), or an array with one length per sample"
    try:
        if any(isinstance(part, (str, bytes)) for part in window):
            raise ValueError
        start, end = (float(part) for part in window)
        if not (np.isfinite([start, end]).all() and start < end):
            raise ValueError
    except (TypeError, ValueError):
        raise ParameterError.of("window", OWNER, domain, window) from None
    return start, end


def _check_lengths(window: Any, table: EventTable) -> Floats:
    """Return the length of each sample; an array may have more of them than there are events of."""
    domain = "a length, a tuple (start, end), or an array with one length per sample"
    if isinstance(window, list):  # two numbers might be either
        raise ParameterError.of("window", OWNER, domain, describe_value(window))
    if isinstance(window, (str, bytes)):
        raise ParameterError.of("window", OWNER, domain, window)
    lengths = np.atleast_1d(check_float_array(window, "window", OWNER, None))
    if lengths.ndim != 1 or not (np.isfinite(lengths).all() and (lengths > 0.0).all()):
        raise ParameterError.of("window", OWNER, f"{domain}, positive", describe_value(window))
    if np.ndim(window) == 0:
        return np.full(table.n_samples, lengths[0])
    if lengths.size < table.n_samples:
        domain = f"one length per sample ({table.n_samples})"
        raise ParameterError.of("window", OWNER, domain, lengths.size)
    return lengths


def _warn_outside(what: str) -> None:
    remedy = (
        "Check time_unit, or whether times count from the start of each sample; "
        "window=(start, end) cuts without a warning."
    )
    # Up to the caller of PatternSet.from_events: this, _cut, sort_events, _assemble, from_events.
    warnings.warn(f"{OWNER}: {what} and left out. {remedy}", UnitWarning, stacklevel=caller_level())


def _refuse_events(
    bad: Bools, values: Any, domain: str, name: str = "times", remedy: str = ""
) -> None:
    if bad.any():
        at = int(np.argmax(bad))
        got = Words(f"{values[at].item()!r} (event {at})")
        raise ParameterError.of(name, OWNER, domain, got, remedy)
