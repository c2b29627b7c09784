"""Patterns as data of NIR, which go with a graph."""

from __future__ import annotations

import io
from os import PathLike, fspath
from typing import Any, NamedTuple

import numpy as np

from linspike._files import refusing_damage, write_whole
from linspike._typing import Floats
from linspike._validation import check_choice
from linspike.errors import FileFormatError, ParameterError, SpikeDataError
from linspike.io.hdf5 import check_hdf5
from linspike.io.optional import import_format
from linspike.neuron.arguments import check_patterns
from linspike.spikes.pattern_set import PatternSet
from linspike.spikes.units import TIME_UNITS, from_ms, to_ms

UNIT, DURATIONS = "linspike_time_unit", "linspike_durations"  # attributes of the file
NODE, OBSERVABLE = "input", "spikes"


class _Stored(NamedTuple):
    """What a file holds: one observable of one node, and what linspike wrote beside it."""

    data: Any
    time_unit: str | None
    durations: Floats | None


def to_nir_data(
    patterns: PatternSet, path: str | PathLike[str], *, node: str = NODE, time_unit: str = "ms"
) -> None:
    """Write patterns as event data of NIR: the observable "spikes" of a node of the graph.

    NIR keeps one end for all samples, the longest; the length of each pattern is written beside
    it, for `from_nir_data`. An old file stays until all is written.

    Parameters
    ----------
    patterns : PatternSet
        The patterns.
    path : str or path
        The file to write.
    node : str
        Name of the node whose spikes they are; `to_nir` names the input node "input".
    time_unit : {"s", "ms", "us", "ns"}
        Unit of the times.
    """
    owner = "to_nir_data"
    given = check_patterns(patterns, owner)
    unit = check_choice(time_unit, "time_unit", owner, TIME_UNITS)
    if not isinstance(node, str) or not node or "/" in node:
        raise ParameterError.of("node", owner, "the name of a node, without '/'", node)
    nir, h5py = import_format("nir", owner), import_format("h5py", owner)
    sizes = np.diff(given.offsets)
    index = np.full((len(given), int(sizes.max())), -1)
    times = np.full(index.shape, np.inf)
    filled = np.arange(index.shape[1]) < sizes[:, np.newaxis]
    index[filled], times[filled] = given.channels, from_ms(np.array(given.times), unit)
    ends = from_ms(np.array(given.durations), unit)
    events = nir.EventData(index, times, given.n_channels, float(ends.max()))
    content = io.BytesIO()
    node_data = nir.NIRNodeData({OBSERVABLE: events})
    compression = "gzip" if index.size else None  # HDF5 has no chunks of nothing
    nir.write_data(content, nir.NIRGraphData({node: node_data}), compression=compression)
    with h5py.File(content, "r+") as file:
        file.attrs[UNIT] = unit
        file.create_dataset(DURATIONS, data=ends)
    write_whole(path, content.getvalue())


def from_nir_data(
    path: str | PathLike[str], *, node: str | None = None, time_unit: str | None = None
) -> PatternSet:
    """Return the patterns in a file of NIR data: events, or spikes on a time grid.

    Parameters
    ----------
    path : str or path
        The file.
    node : str, optional
        Name of the node; unless given, "input", or the only one.
    time_unit : {"s", "ms", "us", "ns"}, optional
        Unit of the times; needed unless linspike wrote the file, because NIR has no units.
    """
    owner = "from_nir_data"
    if time_unit is not None:
        check_choice(time_unit, "time_unit", owner, TIME_UNITS)
    nir, h5py = import_format("nir", owner), import_format("h5py", owner)
    stored = _read(nir, h5py, path, node)
    if stored.time_unit is None and time_unit is None:
        domain = f"given, one of {TIME_UNITS}: {fspath(path)!r} does not name its unit"
        raise ParameterError.of("time_unit", owner, domain, time_unit)
    if None not in (stored.time_unit, time_unit) and stored.time_unit != time_unit:
        domain = f"left out: {fspath(path)!r} says that its times are in {stored.time_unit}"
        raise ParameterError.of("time_unit", owner, domain, time_unit)
    unit = stored.time_unit or time_unit or ""
    if isinstance(stored.data, nir.TimeGriddedData):
        _refuse_counts(stored.data, path)
    with refusing_damage(path):
        if isinstance(stored.data, nir.TimeGriddedData):
            return _read_grid(stored.data, unit)
        return _read_events(stored.data, unit, stored.durations)


def _read(nir: Any, h5py: Any, path: str | PathLike[str], node: str | None) -> _Stored:
    """Return the observable of a node, and what stands beside the data."""
    check_hdf5(path, "a file of NIR data")
    try:
        data = nir.read_data(fspath(path))
    except Exception as error:  # whatever a file of another kind provokes in nir
        text = f"{fspath(path)!r} holds no NIR data that nir can read"
        raise FileFormatError(f"{text} ({type(error).__name__}: {error}).") from error
    name = node or (NODE if NODE in data.nodes or len(data.nodes) != 1 else next(iter(data.nodes)))
    if name not in data.nodes or not isinstance(data.nodes[name], nir.NIRNodeData):
        domain = f"one of {tuple(data.nodes)}, the nodes of {fspath(path)!r}"
        raise ParameterError.of("node", "from_nir_data", domain, node)
    held = data.nodes[name].observables
    if OBSERVABLE not in held:
        raise SpikeDataError(f"Node {name!r} has no 'spikes', only {sorted(held)}.")
    if isinstance(held[OBSERVABLE], nir.ValuedEventData):
        raise SpikeDataError(f"The spikes of node {name!r} have values, which patterns have not.")
    with refusing_damage(path), h5py.File(fspath(path), "r") as file:
        unit = file.attrs.get(UNIT)
        if unit is not None and unit not in TIME_UNITS:
            raise ValueError(f"time unit {unit!r}")
        durations = file[DURATIONS][()] if DURATIONS in file else None
    return _Stored(held[OBSERVABLE], unit, durations)


def _refuse_counts(data: Any, path: str | PathLike[str]) -> None:
    """Refuse a raster that is not made of 0 and 1."""
    values = np.asarray(data.data)
    other = values[(values != 0) & (values != 1)]
    if other.size:
        raise SpikeDataError(
            f"{fspath(path)!r} holds a raster with the value {other[0].item()!r}. A bin of a "
            "raster has one spike (1) or none (0): several spikes in a bin have no times."
        )


def _read_grid(data: Any, unit: str) -> PatternSet:
    """Return the patterns of a raster (samples, steps, neurons)."""
    dt = float(to_ms(np.array([data.dt]), unit)[0])
    return PatternSet.from_raster(data.data, dt, order="time_channel")


def _read_events(data: Any, unit: str, durations: Floats | None) -> PatternSet:
    """Return the patterns of events; places of an index of -1 are empty."""
    filled = np.asarray(data.idx) >= 0
    samples = np.repeat(np.arange(data.n_samples), filled.sum(axis=1))
    ends = np.full(data.n_samples, data.t_max) if durations is None else durations
    return PatternSet.from_events(
        to_ms(np.asarray(data.time, dtype=np.float64)[filled], unit),
        np.asarray(data.idx)[filled],
        samples,
        time_unit="ms",
        window=to_ms(np.asarray(ends, dtype=np.float64), unit),
        n_channels=data.n_neurons,
    )
