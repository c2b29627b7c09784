"""Spikes as objects of Neo, and back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from linspike._typing import Floats, Ints
from linspike._validation import check_choice, check_integer
from linspike.errors import ParameterError, SpikeDataError, Words
from linspike.io.optional import import_format
from linspike.io.windows import check_window, cut, warn_empty
from linspike.neuron.responses import Responses
from linspike.spikes.pattern import Pattern
from linspike.spikes.pattern_set import PatternSet
from linspike.spikes.spike_train import SpikeTrain
from linspike.spikes.units import TIME_UNITS, from_ms, to_ms

ORDER = "linspike_order"  # array annotation: place of a spike in its pattern
ACCEPTED = "a neo Block, Segment or SpikeTrain, or a list of Segments or of SpikeTrains"


class _Sample(NamedTuple):
    """Spikes of one segment in milliseconds from its start, by channel."""

    times: Floats
    channels: Ints
    duration: float


def from_neo(
    obj: Any, *, window: float | tuple[float, float] | None = None, n_channels: int | None = None
) -> PatternSet:
    """Return patterns from objects of Neo: one pattern per segment, one channel per spike train.

    Times count from the start of the segment, the earliest `t_start` of its trains, and a pattern
    ends at their latest `t_stop`. Each train has its own unit, as Neo keeps it.

    Parameters
    ----------
    obj : neo.Block, neo.Segment, neo.SpikeTrain or list
        A block or a list of segments gives a pattern per segment; a list of spike trains one
        pattern; a list of lists of spike trains a pattern per list.
    window : float or tuple (start, end), optional
        Which part of each segment becomes its pattern, in milliseconds from its start, ends
        included; the whole segment unless given.
    n_channels : int, optional
        Number of channels. Unless given, all segments must have the same number of trains.

    Examples
    --------
    >>> import neo, linspike as ls
    >>> train = neo.SpikeTrain([0.25, 0.5], units="s", t_start=0.2, t_stop=1.0)
    >>> ls.from_neo([train, train])
    PatternSet(1 patterns, 4 spikes, 2 channels, 800.0 ms)
    """
    neo = import_format("neo", "from_neo")
    segments = _list_segments(neo, obj)
    span = None if window is None else check_window(window, "from_neo")
    width = _count_channels([len(trains) for trains in segments], n_channels)
    samples = [_read_segment(trains, p, span) for p, trains in enumerate(segments)]
    sizes = [sample.times.size for sample in samples]
    if span is not None:
        total = sum(len(train) for trains in segments for train in trains)
        remedy = "It is in ms from the start of each segment."
        warn_empty(total, sum(sizes), "from_neo", remedy)
    return PatternSet.from_events(
        np.concatenate([sample.times for sample in samples]),
        np.concatenate([sample.channels for sample in samples]),
        np.repeat(np.arange(len(samples)), sizes),
        time_unit="ms",
        window=np.array([sample.duration for sample in samples]),
        n_channels=width,
    )


def to_neo(spikes: Any, *, units: str = "ms") -> Any:
    """Return a neo Block with a segment per pattern and a spike train per channel.

    `from_neo` returns the same patterns: to the last bit in milliseconds. The array annotation
    `linspike_order` keeps the order of simultaneous spikes.

    Parameters
    ----------
    spikes : PatternSet, Pattern, Responses, SpikeTrain or list of SpikeTrain
        Of responses, each pattern is a segment with a train per neuron. Of a list of trains, each
        is a segment.
    units : {"s", "ms", "us", "ns"}
        Unit of the times.

    Returns
    -------
    neo.Block

    Examples
    --------
    >>> import linspike as ls
    >>> patterns = ls.PatternSet([1.0, 2.0, 0.5], [0, 1, 1], [0, 2, 3], 2, 10.0)
    >>> block = ls.to_neo(patterns)
    >>> len(block.segments), block.segments[0].spiketrains[1].times
    (2, array([2.]) * ms)
    """
    neo = import_format("neo", "to_neo")
    unit = check_choice(units, "units", "to_neo", TIME_UNITS)
    quantity = import_format("quantities", "to_neo").Quantity
    unit_quantity, start = quantity(1.0, unit), quantity(0.0, unit)  # once: texts are slow to parse
    block = neo.Block(name="linspike")
    for index, (lists, duration) in enumerate(_list_trains(spikes)):
        segment = neo.Segment(index=index)
        stop = quantity(from_ms(np.array([duration]), unit).item(), unit_quantity)
        for times, order in lists:
            train = neo.SpikeTrain(
                quantity(from_ms(times, unit), unit_quantity),
                t_start=start,
                t_stop=stop,
                array_annotations=None if order is None else {ORDER: order},
            )
            segment.spiketrains.append(train)
        block.segments.append(segment)
    return block


def _list_segments(neo: Any, obj: Any) -> list[list[Any]]:
    """Return the spike trains of each segment."""
    if isinstance(obj, neo.Block):
        obj = list(obj.segments)
    elif isinstance(obj, (neo.Segment, neo.SpikeTrain)):
        obj = [obj]
    listed = isinstance(obj, (Sequence, neo.core.spiketrainlist.SpikeTrainList))
    if not listed or isinstance(obj, (str, bytes)):
        got = Words(f"an object of type {type(obj).__name__}")
        remedy = "Read a file with a reader of neo.io first." if isinstance(obj, str) else ""
        raise ParameterError.of("obj", "from_neo", ACCEPTED, got, remedy)
    parts = list(obj)
    if parts and all(isinstance(part, neo.SpikeTrain) for part in parts):
        return [parts]
    if parts and all(isinstance(part, neo.Segment) for part in parts):
        return [[_load(train) for train in part.spiketrains] for part in parts]
    if parts and all(_is_list_of_trains(neo, part) for part in parts):
        return [list(part) for part in parts]
    got = Words(f"{type(obj).__name__} of {len(parts)} parts")
    raise ParameterError.of("obj", "from_neo", ACCEPTED, got)


def _load(train: Any) -> Any:
    """Return a spike train; of a file that was read with lazy=True, it is loaded now."""
    return train.load() if hasattr(train, "load") else train


def _is_list_of_trains(neo: Any, part: Any) -> bool:
    listed = isinstance(part, (list, tuple, neo.core.spiketrainlist.SpikeTrainList))
    return listed and all(isinstance(train, neo.SpikeTrain) for train in part)


def _count_channels(counts: list[int], n_channels: int | None) -> int:
    """Return the number of channels; segments of several sizes need it to be given."""
    most = max(counts)
    if n_channels is not None:
        given = check_integer(n_channels, "n_channels", "from_neo", least=1)
        if given < most:
            domain = f"at least the number of spike trains in a segment ({most})"
            raise ParameterError.of("n_channels", "from_neo", domain, given)
        return given
    if len(set(counts)) > 1 or most == 0:
        raise SpikeDataError(
            f"Segments have {sorted(set(counts))} spike trains. Pass n_channels= if the first "
            "train of each segment is channel 0, the second channel 1, and so on."
        )
    return most


def _read_segment(trains: list[Any], number: int, window: tuple[float, float] | None) -> _Sample:
    """Return the spikes of one segment, in the order they had in a pattern if it is known."""
    if not trains and window is None:
        raise SpikeDataError(
            f"Segment {number} has no spike trains, so that its length is unknown. Pass window=."
        )
    begin = min((_in_ms(train.t_start) for train in trains), default=np.zeros(1)).item()
    end = max((_in_ms(train.t_stop) for train in trains), default=np.zeros(1)).item()
    times = np.concatenate([np.empty(0), *(_in_ms(train.times) for train in trains)])
    channels = np.repeat(np.arange(len(trains)), [len(train) for train in trains])
    if not np.isfinite([begin, end]).all() or (window is None and end <= begin):
        raise SpikeDataError(
            f"Segment {number} goes from {begin} to {end} ms. Give its trains a finite t_start "
            "and a later t_stop."
        )
    # What the two times, rounded in their own unit and to milliseconds, leave open.
    rounding = 2.0 * np.spacing(np.abs(times) + abs(begin))
    times = times - begin
    if trains and all(ORDER in train.array_annotations for train in trains):
        keys = [np.asarray(train.array_annotations[ORDER]).ravel() for train in trains]
        order = np.argsort(np.concatenate(keys), kind="stable")
        times, channels, rounding = times[order], channels[order], rounding[order]
    if window is None:
        return _Sample(times, channels, end - begin)
    shifted, inside = cut(times, window, rounding)
    return _Sample(shifted[inside], channels[inside], window[1] - window[0])


def _in_ms(quantity: Any) -> Floats:
    """Return a time or times of Neo in milliseconds, those in milliseconds as they are."""
    unit = str(quantity.dimensionality)
    if unit not in TIME_UNITS:
        quantity, unit = quantity.rescale("ms"), "ms"
    return to_ms(np.atleast_1d(np.asarray(quantity.magnitude, dtype=np.float64)), unit)


_Lists = list[tuple[Floats, Ints | None]]


def _list_trains(spikes: Any) -> Iterator[tuple[_Lists, float]]:
    """Yield times and order of every channel, and the duration, of each pattern."""
    if isinstance(spikes, Pattern):
        spikes = PatternSet.from_patterns([spikes])
    if isinstance(spikes, PatternSet):
        for pattern in spikes:
            yield _split(pattern), pattern.duration
        return
    for column in _list_columns(spikes):
        duration = column[0].duration
        if not np.isfinite(duration):
            remedy = "Respond with a finite until=, or use SpikeTrain(times, duration)."
            domain = "trains of finite duration"
            raise ParameterError.of("spikes", "to_neo", domain, duration, remedy)
        yield [(np.array(train.times), None) for train in column], duration


def _list_columns(spikes: Any) -> list[list[SpikeTrain]]:
    """Return the trains of all neurons for each pattern."""
    if isinstance(spikes, Responses):
        neurons, patterns = spikes.shape
        return [[spikes[i, p] for i in range(neurons)] for p in range(patterns)]
    listed = [spikes] if isinstance(spikes, SpikeTrain) else spikes
    if not isinstance(listed, (list, tuple)):
        listed = []
    if listed and all(isinstance(train, SpikeTrain) for train in listed):
        return [[train] for train in listed]
    domain = "a PatternSet, Pattern, Responses, SpikeTrain, or a list of SpikeTrains"
    got = Words(f"an object of type {type(spikes).__name__}")
    raise ParameterError.of("spikes", "to_neo", domain, got)


def _split(pattern: Pattern) -> _Lists:
    """Return times and places of the spikes of each channel."""
    order = np.argsort(pattern.channels, kind="stable")
    bounds = np.searchsorted(pattern.channels[order], np.arange(1, pattern.n_channels))
    return [(pattern.times[part], part) for part in np.split(order, bounds)]
