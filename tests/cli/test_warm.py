"""`linspike doctor --warm`: afterwards nothing is compiled."""

import os

import pytest
from tests.support.process import LISTEN, run_python

from linspike.kernels.cache import cache_folder

TRAIN = """
import linspike as ls
patterns = ls.poisson_patterns(4, n_channels=9, duration=40.0, rate=0.1, rng=1)
for rule in (ls.DTA(), ls.DTA.paper(), "filt", "mst"):
    trainer = ls.Trainer(ls.SRM(), rule, max_epochs=2)
    trainer.fit([0.2] * 9, patterns, ls.SpikeCounts([1, 2, 0, 1]))
    if rule != "mst":
        trainer.fit([0.2] * 9, patterns, ls.SpikeTimes([[20.0], [30.0], [], [9.0, 12.0]]))
values = [[0.1, 2.0], [0.5, 3.0], [0.7, 1.0], [0.2, 2.5]]
classifier = ls.SpikeClassifier(ls.PopulationEncoder(), max_iter=2, random_state=0)
classifier.fit(values, ["a", "b", "a", "b"]).predict(values)
print(count.compiled)
"""


@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT", "0") == "1", reason="nothing is compiled")
def test_nothing_is_compiled_after_it():
    """With the cache of the tests: an empty one would take minutes."""
    command = ("-m", "linspike", "doctor", "--warm", "--jobs", 2)
    done = run_python(*command, LINSPIKE_QUIET="", LINSPIKE_DATA_DIR="")
    first, *_, last = done.stderr.splitlines()
    assert first.startswith("compiling ")
    assert first.endswith(" parts in 2 processes")
    assert last.startswith("compiled in ")
    assert last.endswith(f"; later starts load it from {cache_folder()}")
    assert f"{cache_folder()}: " in done.stdout
    done = run_python("-c", LISTEN + TRAIN, LINSPIKE_QUIET="")
    assert (done.stdout, done.stderr) == ("0\n", "")
