"""Models from graphs of NIR; whatever an SRM cannot represent is refused with one sentence."""

from __future__ import annotations

import itertools
from os import PathLike, fspath
from typing import Any, NamedTuple

import numpy as np

from linspike._files import refusing_damage
from linspike._typing import Floats
from linspike._validation import check_choice, check_real
from linspike.errors import FileFormatError, ParameterError
from linspike.io.hdf5 import check_hdf5
from linspike.io.nir_graph import PROFILES, psp_area
from linspike.io.optional import import_format
from linspike.neuron.arguments import check_time_step
from linspike.neuron.srm import SRM
from linspike.spikes.units import TIME_UNITS, to_ms
from linspike.training.model import Model

OWNER = "from_nir"
ROUNDING = 1e-9  # of a time step in seconds, relative
SHAPE = "Input -> (Delay ->) Linear or Affine -> CubaLIF -> Output"


class _Path(NamedTuple):
    """Nodes of one way from the input to the neurons."""

    delay: Any  # None without one
    linear: Any


class _Meaning(NamedTuple):
    """Unit of the times of a file, and the integral of one of its spikes in milliseconds."""

    time_unit: str
    dt: float | None  # None for delta functions, whose integral is 1


def from_nir(
    path: str | PathLike[str], time_unit: str | None = None, *, dt: float | None = None
) -> Model:
    """Return the model of a NIR graph Input -> Linear or Affine -> CubaLIF -> Output.

    A Delay may stand before Linear. Of several pairs of a Delay and a Linear, each is the input of
    one neuron, as `to_nir` writes them.

    NIR has no units, so they are not guessed: a file that linspike wrote names its own, for any
    other `time_unit` must be given.

    Parameters
    ----------
    path : str or path
        The file.
    time_unit : {"s", "ms", "us", "ns"}, optional
        Unit of the time constants; needed unless linspike wrote the file.
    dt : float, optional
        Time step in milliseconds, whatever `time_unit` is, below tau_s: of a graph for a simulator
        that holds a spike for one step. Unless given, spikes are delta functions, as NIR defines
        them.

    Returns
    -------
    Model
        Times in milliseconds, weights as float64.
    """
    nir = import_format("nir", OWNER)
    graph = read_graph(nir, path)
    meaning = _find_meaning(graph.metadata, path, time_unit, dt)
    paths, cells = _find_layer(nir, graph)
    weights, delays = _join_paths(nir, paths)
    return _make_model(weights, delays, cells, meaning, fspath(path), dt)


def read_graph(nir: Any, path: str | PathLike[str]) -> Any:
    """Return the graph in a file, or say in one sentence that it holds none."""
    check_hdf5(path, "a NIR file")
    try:
        graph = nir.read(fspath(path), type_check=False)
    except Exception as error:  # whatever a file of another kind provokes in nir
        text = f"{fspath(path)!r} is no NIR graph that nir can read"
        raise FileFormatError(f"{text} ({type(error).__name__}: {error}).") from error
    if not isinstance(graph, nir.NIRGraph):
        raise FileFormatError(f"{fspath(path)!r} holds a {type(graph).__name__}, not a graph.")
    return graph


def _find_meaning(about: Any, path: Any, time_unit: Any, dt: Any) -> _Meaning:
    """Return unit and time step: those that linspike wrote, or those that are given."""
    if time_unit is not None:
        check_choice(time_unit, "time_unit", OWNER, TIME_UNITS)
    if "linspike" in about:
        unit, step = _read_own(about, path)
        if dt is not None or time_unit not in (None, unit):
            domain = f"left out: {fspath(path)!r} says that its times are in {unit}"
            name, got = ("dt", dt) if dt is not None else ("time_unit", time_unit)
            raise ParameterError.of(name, OWNER, domain, got)
    elif time_unit is None:
        domain = f"given, one of {TIME_UNITS}: {fspath(path)!r} does not name its unit"
        raise ParameterError.of("time_unit", OWNER, domain, time_unit)
    else:
        step = None if dt is None else check_real(dt, "dt", OWNER, above=0.0)
        return _Meaning(time_unit, step)
    return _Meaning(unit, None if step is None else to_ms(np.array([step]), unit).item())


def _read_own(about: Any, path: Any) -> tuple[str, float | None]:
    """Return the unit and the time step that linspike wrote."""
    with refusing_damage(path):
        unit, profile = about["time_unit"], about["profile"]
        if unit not in TIME_UNITS or profile not in PROFILES:
            raise ValueError(f"time unit {unit!r}, profile {profile!r}")
        step = check_real(float(about["dt"]), "dt", OWNER, above=0.0) if profile == "grid" else None
        return unit, step


def _find_layer(nir: Any, graph: Any) -> tuple[list[_Path], Any]:
    """Return the ways from the input to the neurons, and the neurons' node, of a layer's graph."""
    nodes, edges = graph.nodes, [tuple(edge) for edge in graph.edges]
    weighted = (nir.Linear, nir.Affine)
    for name, node in nodes.items():
        if not isinstance(node, (nir.Input, nir.Delay, *weighted, nir.CubaLIF, nir.Output)):
            _refuse(f"a {type(node).__name__} node ({name!r})")
    first, cells, last = (
        _only(nodes, kind) for kind in ((nir.Input,), (nir.CubaLIF,), (nir.Output,))
    )
    before = {end: start for start, end in edges if start != first}
    linears = [name for name, node in nodes.items() if isinstance(node, weighted)]
    chains = [[before[name], name] if name in before else [name] for name in linears]
    expected = [(cells, last)]
    for chain in chains:
        expected += itertools.pairwise([first, *chain, cells])
    used = [name for chain in chains for name in chain]
    if len(linears) != 1 and any(len(chain) == 1 for chain in chains):
        _only(nodes, weighted)
    if sorted(edges) != sorted(expected) or len(used) + 3 != len(nodes):
        _refuse(f"the edges {sorted(edges)}")
    paths = [_Path(nodes[c[0]] if len(c) == 2 else None, nodes[c[-1]]) for c in chains]
    return paths, nodes[cells]


