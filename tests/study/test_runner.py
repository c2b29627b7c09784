"""Running: resumable, whoever does the work, and the same records every time."""

import os

import pytest
from tests.support.process import run_python

from linspike.errors import ClusterError
from linspike.paper.report.collect import collect
from linspike.paper.tables import table2
from linspike.study import workers as crew
from linspike.study.experiment import SCALES
from linspike.study.registry import IDS, experiment, experiments
from linspike.study.runner import current, estimate, missing, run
from linspike.study.store import Store
from linspike.study.workers import Here, do, workers

SMALL = "table2"


@pytest.fixture(scope="module")
def digest(tmp_path_factory):
    """What an uninterrupted run in one process finds."""
    with Store(tmp_path_factory.mktemp("one") / "s.sqlite") as store:
        run(experiment(SMALL), "smoke", store, Here())
        return store.digest(), len(store)


def test_a_second_run_has_nothing_to_do(tmp_path, digest):
    steps = []
    with Store(tmp_path / "s.sqlite") as store:
        count = run(experiment(SMALL), "smoke", store, Here(), steps.append)
        assert count == len(store) == digest[1]
        assert steps[-1].done == steps[-1].total == count
        assert run(experiment(SMALL), "smoke", store, Here()) == 0
        assert store.digest() == digest[0]


def test_two_processes_find_the_same(tmp_path, digest):
    with Store(tmp_path / "s.sqlite") as store, workers(2, None) as processes:
        run(experiment(SMALL), "smoke", store, processes)
        assert store.digest() == digest[0]


def test_another_seed_is_another_sample(tmp_path, digest):
    with Store(tmp_path / "s.sqlite") as store:
        run(experiment("claims"), "smoke", store, Here())
        before = len(store)
        run(experiment("claims"), "smoke", store, Here(), base=1)
        assert len(store) == 2 * before
        one, two = (store.trials("claims", "smoke", base) for base in (0, 1))
        assert [t.record for t in one] != [t.record for t in two]
        assert {t.seed for t in one}.isdisjoint(t.seed for t in two)


def test_cells_of_another_version_do_not_mix_in(tmp_path, digest, monkeypatch):
    made = experiment(SMALL)
    with Store(tmp_path / "s.sqlite") as store:
        monkeypatch.setitem(table2.SIZES["smoke"], "epochs", 3)
        run(made, "smoke", store, Here())
        other = made.summarise("smoke", current(made, "smoke", store.trials(SMALL, "smoke"))[0])
        monkeypatch.undo()
        run(made, "smoke", store, Here())
        held = store.trials(SMALL, "smoke")
        mine, lacking = current(made, "smoke", held)
        assert not lacking
        assert len(mine) == digest[1] < len(held)
        assert made.summarise("smoke", mine) != other


@pytest.mark.parametrize("name", IDS)
def test_what_is_unfinished_can_be_looked_at(tmp_path, name):
    made = experiment(name)
    if made.needs():
        pytest.skip(made.needs())
    with Store(tmp_path / "s.sqlite") as store:
        for count, batch in enumerate(missing(made, "smoke", store)):
            store.add(made.shelf, batch.cell, do(batch), "{}")
            if count == 2:
                break
        (section,) = collect(store, [name])
    assert section.trials > 0
    assert section.id == name


# One interpreter that starts the run again and again, each time in a copy of itself.
KILLED = """
import os, signal, sys, time
from linspike.study.registry import experiment
from linspike.study.runner import run
from linspike.study.store import Store
from linspike.study.workers import Here

path, kills, attempts = sys.argv[1], 0, 0
made = experiment("table2")
made.trials(made.cells("smoke", [])[0], [0])  # loads the compiled code, which copies then have
while kills < 10 and attempts < 40:
    ready, begin = os.pipe()
    child = os.fork()
    if child == 0:
        with Store(path) as store:
            os.write(begin, b"b")
            run(made, "smoke", store, Here())
        os._exit(0)
    os.read(ready, 1)
    os.close(ready), os.close(begin)
    time.sleep(0.02 + 0.017 * (attempts % 10))
    os.kill(child, signal.SIGKILL)
    attempts += 1
    kills += os.WIFSIGNALED(os.waitpid(child, 0)[1])
print(kills)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="fork")
def test_killed_ten_times_and_gone_on_with(tmp_path, digest):
    path = tmp_path / "s.sqlite"
    assert run_python("-c", KILLED, path).stdout == "10\n"
    with Store(path) as store:
        assert store._db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert len(store) > 0
        run(experiment(SMALL), "smoke", store, Here())
        assert store.digest() == digest[0]
        assert len(store) == digest[1]


def test_an_unreachable_cluster(monkeypatch):
    monkeypatch.setattr(crew, "CONNECT_SECONDS", 1)
    with (
        pytest.raises(ClusterError, match="No Dask scheduler answers at tcp://127.0.0.1:1"),
        workers(2, "tcp://127.0.0.1:1"),
    ):
        pass


@pytest.mark.parametrize("name", IDS)
def test_every_experiment_says_what_it_is(name):
    found = experiment(name)
    assert found.id == name
    assert found.title
    assert found.place
    for scale in SCALES:
        cells = found.cells(scale, [])
        assert cells
        assert all(cell["scale"] == scale for cell in cells)
        assert all(len(found.seeds(scale, cell)) >= 1 for cell in cells)
    assert found.needs() == "" or "mnist" in found.needs()
    assert experiment(found.shelf).source == ""


def test_names_of_experiments():
    assert [found.id for found in experiments(("all",))] == list(IDS)
    assert [found.id for found in experiments(("fig3", "fig3"))] == ["fig3"]


def test_an_estimate_before_anything_is_run(tmp_path):
    with Store(tmp_path / "s.sqlite") as store:
        batches = missing(experiment(SMALL), "paper", store)
    seconds = estimate(batches, experiment(SMALL), 2)
    assert 60.0 < seconds < 1e6
    assert estimate(batches, experiment(SMALL), 1) == pytest.approx(2 * seconds)
