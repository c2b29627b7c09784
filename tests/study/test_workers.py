"""Workers end with the caller, and one that dies is reported in one sentence."""

import os
import time

import pytest
from tests.support.toy_experiment import run_trials, toy_experiment
from threadpoolctl import threadpool_info

from linspike.errors import ClusterError
from linspike.study.workers import Batch, Serial, open_workers, run_batch


def batches_of(trials, count):
    (cell,) = toy_experiment().cells("smoke", [])
    return [Batch(trials, cell, (seed, seed + 1)) for seed in range(0, 2 * count, 2)]


def die(cell, seeds):
    os._exit(9)


def report_process(cell, seeds):
    time.sleep(0.02)
    return [{"process": os.getpid()} for _ in seeds]


def die_late(cell, seeds):
    if seeds[0] == 8:
        time.sleep(1.0)
        die(cell, seeds)
    return report_process(cell, seeds)


def test_a_batch_has_a_record_for_each_seed():
    (batch,) = batches_of(run_trials, 1)
    results = run_batch(batch)
    assert [(seed, record["seed"]) for seed, record, _ in results] == [(0, 0), (1, 1)]
    assert all(seconds >= 0.0 for _, _, seconds in results)
    with pytest.raises(ValueError, match="zip"):
        run_batch(batch._replace(trials=lambda cell, seeds: [{}]))


def test_serial_keeps_the_order():
    batches = batches_of(run_trials, 3)
    assert [batch for batch, _ in Serial().run(batches)] == batches


def test_processes_run_each_batch_once():
    batches = batches_of(report_process, 12)
    with open_workers(2, None) as workers:
        found = list(workers.run(batches))
    assert sorted(batch.seeds for batch, _ in found) == [batch.seeds for batch in batches]
    processes = {record["process"] for _, results in found for _, record, _ in results}
    assert os.getpid() not in processes
    assert len(processes) == 2


def report_threads(cell, seeds):
    pools = [pool["num_threads"] for pool in threadpool_info()]
    variable = os.environ.get("OPENBLAS_NUM_THREADS")
    return [{"pools": pools, "variable": variable} for _ in seeds]


def test_linear_algebra_has_one_thread_in_each_process(monkeypatch):
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "2")
    with open_workers(2, None) as workers:
        found = list(workers.run(batches_of(report_threads, 2)))
    for _, results in found:
        for _, record, _ in results:
            assert record["variable"] == "1"
            assert set(record["pools"]) <= {1}


def test_a_dead_worker_is_reported_and_what_was_finished_is_kept():
    found = []
    with open_workers(2, None) as workers:
        running = (found.append(batch.seeds) for batch, _ in workers.run(batches_of(die_late, 5)))
        with pytest.raises(ClusterError, match="A worker process died .*fewer --jobs"):
            list(running)
    assert set(found) == {(0, 1), (2, 3), (4, 5), (6, 7)}


@pytest.mark.filterwarnings("error")
def test_processes_end_when_the_caller_stops_asking():
    with open_workers(2, None) as workers:
        running = workers.run(batches_of(report_process, 40))
        _, results = next(running)
        running.close()
        process = results[0][1]["process"]
    deadline = time.monotonic() + 10.0
    while time.monotonic() < deadline and os.path.exists(f"/proc/{process}"):
        time.sleep(0.05)
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)
