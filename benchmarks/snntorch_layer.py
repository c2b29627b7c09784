"""One layer of ten snnTorch neurons on MNIST activations: seconds of learning until it is good.

A script, so that it may run in a Python that has PyTorch:

    python snntorch_layer.py activations.npz '{"input": "current", "steps": 10, ...}'

reads `train`, `train_digits`, `test` and `test_digits`, and prints one line of JSON. Only forward,
backward and Adam's step are timed; batches are made, and test images looked at, off the clock.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

import numpy as np
import snntorch
import torch
from snntorch import functional, surrogate

SILENT = 255  # the bin of a channel without a spike


class SpikingLayer(torch.nn.Module):
    """Weights to ten leaky neurons."""

    def __init__(self, channels: int, how: dict[str, Any]) -> None:
        super().__init__()
        self.drive = torch.nn.Linear(channels, 10)
        slope = surrogate.fast_sigmoid(slope=how["slope"])
        self.neurons = snntorch.Leaky(beta=how["beta"], spike_grad=slope)
        self.steps = how["steps"]

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        """Spikes (steps, images, neurons); an input without steps is a constant current."""
        drive = self.drive(inputs)
        membrane = self.neurons.init_leaky()
        spikes = []
        for step in range(self.steps):
            fired, membrane = self.neurons(drive[step] if inputs.ndim == 3 else drive, membrane)
            spikes.append(fired)
        return torch.stack(spikes)


def prepared(activations: np.ndarray, how: dict[str, Any]) -> torch.Tensor:
    """Activations as currents, or the bins of first spikes, as our own layer has them."""
    strength = np.minimum(activations / how["scale"], 1.0)
    if how["input"] == "current":
        return torch.from_numpy(np.float32(strength))
    bins = np.minimum((1.0 - strength) * how["steps"], how["steps"] - 1).astype(np.uint8)
    return torch.from_numpy(np.where(strength > 0.0, bins, np.uint8(SILENT)))


def batch_of(inputs: torch.Tensor, how: dict[str, Any]) -> torch.Tensor:
    """What the layer is shown: currents as they are, or spikes in every step."""
    if how["input"] == "current":
        return inputs
    steps = torch.arange(how["steps"], dtype=torch.uint8)[:, None, None]
    return (inputs[None] == steps).float()


def accuracy(layer: SpikingLayer, inputs: torch.Tensor, digits: Any, how: dict[str, Any]) -> float:
    """The neuron with most spikes names the digit; of equals, the first."""
    with torch.no_grad():
        counts = [layer(batch_of(part, how)).sum(0) for part in inputs.split(500)]
    return float((torch.cat(counts).argmax(1) == digits).float().mean())


def _batches(count: int, size: int) -> tuple[torch.Tensor, ...]:
    return torch.randperm(count).split(size)


def run(data: Any, how: dict[str, Any]) -> dict[str, Any]:
    """Learn until the goal or for so many epochs; tested whenever `look` more images are learned.

    The curve holds images, seconds by the clock and on all cores, and test accuracy.
    """
    torch.manual_seed(how["seed"])
    torch.set_num_threads(how["threads"])
    inputs, test = prepared(data["train"], how), prepared(data["test"], how)
    digits, test_digits = (
        torch.from_numpy(data["train_digits"]),
        torch.from_numpy(data["test_digits"]),
    )
    layer = SpikingLayer(inputs.shape[1], how)
    optimiser = torch.optim.Adam(layer.parameters(), lr=how["rate"])
    loss_of = getattr(functional, how["loss"])()
    wall, cpu, seen = 0.0, 0.0, 0
    curve: list[tuple[int, float, float, float]] = []
    order = [batch for _ in range(how["epochs"]) for batch in _batches(len(digits), how["batch"])]
    for batch in order:
        shown, desired = batch_of(inputs[batch], how), digits[batch]
        started = time.perf_counter(), time.process_time()
        optimiser.zero_grad()
        loss_of(layer(shown), desired).backward()
        optimiser.step()
        wall, cpu = wall + time.perf_counter() - started[0], cpu + time.process_time() - started[1]
        seen += len(batch)
        if seen // how["look"] > len(curve):
            curve.append((seen, wall, cpu, accuracy(layer, test, test_digits, how)))
            if curve[-1][-1] >= how["goal"]:
                break
    versions = {"snntorch": snntorch.__version__, "torch": torch.__version__}
    return {"curve": curve, "how": how, **versions}


if __name__ == "__main__":
    with np.load(sys.argv[1]) as stored:
        print(json.dumps(run(dict(stored), json.loads(sys.argv[2]))))
