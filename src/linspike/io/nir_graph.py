"""Models as graphs of NIR, the neuromorphic intermediate representation.

NIR's CubaLIF is, with a reset to 0 and no leak potential,

    tau_syn I' = -I + w_in S,    tau_mem v' = -v + r I,    v = 0 where v has passed the threshold.

S is W x, a sum of weighted spikes. With a delta function per spike, an input of weight W adds
W w_in r / (tau_m - tau_s) (exp(-s/tau_m) - exp(-s/tau_s)) to v: r w_in = Vn (tau_m - tau_s) makes
W the weight of an SRM. At a spike v is the threshold, so that the reset to 0 subtracts the
threshold, whose rest decays with tau_m; the current goes on. Both are as in the SRM.

Simulators on a grid hold a spike for one step of length dt, so that its integral is dt, not 1:
there W r w_in dt = w Vn (tau_m - tau_s).

A Delay node delays whole channels. So a neuron with delays of its own has a Delay and a Linear of
its own, of whose weights only its row is not 0; those of all neurons add up at the CubaLIF.
"""

from __future__ import annotations

import io
import itertools
from importlib import metadata
from os import PathLike
from typing import Any

import numpy as np

from linspike._files import write_whole
from linspike._typing import Floats
from linspike._validation import check_choice
from linspike.errors import ParameterError
from linspike.estimators.as_model import as_model
from linspike.io.optional import import_format
from linspike.neuron.arguments import check_time_step
from linspike.neuron.srm import SRM
from linspike.spikes.units import from_ms
from linspike.training.model import Model

PROFILES = ("spec", "grid")


def to_nir(
    model: Any, path: str | PathLike[str], profile: str = "spec", dt: float | None = None
) -> None:
    """Write neuron and weights of a model as a NIR graph: Input, Linear, CubaLIF, Output.

    A model with delays has Delay nodes before Linear: one if all neurons share the delays, else
    one Delay and one Linear per neuron.

    Rule, notes and an estimator's encoder are not written: the graph takes spikes that have passed
    the encoder (``clf.encoder_.transform(X)``). An old file stays until all is written.

    Parameters
    ----------
    model : Model, SpikeClassifier or SpikeMapper
        What holds the weights; an estimator must be fitted.
    path : str or path
        The file to write.
    profile : {"spec", "grid"}
        "spec" follows NIR's equations, with spikes as delta functions, milliseconds and float64;
        `from_nir` returns the same model to the last bit. "grid" is for simulators that hold a
        spike for one time step, such as snnTorch, Norse and SpikingJelly, in seconds.
    dt : float, optional
        Time step of the simulator in milliseconds; for the profile "grid" alone, which needs it.

    Examples
    --------
    >>> import tempfile, linspike as ls
    >>> model = ls.Model(ls.SRM(), [[0.5, 0.2]])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     ls.to_nir(model, f"{folder}/model.nir")
    ...     ls.from_nir(f"{folder}/model.nir")
    Model(SRM(tau_m=20.0, tau_s=5.0, threshold=1.0), weights of shape (1, 2), rule=None)
    """
    found = as_model(model, "to_nir")
    check_choice(profile, "profile", "to_nir", PROFILES)
    step = check_step(profile, dt, found.neuron)
    nir = import_format("nir", "to_nir")
    content = io.BytesIO()
    nir.write(content, make_graph(nir, found, step))
    write_whole(path, content.getvalue())


def check_step(profile: str, dt: Any, neuron: SRM) -> float | None:
    """Return the time step in milliseconds; None for the profile without one."""
    if profile == "spec":
        if dt is not None:
            remedy = "Use profile='grid', or leave dt out."
            raise ParameterError.of("dt", "to_nir", "None for the profile 'spec'", dt, remedy)
        return None
    if dt is None:
        domain = "given for the profile 'grid': the simulator's time step in ms"
        raise ParameterError.of("dt", "to_nir", domain, dt)
    return check_time_step(dt, neuron.tau_s, "dt", "to_nir")


def make_graph(nir: Any, model: Model, dt: float | None) -> Any:
    """Return the graph of a layer, in milliseconds or, with a time step, for a grid in seconds."""
    neuron, weights = model.neuron, model.weights
    n_neurons, n_channels = weights.shape
    unit = "ms" if dt is None else "s"
    r, w_in = psp_area(neuron), 1.0
    if dt is not None:
        r, w_in = neuron.tau_m / dt, neuron.tau_s / dt
        weights = weights * (psp_area(neuron) / (r * w_in * dt))
    numbers = {
        "tau_syn": from_ms(np.array([neuron.tau_s]), unit).item(),
        "tau_mem": from_ms(np.array([neuron.tau_m]), unit).item(),
        "r": r,
        "w_in": w_in,
        "v_leak": 0.0,
        "v_threshold": neuron.threshold,
        "v_reset": 0.0,
    }
    delays = None if model.delays is None else from_ms(model.delays, unit)
    nodes = {
        "input": nir.Input({"input": np.array([n_channels])}),
        "cubalif": nir.CubaLIF(**{k: np.full(n_neurons, v) for k, v in numbers.items()}),
        "output": nir.Output({"output": np.array([n_neurons])}),
    }
    edges = [("cubalif", "output")]
    for path in make_paths(nir, weights, delays):
        nodes |= path
        edges += itertools.pairwise(["input", *path, "cubalif"])
    about: dict[str, Any] = {"linspike": metadata.version("linspike"), "time_unit": unit}
    about |= {"profile": "spec"} if dt is None else {"profile": "grid", "dt": dt / 1e3}
    return nir.NIRGraph(nodes, edges, metadata=about)


def make_paths(nir: Any, weights: Floats, delays: Floats | None) -> list[dict[str, Any]]:
    """Return the nodes of each way from the input to the neurons."""
    if delays is None:
        return [{"linear": nir.Linear(np.array(weights))}]
    if (delays == delays[0]).all():
        return [{"delay": nir.Delay(np.array(delays[0])), "linear": nir.Linear(np.array(weights))}]
    paths = []
    for i, own in enumerate(delays):
        row = np.zeros_like(weights)
        row[i] = weights[i]
        paths.append({f"delay_{i}": nir.Delay(np.array(own)), f"linear_{i}": nir.Linear(row)})
    return paths


def psp_area(neuron: SRM) -> float:
    """Return Vn (tau_m - tau_s), the integral of the PSP, in milliseconds."""
    return neuron.v_norm * (neuron.tau_m - neuron.tau_s)
