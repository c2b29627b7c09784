"""Running: resumable, wherever the work is done, and the same records every time."""

import os

import pytest
from tests.support.process import run_python
from tests.support.toy_experiment import toy_experiment

from linspike.cli.experiments import REGISTRY
from linspike.errors import ClusterError, SearchError
from linspike.paper.report.collect import collect
from linspike.paper.tables import table2
from linspike.study import runner, workers
from linspike.study.runner import (
    SEEDS_PER_BLOCK,
    estimate_seconds,
    find_missing,
    run,
    select_current,
)
from linspike.study.store import Store
from linspike.study.workers import Serial, open_workers, run_batch

TABLE2 = table2.EXPERIMENT


@pytest.fixture(scope="module")
def digest(tmp_path_factory):
    """What an uninterrupted run in one process finds."""
    with Store(tmp_path_factory.mktemp("one") / "s.sqlite") as store:
        run(TABLE2, "smoke", store, Serial())
        return store.digest(), len(store)


def test_a_search_is_followed_to_its_end(tmp_path):
    calls = []

    def cells(scale, trials):
        calls.append(len(trials))
        return toy.cells(scale, trials)

    toy = toy_experiment()
    watched = toy_experiment(cells=cells)
    with Store(tmp_path / "s.sqlite") as store:
        assert run(watched, "smoke", store, Serial()) == 6  # loads 1 to 3, two seeds each
        # A round runs one load, and the next goes on from there: the search starts once.
        assert calls == [0, 0, 2, 2, 4, 4, 6]
        trials, missing = select_current(watched, "smoke", store.trials(toy, "smoke"))
    assert [(trial.cell.load, trial.seed) for trial in trials] == [
        (load, seed) for load in (1, 2, 3) for seed in (0, 1)
    ]
    assert missing == []


def test_a_search_that_does_not_end_is_an_error(tmp_path, monkeypatch):
    def cells(scale, trials):
        (first,) = toy_experiment().cells(scale, [])
        loads = {trial.cell.load for trial in trials}
        return [first.but(load=load) for load in range(len(loads) + 1)]

    monkeypatch.setattr(runner, "MAX_ROUNDS", 5)
    with (
        Store(tmp_path / "s.sqlite") as store,
        pytest.raises(SearchError, match="The search of endless does not end"),
    ):
        run(toy_experiment("endless", cells=cells), "smoke", store, Serial())


def test_a_seed_block_is_another_sample(tmp_path):
    toy = toy_experiment()
    with Store(tmp_path / "s.sqlite") as store:
        assert run(toy, "smoke", store, Serial()) == 6
        assert run(toy, "smoke", store, Serial(), seed_block=1) == 6
        one, two = (store.trials(toy, "smoke", block) for block in (0, 1))
    assert len(one) == len(two) == 6
    assert {trial.seed for trial in one} == {0, 1}
    assert {trial.seed for trial in two} == {SEEDS_PER_BLOCK, SEEDS_PER_BLOCK + 1}
    assert {trial.cell.seed_block for trial in two} == {1}


def test_a_second_run_has_nothing_to_do(tmp_path, digest):
    events = []
    with Store(tmp_path / "s.sqlite") as store:
        count = run(TABLE2, "smoke", store, Serial(), events.append)
        assert count == len(store) == digest[1]
        assert events[-1].done == events[-1].total == count
        assert run(TABLE2, "smoke", store, Serial()) == 0
        assert store.digest() == digest[0]


def test_two_processes_find_the_same(tmp_path, digest):
    with Store(tmp_path / "s.sqlite") as store, open_workers(2, None) as processes:
        run(TABLE2, "smoke", store, processes)
        assert store.digest() == digest[0]


def test_cells_of_another_version_do_not_mix_in(tmp_path, digest, monkeypatch):
    with Store(tmp_path / "s.sqlite") as store:
        fewer = table2.SIZES["smoke"]._replace(max_epochs=3)
        monkeypatch.setitem(table2.SIZES, "smoke", fewer)
        run(TABLE2, "smoke", store, Serial())
        found = select_current(TABLE2, "smoke", store.trials(TABLE2, "smoke"))
        other = TABLE2.summarise("smoke", found.trials)
        monkeypatch.undo()
        run(TABLE2, "smoke", store, Serial())
        held = store.trials(TABLE2, "smoke")
        trials, missing = select_current(TABLE2, "smoke", held)
        assert not missing
        assert len(trials) == digest[1] < len(held)
        assert TABLE2.summarise("smoke", trials) != other


@pytest.mark.parametrize("name", REGISTRY.ids)
def test_what_is_unfinished_can_be_looked_at(tmp_path, name):
    made = REGISTRY.load(name)
    if made.needs():
        pytest.skip(made.needs())
    with Store(tmp_path / "s.sqlite") as store:
        for batch in find_missing(made, "smoke", store)[:3]:
            store.add(made.store_id, batch.cell, run_batch(batch), "{}")
        (section,) = collect(store, [made])
    assert section.trials > 0
    assert section.id == name


# One interpreter that starts the run again and again, each time in a copy of itself.
KILLED = """
import os, signal, sys, time
from linspike.paper.tables.table2 import EXPERIMENT
from linspike.study.runner import run
from linspike.study.store import Store
from linspike.study.workers import Serial

path, kills, attempts = sys.argv[1], 0, 0
EXPERIMENT.trials(EXPERIMENT.cells("smoke", [])[0], [0])  # loads the compiled code, which copies then have
while kills < 10 and attempts < 40:
    ready, begin = os.pipe()
    child = os.fork()
    if child == 0:
        with Store(path) as store:
            if attempts % 2:  # killed from the start on
                os.write(begin, b"b")
            # Or when a batch has been stored, however busy the machine.
            run(EXPERIMENT, "smoke", store, Serial(), lambda progress: os.write(begin, b"b"))
        os._exit(0)
    os.close(begin)
    os.read(ready, 1)
    time.sleep(0.003 * (attempts % 10))
    os.kill(child, signal.SIGKILL)
    attempts += 1
    kills += os.WIFSIGNALED(os.waitpid(child, 0)[1])
    os.close(ready)
print(kills)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="fork")
def test_killed_ten_times_and_gone_on_with(tmp_path, digest):
    path = tmp_path / "s.sqlite"
    assert run_python("-c", KILLED, path).stdout == "10\n"
    with Store(path) as store:
        assert store._db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert len(store) > 0
        run(TABLE2, "smoke", store, Serial())
        assert store.digest() == digest[0]
        assert len(store) == digest[1]


def test_an_unreachable_cluster(monkeypatch):
    monkeypatch.setattr(workers, "CONNECT_SECONDS", 1)
    with (
        pytest.raises(ClusterError, match="No Dask scheduler answers at tcp://127.0.0.1:1"),
        open_workers(2, "tcp://127.0.0.1:1"),
    ):
        pass


def test_an_estimate_before_anything_is_run(tmp_path):
    with Store(tmp_path / "s.sqlite") as store:
        batches = find_missing(TABLE2, "paper", store)
    seconds = estimate_seconds(batches, TABLE2, 2)
    assert 60.0 < seconds < 1e6
    assert estimate_seconds(batches, TABLE2, 1) == pytest.approx(2 * seconds)
