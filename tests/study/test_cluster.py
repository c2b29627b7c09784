"""A Dask cluster finds the same records, also when a worker is killed; many deaths are an error."""

import subprocess
import sys

import pytest

pytest.importorskip("distributed")

SCRIPT = """
import os, signal, sys, threading, time
from linspike.errors import ClusterError
from linspike.paper.tables.table2 import EXPERIMENT
from linspike.study.runner import run
from linspike.study.store import Store
from linspike.study.workers import Serial, open_workers

def kill_one(client):
    time.sleep(0.3)
    pids = client.run(os.getpid)
    os.kill(next(iter(pids.values())), signal.SIGKILL)

def one_cell(scale, trials):
    return EXPERIMENT.cells(scale, [])[:1]

def die(cell, seeds):
    os._exit(9)

if __name__ == "__main__":
    path, kind = sys.argv[1:]
    with Store(path) as store:
        if kind == "here":
            run(EXPERIMENT, "smoke", store, Serial())
        elif kind == "die":
            try:
                with open_workers(2, "local") as cluster:
                    run(EXPERIMENT.change(trials=die, cells=one_cell), "smoke", store, cluster)
            except ClusterError as error:
                print(error)
        else:
            with open_workers(2, "local") as cluster:
                if kind == "kill":
                    threading.Thread(target=kill_one, args=(cluster.client,), daemon=True).start()
                run(EXPERIMENT, "smoke", store, cluster)
        print(store.digest())
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cluster")
    script = folder / "script.py"
    script.write_text(SCRIPT)

    def run(kind):
        command = [
            sys.executable,
            "-W",
            "ignore",
            str(script),
            str(folder / f"{kind}.sqlite"),
            kind,
        ]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    return {kind: run(kind) for kind in ("here", "cluster", "kill", "die")}


def test_a_cluster_finds_the_same(found):
    assert found["cluster"] == found["here"]


def test_a_killed_worker_changes_nothing(found):
    assert found["kill"] == found["here"]


def test_workers_that_keep_dying_are_reported(found):
    assert "workers of the cluster died at the same batch" in found["die"]
