"""A Dask cluster finds the same records, also when a worker is killed meanwhile."""

import subprocess
import sys

import pytest

pytest.importorskip("distributed")

SCRIPT = """
import os, signal, sys, threading, time
from linspike.study import workers as crew
from linspike.study.registry import experiment
from linspike.study.runner import run
from linspike.study.store import Store
from linspike.study.workers import Here, workers

def kill_one(client):
    time.sleep(0.3)
    pids = client.run(os.getpid)
    os.kill(next(iter(pids.values())), signal.SIGKILL)

if __name__ == "__main__":
    path, kind = sys.argv[1:]
    with Store(path) as store:
        if kind == "here":
            run(experiment("table2"), "smoke", store, Here())
        else:
            with workers(2, "local") as cluster:
                if kind == "kill":
                    threading.Thread(target=kill_one, args=(cluster._client,), daemon=True).start()
                run(experiment("table2"), "smoke", store, cluster)
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
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
        return done.stdout.strip()

    return {kind: run(kind) for kind in ("here", "cluster", "kill")}


def test_a_cluster_finds_the_same(found):
    assert found["cluster"] == found["here"]


def test_a_killed_worker_changes_nothing(found):
    assert found["kill"] == found["here"]
