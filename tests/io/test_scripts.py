"""Programs for NEST and Brian2: recorded runs, and real ones where the simulators are installed."""

import ast
import hashlib
import json

import numpy as np
import pytest
from tests.support import peers
from tests.support.paths import GOLDEN

import linspike as ls
from linspike.io.scripts import make_script, write_script

RECORD = json.loads((GOLDEN / "scripts.json").read_text())
PROBLEM = RECORD["problem"]
NEST, COARSE, FINE = RECORD["cases"]
MODEL = ls.Model(ls.SRM(), PROBLEM["weights"])
PATTERNS = ls.PatternSet.from_events(
    PROBLEM["times"],
    PROBLEM["channels"],
    PROBLEM["samples"],
    time_unit="ms",
    window=np.array(PROBLEM["durations"]),
    n_channels=MODEL.weights.shape[1],
)
# Within, a spike inherits what the refractory time did to the one before it.
BURST = 5.0


def errors(spikes):
    """Errors of all spikes outside bursts and of all, over trains with the same count."""
    responses = MODEL.respond(PATTERNS)
    outside, all_of_them, changed = [], [], 0
    for p, row in enumerate(spikes):
        for i, times in enumerate(row):
            exact = responses[i, p].times
            if len(times) != exact.size:
                changed += 1
                continue
            found = np.abs(np.array(times) - exact)
            alone = np.diff(exact, prepend=-np.inf) > BURST
            outside += found[alone].tolist()
            all_of_them += found.tolist()
    assert len(all_of_them) > 80
    return np.array(outside), np.array(all_of_them), changed


def check_nest(spikes):
    outside, all_of_them, changed = errors(spikes)
    assert changed == 0
    assert outside.size > 0.8 * all_of_them.size
    assert outside.max() < 1e-5
    assert all_of_them.max() < 1e-3


def check_brian2(coarse, fine):
    medians = [np.median(errors(spikes)[1]) for spikes in (coarse, fine)]
    assert 5.0 < medians[0] / medians[1] < 20.0
    assert medians[1] < 0.02
    assert errors(fine)[2] <= errors(coarse)[2] <= 2


def test_recorded_nest():
    check_nest(NEST["spikes"])


def test_recorded_brian2():
    assert (COARSE["dt"], FINE["dt"]) == (0.1, 0.01)
    check_brian2(COARSE["spikes"], FINE["spikes"])


@pytest.mark.parametrize(
    "case", RECORD["cases"], ids=lambda case: f"{case['simulator']}-{case['dt']}"
)
def test_the_programs_are_those_that_were_recorded(case):
    text = make_script(MODEL, case["simulator"], case["dt"])
    remedy = f"record them again: {RECORD['command']}"
    assert hashlib.sha256(text.encode()).hexdigest() == case["sha256"], remedy


def run(python, simulator, folder, *options):
    """The spikes that a program writes, by pattern and neuron."""
    write_script(MODEL, folder / "run.py", simulator)
    PATTERNS.save(folder / "in.npz")
    peers.run_with(python, "run.py", "in.npz", "-o", "out.npz", *options, cwd=folder)
    with np.load(folder / "out.npz") as found:
        p, i, times = found["patterns"], found["neurons"], found["times"]
    return [[times[(p == a) & (i == b)] for b in range(3)] for a in range(len(PATTERNS))]


def check_print(python, folder, others):
    """Without patterns an example is printed; with those of others there is one sentence."""
    lines = peers.run_with(python, "run.py", cwd=folder).splitlines()
    assert [line.partition(":")[0] for line in lines] == [
        f"pattern 0, neuron {i}" for i in range(3)
    ]
    assert any(len(line.split()) > 6 for line in lines)
    others.save(folder / "others.npz")
    with pytest.raises(AssertionError, match="The patterns have 2 channels, the model 40"):
        peers.run_with(python, "run.py", "others.npz", cwd=folder)


def test_nest_itself(tmp_path):
    python = peers.require("peers", "nest-simulator")
    check_nest(run(python, "nest", tmp_path))
    check_print(python, tmp_path, ls.PatternSet([1.0], [0], [0, 1], 2, 10.0))


def test_brian2_itself(tmp_path):
    python = peers.require("peers", "brian2")
    found = [run(python, "brian2", tmp_path, "--dt", str(dt)) for dt in (0.1, 0.01)]
    check_brian2(*found)
    check_print(python, tmp_path, ls.PatternSet([1.0], [0], [0, 1], 2, 10.0))


@pytest.mark.parametrize("simulator", ["nest", "brian2"])
def test_programs_hold_the_model_to_the_bit(simulator, tmp_path):
    rng = np.random.default_rng(0)
    model = ls.Model(ls.SRM(17.3, 4.1, 0.7), rng.normal(0.0, 1e-3, (3, 57)))
    write_script(model, tmp_path / "run.py", simulator, dt=0.25)
    tree = ast.parse((tmp_path / "run.py").read_text())
    values = {node.targets[0].id: node.value for node in tree.body if isinstance(node, ast.Assign)}
    numbers = [ast.literal_eval(values[name]) for name in ("TAU_M", "TAU_S", "THRESHOLD", "DT")]
    assert numbers == [17.3, 4.1, 0.7, 0.25]
    assert ast.literal_eval(values["WEIGHTS"].args[0]) == model.weights.tolist()
    assert "@" not in (tmp_path / "run.py").read_text()
    assert max(map(len, (tmp_path / "run.py").read_text().splitlines())) <= 120


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"model": 3}, "'model' parameter of write_script must be a Model or a fitted estimator"),
        ({"simulator": "neuron"}, r"'simulator' parameter of write_script must be one of \('brian2', 'nest'\)"),
        ({"dt": 5.0}, "'dt' parameter of write_script must be positive and below tau_s = 5 ms"),
        ({"dt": -1.0}, "'dt' .* positive and below tau_s"),
    ],
)  # fmt: skip
def test_refusals(arguments, message, tmp_path):
    with pytest.raises(ls.ParameterError, match=message):
        write_script(
            **{"model": MODEL, "path": tmp_path / "x.py", "simulator": "nest", **arguments}
        )
    assert not list(tmp_path.iterdir())
