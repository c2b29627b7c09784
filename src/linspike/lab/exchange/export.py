"""What the lab gives back: a Python script that does the same, the model, the spikes as a table."""

from __future__ import annotations

import base64
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from linspike._typing import Floats
from linspike.lab.document import Document
from linspike.lab.exchange.tables import DESIRED, DURATION
from linspike.lab.plain import read_choice
from linspike.lab.state import State
from linspike.rules.base import Rule
from linspike.spikes.targets import SpikeCounts
from linspike.training.model import Model

KINDS = ("script", "model", "csv")
SCRIPT = '''"""What linspike lab did, as a script: learn step by step and print the responses."""

import numpy as np
from numpy import inf

import linspike as ls

neuron = ls.{neuron}
patterns = ls.PatternSet(
    times={times},
    channels={channels},
    offsets={offsets},
    n_channels={n_channels},
    duration={durations},
)
targets = ls.{targets}
weights = np.array({weights})
delays = {delays}
rule = ls.rules.{rule}
trainer = ls.Trainer(neuron, rule, criterion={criterion!r})
path = trainer.trajectory(
    weights, patterns, targets, delays=delays, steps={steps}, seed={seed}, skip_right={skip_right}
)
{learned}print("weights after", len(path) - 1, "steps:", path[-1].round(6).tolist())
for p, pattern in enumerate(patterns):
    spikes = neuron.respond(path[-1], pattern, delays=delays)
    print(f"pattern {{p}}: spikes at", spikes.times.round(3).tolist())
'''
# A trajectory has the weights alone.
LEARNED = "delays = {delays}  # as they were learned in these steps\n"


def export(document: Document, rule: int, state: State, kind: Any) -> dict[str, str]:
    """Return a file: its name, its media type and its content in base64."""
    how = read_choice(kind, "kind", KINDS)
    if how == "script":
        name, media, content = "lab.py", "text/x-python", write_script(document, rule, state)
    elif how == "csv":
        name, media, content = "lab.csv", "text/csv", write_table(document)
    else:
        name, media = "lab_model.npz", "application/octet-stream"
        return _as_file(name, media, write_model(document, document.rules[rule], state))
    return _as_file(name, media, content.encode())


def _as_file(name: str, media: str, content: bytes) -> dict[str, str]:
    return {"name": name, "media": media, "base64": base64.b64encode(content).decode()}


def write_script(document: Document, rule: int, state: State) -> str:
    """Return a program that starts as the document does and takes the same steps."""
    patterns = document.patterns
    targets = document.targets
    desired = (
        f"SpikeCounts({targets.counts.tolist()})"
        if isinstance(targets, SpikeCounts)
        else f"SpikeTimes({[train.times.tolist() for train in targets]})"
    )
    learns = document.rules[rule].learns_delays
    return SCRIPT.format(
        neuron=document.neuron,
        times=patterns.times.tolist(),
        channels=patterns.channels.tolist(),
        offsets=patterns.offsets.tolist(),
        n_channels=patterns.n_channels,
        durations=patterns.durations.tolist(),
        targets=desired,
        weights=document.weights.tolist(),
        delays=_as_text(document.delays),
        learned=LEARNED.format(delays=_as_text(state.delays)) if learns else "",
        rule=document.rules[rule],
        criterion=document.criterion,
        steps=state.step,
        seed=document.seed,
        skip_right=document.skip_right,
    )


def _as_text(delays: Floats | None) -> str:
    return "None" if delays is None else f"np.array({delays.tolist()})"


def write_model(document: Document, rule: Rule, state: State) -> bytes:
    """Return the npz file of a model with the weights and delays of now."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.npz"
        notes = {"made with": "linspike lab", "steps": state.step}
        Model(document.neuron, state.weights, rule, notes, state.delays).save(path)
        return path.read_bytes()


def write_table(document: Document) -> str:
    """Return all spikes as a table, which the lab can open again."""
    patterns = document.patterns
    ends = " ".join(f"{end!r}" for end in patterns.durations.tolist())
    lines = [f"{DURATION} {ends}", "pattern,channel,time"]
    numbers = np.repeat(np.arange(len(patterns)), np.diff(patterns.offsets))
    parts = (numbers.tolist(), patterns.channels.tolist(), patterns.times.tolist())
    lines += [f"{p},{c},{t!r}" for p, c, t in zip(*parts, strict=True)]
    if not isinstance(document.targets, SpikeCounts):
        for p, train in enumerate(document.targets):
            lines += [f"{p},{DESIRED},{time!r}" for time in train.times.tolist()]
    return "\n".join(lines) + "\n"
