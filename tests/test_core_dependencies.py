"""Simulating, training and saving need numpy, numba and platformdirs; the rest is asked for."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

CORE = ("linspike", "numpy", "numba", "llvmlite", "platformdirs")
HIDE = f"""
import sys
from importlib.abc import MetaPathFinder

class Hide(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top not in {CORE!r} and top not in sys.stdlib_module_names:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Hide())
import numpy as np
import linspike as ls
pattern = ls.Pattern([0.0, 10.0], [0, 1], n_channels=2, duration=40.0)
"""
SIMULATE = """
print(len(ls.SRM().respond([3.0, 3.0], pattern)) > 0)
"""
LEARN = """
for rule in (ls.DTA(), ls.DTA.paper(bound=3.0)):
    trainer = ls.Trainer(ls.SRM(), rule, max_epochs=50)
    print(trainer.fit([0.5, 0.5], pattern, ls.SpikeTimes([[2.8, 12.8]]), seed=0).converged)
"""
SAVE = """
import os
import tempfile
from linspike.training import load_model
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "model.npz")
    ls.Model(ls.SRM(), [[0.5, 0.2]], rule=ls.DTA.paper()).save(path)
    again = load_model(path)
print(again.rule == ls.DTA.paper() and again.weights.tolist() == [[0.5, 0.2]])
"""
DEPLOY = """
patterns = ls.PatternSet.from_patterns([pattern])
report = ls.deploy_check(ls.Model(ls.SRM(), [[3.0, 3.0]]), patterns, dts=[0.01], bits=[16])
print(report.n_spikes > 0 and not any(row.count_changed for row in report.rows))
"""
PROJECT = """
problem = ls.constraints.assemble(ls.SRM(), [0.5, 0.5], pattern, [2.8, 12.8])
print(ls.constraints.solve(problem).solved)
"""
SOLVE = """
problem = ls.constraints.assemble(ls.SRM(), [0.5, 0.5], pattern, [2.8, 12.8], window="stdp")
try:
    ls.constraints.solve(problem, objective="min_norm")
except ls.errors.MissingExtraError as error:
    print("pip install 'linspike[solvers]'" in str(error) and "piqp" in str(error))
"""
CONFLICT = """
single = ls.Pattern([0.0], [0], n_channels=1, duration=50.0)
problem = ls.constraints.assemble(ls.SRM(), [0.0], single, [5.0, 30.0], actual=[])
try:
    ls.constraints.solve(problem, objective="min_norm")
except ls.errors.MissingExtraError as error:
    print("pip install 'linspike[solvers]'" in str(error) and "highspy" in str(error))
"""
CLASSIFY = """
try:
    ls.SpikeClassifier()
except ls.errors.MissingExtraError as error:
    print("scikit-learn" in str(error))
"""
USES = {
    "simulate": SIMULATE,
    "learn": LEARN,
    "save": SAVE,
    "deploy": DEPLOY,
    "project": PROJECT,
    "another objective": SOLVE,
    "named conflicts": CONFLICT,
    "classify": CLASSIFY,
}


@pytest.mark.parametrize("use", USES)
def test_with_core_packages_alone(use):
    source = str(Path(__file__).parents[1] / "src")
    environment = dict(os.environ, PYTHONPATH=source)
    command = [sys.executable, "-c", HIDE + USES[use]]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert set(done.stdout.split()) == {"True"}
