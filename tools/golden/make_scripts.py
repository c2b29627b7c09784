"""Make scripts.json: what the programs of `linspike export` print in NEST and Brian2.

    python -m tools.golden.make_scripts [PYTHON]

PYTHON is the interpreter that has NEST and Brian2, this one unless given: the programs need
neither linspike nor its packages.
"""

import hashlib
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from tools.golden.cases import make_rng, write_cases

import linspike as ls
from linspike.io.scripts import make_script

SEED = 20250102
RUNS = (("nest", None), ("brian2", 0.1), ("brian2", 0.01))
VERSIONS = """
import json
from importlib.metadata import version
names = {"nest": "nest-simulator", "brian2": "brian2", "numpy": "numpy"}
print(json.dumps({name: version(package) for name, package in names.items()}))
"""


def make_problem() -> tuple[ls.Model, ls.PatternSet]:
    """Return a layer and patterns for it, with few digits so that the file stays small."""
    rng = make_rng(SEED)
    n_channels, n_patterns, n_spikes, duration = 40, 6, 100, 250.0
    weights = np.round(rng.normal(0.08, 0.16, (3, n_channels)), 4)
    patterns = [
        ls.Pattern.sorted(
            np.round(rng.uniform(0.0, duration, n_spikes), 3),
            rng.integers(0, n_channels, n_spikes),
            n_channels,
            duration,
        )
        for _ in range(n_patterns)
    ]
    return ls.Model(ls.SRM(), weights), ls.PatternSet.from_patterns(patterns)


def run_script(python: str, text: str, patterns: ls.PatternSet) -> list[list[list[float]]]:
    """Return the spike times of every neuron for each pattern, as the program saves them."""
    with tempfile.TemporaryDirectory() as folder:
        script, saved, out = (Path(folder) / name for name in ("run.py", "in.npz", "out.npz"))
        script.write_text(text)
        patterns.save(saved)
        subprocess.run([python, script, saved, "-o", out], check=True, cwd=folder, env={})
        with np.load(out) as found:
            p, i, times = found["patterns"], found["neurons"], found["times"]
    neurons = range(3)
    return [[times[(p == a) & (i == b)].tolist() for b in neurons] for a in range(len(patterns))]


def main() -> None:
    """Run every program and write the file."""
    python = sys.argv[1] if len(sys.argv) > 1 else sys.executable
    model, patterns = make_problem()
    found = subprocess.run([python, "-c", VERSIONS], check=True, capture_output=True, text=True)
    cases = []
    for simulator, dt in RUNS:
        text = make_script(model, simulator, dt)
        digest = hashlib.sha256(text.encode()).hexdigest()
        spikes = run_script(python, text, patterns)
        cases.append({"simulator": simulator, "dt": dt, "sha256": digest, "spikes": spikes})
    events = patterns.to_events()
    problem = {
        "weights": model.weights.tolist(),
        "durations": patterns.durations.tolist(),
        "times": events.times.tolist(),
        "channels": events.channels.tolist(),
        "samples": events.samples.tolist(),
    }
    settings = {"seed": SEED, "problem": problem}
    write_cases("scripts", json.loads(found.stdout), settings, cases)


if __name__ == "__main__":
    main()
