"""Events of cameras and other sensors in structured arrays, as tonic has them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from linspike._typing import Ints
from linspike._validation import check_choice, check_integer, describe_value
from linspike.errors import ParameterError, Words
from linspike.spikes.events import OWNER, EventTable, read_events
from linspike.spikes.units import TIME_UNITS

MOST_CHANNELS = 2**31 - 1  # channels are 32-bit integers
POLARITY = "Map polarities of -1 and 1 to 0 and 1: events['p'] > 0."


def read_structured(
    events: Any, fields: Any, sensor_size: Any, time_unit: Any
) -> tuple[EventTable, int]:
    """Return the events of all samples, and the number of channels of the sensor."""
    time, *coordinates = _check_fields(fields)
    sizes = _check_sizes(sensor_size, coordinates)
    check_choice(time_unit, "time_unit", OWNER, TIME_UNITS)
    samples = _check_arrays(events, (time, *coordinates))
    channels = [_find_channels(array, coordinates, sizes, p) for p, array in enumerate(samples)]
    numbers = np.repeat(np.arange(len(samples)), [array.size for array in samples])
    times = np.concatenate([array[time] for array in samples])
    table = read_events(times, np.concatenate(channels), numbers, time_unit)
    return table._replace(n_samples=len(samples)), math.prod(sizes)


def _check_fields(fields: Any) -> tuple[str, ...]:
    texts = isinstance(fields, (tuple, list)) and all(isinstance(name, str) for name in fields)
    if not texts or len(set(fields)) != len(fields) or len(fields) < 2:
        domain = "names of the time and of one or more coordinates"
        raise ParameterError.of("fields", OWNER, domain, fields)
    return tuple(fields)


def _check_sizes(sensor_size: Any, coordinates: list[str]) -> tuple[int, ...]:
    """Return one size per coordinate; more of them must be 1, as tonic has (700, 1, 1)."""
    listed = isinstance(sensor_size, (tuple, list, np.ndarray))
    sizes = tuple(
        check_integer(size, "sensor_size", OWNER, least=1)
        for size in (sensor_size if listed else ())
    )
    n = len(coordinates)
    if len(sizes) < n or math.prod(sizes[n:]) != 1:
        domain = f"one size for each of {tuple(coordinates)}"
        raise ParameterError.of("sensor_size", OWNER, domain, sensor_size)
    if math.prod(sizes) > MOST_CHANNELS:
        domain = f"of at most {MOST_CHANNELS} channels in all"
        raise ParameterError.of("sensor_size", OWNER, domain, sensor_size)
    return sizes[:n]


def _check_arrays(events: Any, names: tuple[str, ...]) -> list[Any]:
    domain = "a structured array, or a list of them with one per sample"
    one = isinstance(events, np.ndarray) and events.dtype.names is not None
    samples = [events] if one else list(events) if isinstance(events, Iterable) else []
    remedy = ""
    if hasattr(events, "to_records"):
        remedy = "Of a data frame, use events.to_records(index=False)."
    if not samples or remedy:
        raise ParameterError.of("events", OWNER, domain, describe_value(events), remedy)
    for p, array in enumerate(samples):
        held = getattr(getattr(array, "dtype", None), "names", None)
        if held is None or array.ndim != 1:
            kind = describe_value(array) if isinstance(array, np.ndarray) else type(array).__name__
            got = Words(f"{kind} for sample {p}")
            remedy = "Of a tonic data set, use [events for events, label in data]."
            pairs = isinstance(array, tuple)
            raise ParameterError.of("events", OWNER, domain, got, remedy if pairs else "")
        if not set(names) <= set(held):
            got = Words(f"{held} for sample {p}")
            raise ParameterError.of("events", OWNER, f"arrays with the fields {names}", got)
    return samples


def _find_channels(array: Any, coordinates: list[str], sizes: tuple[int, ...], sample: int) -> Ints:
    """Return the channel of each event; the first coordinate varies fastest."""
    channels = np.zeros(array.size, np.int64)
    stride = 1
    for name, size in zip(coordinates, sizes, strict=True):
        values = array[name]
        if values.dtype.kind not in "biu" or values.ndim != 1:
            got = Words(f"{values.dtype} in sample {sample}")
            raise ParameterError.of("events", OWNER, f"arrays with integers in {name!r}", got)
        bad = (values < 0) | (values >= size)
        if bad.any():
            at = int(np.argmax(bad))
            got = Words(f"{values[at].item()} (sample {sample}, event {at})")
            remedy = POLARITY if values[at] == -1 and size == 2 else ""
            domain = f"arrays with {name!r} from 0 to {size - 1}, as sensor_size says"
            raise ParameterError.of("events", OWNER, domain, got, remedy)
        channels += stride * values.astype(np.int64)
        stride *= size
    return channels
