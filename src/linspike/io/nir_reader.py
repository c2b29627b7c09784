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
SHAPE = "Input -> Linear or Affine -> CubaLIF -> Output"


class _Meaning(NamedTuple):
    """Unit of the times of a file, and the integral of one of its spikes in milliseconds."""

    time_unit: str
    dt: float | None  # None for delta functions, whose integral is 1


def from_nir(
    path: str | PathLike[str], time_unit: str | None = None, *, dt: float | None = None
) -> Model:
    """Return the model of a NIR graph Input -> Linear or Affine -> CubaLIF -> Output.

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
    linear, cells = _find_layer(nir, graph)
    weights = _read_weights(nir, linear)
    return _make_model(weights, cells, meaning, fspath(path), dt)


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


def _find_layer(nir: Any, graph: Any) -> tuple[Any, Any]:
    """Return the weights' node and the neurons' node of a graph that is one layer."""
    nodes, edges = graph.nodes, [tuple(edge) for edge in graph.edges]
    kinds = ((nir.Input,), (nir.Linear, nir.Affine), (nir.CubaLIF,), (nir.Output,))
    for name, node in nodes.items():
        if not isinstance(node, tuple(kind for group in kinds for kind in group)):
            _refuse(f"a {type(node).__name__} node ({name!r})")
    chain = []
    for group in kinds:
        found = [name for name, node in nodes.items() if isinstance(node, group)]
        if len(found) != 1:
            _refuse(f"{len(found)} nodes of type {' or '.join(k.__name__ for k in group)}")
        chain += found
    if sorted(edges) != sorted(itertools.pairwise(chain)):
        _refuse(f"the edges {sorted(edges)}")
    return nodes[chain[1]], nodes[chain[2]]


def _refuse(what: str) -> None:
    raise FileFormatError(f"from_nir reads one layer, {SHAPE}. The graph has {what}.")


def _read_weights(nir: Any, linear: Any) -> Floats:
    weights = np.asarray(linear.weight)
    if weights.ndim != 2 or weights.dtype.kind not in "iuf":
        _refuse(f"weights of {weights.dtype} with shape {weights.shape}, not a matrix of numbers")
    if isinstance(linear, nir.Affine) and np.any(np.asarray(linear.bias) != 0.0):
        raise FileFormatError("from_nir: the graph has a bias, which an SRM has not.")
    return weights.astype(np.float64)


def _make_model(weights: Floats, cells: Any, meaning: _Meaning, path: str, given: Any) -> Model:
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
    return Model(neuron, scaled)


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