def _only(nodes: Any, kinds: tuple[Any, ...]) -> str:
    """Return the name of the only node of these kinds."""
    found = [name for name, node in nodes.items() if isinstance(node, kinds)]
    if len(found) != 1:
        _refuse(f"{len(found)} nodes of type {' or '.join(kind.__name__ for kind in kinds)}")
    return str(found[0])


def _join_paths(nir: Any, paths: list[_Path]) -> tuple[Floats, Floats | None]:
    """Return the weights of all paths, and the delays of the neurons, in the file's unit."""
    parts = [_read_weights(nir, path.linear) for path in paths]
    if len({part.shape for part in parts}) != 1:
        _refuse(f"weights of the shapes {[part.shape for part in parts]}")
    weights = np.sum(parts, axis=0)
    if paths[0].delay is None:
        return weights, None
    n_channels = weights.shape[1]
    rows = [np.asarray(path.delay.delay, dtype=np.float64) for path in paths]
    if any(row.shape != (n_channels,) for row in rows):
        _refuse(f"delays of shape {rows[0].shape} for {n_channels} channels")
    if len(paths) == 1:
        return weights, np.tile(rows[0], (len(weights), 1))
    others = [np.delete(part, i, axis=0) for i, part in enumerate(parts)]
    if len(paths) != len(weights) or any(np.any(part != 0.0) for part in others):
        text = "with several Delay nodes, each must lead to one neuron, in their order"
        raise FileFormatError(f"from_nir: {text}.")
    return weights, np.array(rows)


def _refuse(what: str) -> None:
    raise FileFormatError(f"from_nir reads one layer, {SHAPE}. The graph has {what}.")


def _read_weights(nir: Any, linear: Any) -> Floats:
    weights = np.asarray(linear.weight)
    if weights.ndim != 2 or weights.dtype.kind not in "iuf":
        _refuse(f"weights of {weights.dtype} with shape {weights.shape}, not a matrix of numbers")
    if isinstance(linear, nir.Affine) and np.any(np.asarray(linear.bias) != 0.0):
        raise FileFormatError("from_nir: the graph has a bias, which an SRM has not.")
    return weights.astype(np.float64)


def _make_model(
    weights: Floats,
    delays: Floats | None,
    cells: Any,
    meaning: _Meaning,
    path: str,
    given: Any,
) -> Model:
    """Return the SRM that responds as the CubaLIF nodes do, and its weights."""
    neuron = _make_neuron(cells, meaning, path)
    if given is not None:
        check_time_step(given, neuron.tau_s, "dt", OWNER)
    elif meaning.dt is not None and meaning.dt > neuron.tau_s * (1.0 + ROUNDING):
        step, tau_s = f"time step of {meaning.dt:g} ms", f"tau_syn = {neuron.tau_s:g} ms"
        raise FileFormatError(f"{path!r} has a {step}, which must be below {tau_s}.")
    drive = np.asarray(cells.r, dtype=np.float64) * np.asarray(cells.w_in, dtype=np.float64)
    if drive.shape != weights.shape[:1]:
        _refuse(f"{drive.size} neurons for weights of shape {weights.shape}")
    # r is in units of time like tau, unless spikes are held for a step: then r w_in dt is.
    area = to_ms(drive, meaning.time_unit) if meaning.dt is None else drive * meaning.dt
    scaled = weights * (area / psp_area(neuron))[:, np.newaxis]
    if not np.isfinite(scaled).all():
        raise FileFormatError(f"{path!r} has weights, r or w_in that are not finite.")
    late = None if delays is None else to_ms(delays, meaning.time_unit)
    if late is not None and not (np.isfinite(late) & (late >= 0.0)).all():
        raise FileFormatError(f"{path!r} has delays that are not finite or negative.")
    return Model(neuron, scaled, delays=late)


def _make_neuron(cells: Any, meaning: _Meaning, path: str) -> SRM:
    """Return the neuron that all cells are."""
    for name in ("v_leak", "v_reset"):
        if np.any(np.asarray(getattr(cells, name)) != 0.0):
            raise FileFormatError(f"from_nir: {name} must be 0, as an SRM rests and resets at 0.")
    names = ("tau_mem", "tau_syn", "v_threshold")
    tau_m, tau_s, threshold = (_read_equal(cells, name) for name in names)
    tau_m, tau_s = to_ms(np.array([tau_m, tau_s]), meaning.time_unit).tolist()
    try:
        return SRM(tau_m, tau_s, threshold)
    except ParameterError as error:
        numbers = f"tau_mem = {tau_m:g} ms, tau_syn = {tau_s:g} ms, v_threshold = {threshold:g}"
        text = f"{path!r} has neurons that are no SRM ({numbers})"
        raise FileFormatError(f"{text}. {error}") from error


def _read_equal(cells: Any, name: str) -> float:
    """Return a parameter that all neurons must share."""
    values = np.unique(np.asarray(getattr(cells, name), dtype=np.float64))
    if values.size != 1:
        got = f"{values.size} values from {values.min():g} to {values.max():g}"
        raise FileFormatError(
            f"from_nir: all neurons must have the same {name}, as a Model has one SRM. "
            f"The graph has {got}."
        )
    return values.item()
