"""Run a NIR graph in snnTorch or SpikingJelly: a program for a Python that has them.

    python nir_frameworks.py snntorch graph.nir inputs.npz out.npz

reads `inputs` (steps, patterns, channels) and `dt` in seconds, and writes `spikes` (steps,
patterns, neurons) with the versions.
"""

import sys
from importlib.metadata import version

import nir
import numpy as np


def run_snntorch(graph, inputs, dt):
    """Its time step is 1e-4 s, whatever the graph; numbers are float32."""
    import torch
    from snntorch.import_nir import import_from_nir

    assert dt == 1e-4
    network = import_from_nir(graph)
    state, rows = None, []
    for row in torch.from_numpy(inputs).float():
        spikes, state = network(row, state)
        rows.append(spikes)
    return torch.stack(rows)


def run_spikingjelly(graph, inputs, dt):
    import torch
    from spikingjelly.activation_based.nir_exchange.from_nir import import_from_nir

    network = import_from_nir(graph, dt=dt, dtype=torch.float64)
    state, rows = None, []
    for row in torch.from_numpy(inputs):
        spikes, state = network(row, state)
        rows.append(spikes)
    return torch.stack(rows)


RUNNERS = {"snntorch": run_snntorch, "spikingjelly": run_spikingjelly}

if __name__ == "__main__":
    name, graph, inputs, out = sys.argv[1:]
    with np.load(inputs) as stored:
        found = RUNNERS[name](nir.read(graph), stored["inputs"], float(stored["dt"]))
    np.savez(out, spikes=found.detach().numpy() > 0, version=version(name), torch=version("torch"))
