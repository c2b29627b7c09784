"""How many files one call of `Trainer.fit` crosses: a path that can be read."""

import json
import os
import subprocess
import sys

import pytest

MOST_FILES = 23
SCRIPT = """
import json, os, sys, threading, warnings
import linspike as ls
from linspike.study import decoding, encoding

warnings.simplefilter("ignore")  # 64-bit numbers wrap around in shuffling
root, seen = os.path.dirname(ls.__file__), set()

def trace(frame, event, argument):
    name = frame.f_code.co_filename
    if event == "call" and name.startswith(root) and frame.f_code.co_name != "<module>":
        seen.add(os.path.relpath(name, root))

task = (encoding if sys.argv[1] == "times" else decoding)(0, 3, n_channels=20, duration=100.0)
trainer = ls.Trainer(ls.SRM(), max_epochs=2)
threading.setprofile(trace)
sys.setprofile(trace)
trainer.fit(*task, seed=0)
sys.setprofile(None)
print(json.dumps(sorted(seen)))
"""


@pytest.mark.parametrize("target", ["times", "counts"])
def test_a_fit_crosses_few_files(target):
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, target],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    files = json.loads(done.stdout)
    assert {"training/trainer.py", "training/execute.py", "kernels/training/chain.py"} <= set(files)
    assert len(files) <= MOST_FILES, files
