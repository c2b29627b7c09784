"""A Dask cluster finds the same records, also when a worker is killed meanwhile."""

import pytest
from tests.support.process import run_python

from linspike.study.registry import experiment
from linspike.study.runner import run
from linspike.study.store import Store
from linspike.study.workers import Here

pytest.importorskip("distributed")

# A process of its own: Dask warns, and starts threads that outlive a test.
SCRIPT = """
import os, signal, sys, threading, time
from linspike.study.registry import experiment
from linspike.study.runner import run
from linspike.study.store import Store
from linspike.study.workers import workers

def kill_one(client):
    time.sleep(0.3)
    pids = client.run(os.getpid)
    os.kill(next(iter(pids.values())), signal.SIGKILL)

if __name__ == "__main__":
    with workers(2, "local") as cluster:
        for name in ("plain", "killed"):
            if name == "killed":
                threading.Thread(target=kill_one, args=(cluster._client,), daemon=True).start()
            with Store(f"{sys.argv[1]}/{name}.sqlite") as store:
                run(experiment("table2"), "smoke", store, cluster)
                print(store.digest())
"""


@pytest.fixture(scope="module")
def digests(tmp_path_factory):
    """What a run here, one on a cluster and one with a killed worker found."""
    folder = tmp_path_factory.mktemp("cluster")
    script = folder / "script.py"  # a file, so that the cluster's processes can import it
    script.write_text(SCRIPT)
    there = run_python("-W", "ignore", script, folder, timeout=120).stdout.split()
    with Store(folder / "here.sqlite") as store:
        run(experiment("table2"), "smoke", store, Here())
        return store.digest(), *there


def test_a_cluster_finds_the_same(digests):
    here, plain, _ = digests
    assert plain == here


def test_a_killed_worker_changes_nothing(digests):
    here, _, killed = digests
    assert killed == here
