"""The benchmarks' table and the comparison of two kept files; nothing is measured here."""

import json
import math

import numpy as np
from benchmarks import __main__ as benchmarks
from benchmarks.against import add_peer
from benchmarks.learning import _other_solvers, recorded_problem
from benchmarks.peers import PeerResult
from benchmarks.timing import Report, best_seconds


def write(path, value):
    line = {"section": "engine", "name": "pass", "value": value, "unit": "floors"}
    path.write_text(json.dumps({"machine": {"linspike": "0.1.0"}, "lines": [line]}))
    return path


def test_two_files_side_by_side(tmp_path, capsys):
    before, after = write(tmp_path / "before.json", 2.0), write(tmp_path / "after.json", 3.0)
    benchmarks.compare(before, after)
    shown = capsys.readouterr().out.splitlines()
    assert shown[0] == f"{before}: linspike 0.1.0"
    assert shown[2].split() == ["engine", "pass", "2", "3", "floors", "+50", "%"]


def test_missed_limits_are_marked(capsys):
    report = Report()
    report.add("engine", "fast", 1.0, "floors", limit=2.0)
    report.add("engine", "slow", 3.0, "floors", limit=2.0)
    report.add("peers", "NEST", math.nan, "us")
    benchmarks.show(report)
    fast, slow, absent = capsys.readouterr().out.splitlines()
    assert "ok" in fast
    assert "MISSED" in slow
    assert "absent" in absent
    assert [row["kept"] for row in report.as_rows()] == [True, False, None]


def test_candidates_take_turns():
    calls = []
    candidates = {"a": lambda: calls.append("a"), "b": lambda: calls.append("b")}
    best = best_seconds(candidates, rounds=2, least_seconds=0.0)
    assert "".join(calls) == "aabb" + "abab"
    assert all(seconds >= 0.0 for seconds in best.values())


def test_peers_have_ratios_and_errors():
    report = Report()
    found = [np.array([1.0, 2.5]), np.array([7.0])]
    result = PeerResult("NEST", "3.9", 4e-6, found, "")
    add_peer(report, "NEST 0.1 ms", result, 2e-6, [np.array([1.0, 2.0]), np.empty(0)])
    assert {line.name: (line.value, line.unit) for line in report.lines} == {
        "NEST 0.1 ms": (4.0, "us a pattern"),
        "NEST 0.1 ms, over linspike": (2.0, "x"),
        "NEST 0.1 ms, median error": (0.25, "ms"),
        "NEST 0.1 ms, largest error": (0.5, "ms"),
    }
    assert report.lines[0].note == "version 3.9, 1 of 2 counts wrong"


def test_a_peer_with_wrong_counts_alone_has_no_errors():
    report = Report()
    add_peer(report, "NEST", PeerResult("NEST", "3.9", 4e-6, [np.ones(1)], ""), 2e-6, [np.ones(2)])
    assert [line.name for line in report.lines] == ["NEST", "NEST, over linspike"]


def test_every_solver_of_the_learning_benchmark_solves_the_same_problem():
    gram, r, low, high = recorded_problem(3, 3)
    calls = _other_solvers(gram, r, low, high)
    assert {"daqp", "HiGHS (LP with slack)", "scipy linprog (hard)"} <= set(calls)
    unit = np.maximum(np.abs(low), np.abs(high))
    by_daqp = unit * calls["daqp"]()[0]
    equal = high > 0
    best = gram @ by_daqp - r
    slack = np.abs(best[equal]).sum() + np.maximum(best[~equal], 0).sum()
    x = calls["HiGHS (LP with slack)"]()[0]
    rest = gram @ x - r
    assert np.abs(rest[equal]).sum() + np.maximum(rest[~equal], 0).sum() <= slack + 1e-7


def test_sections_of_a_kept_file_are_replaced():
    def lines(**values):
        return [{"section": section, "name": "x", "value": v} for section, v in values.items()]

    kept = {"schema": 1, "machine": {"numpy": "2.4", "cpu": "a"}, "lines": lines(engine=1, peers=2)}
    peers = {"schema": 1, "machine": {"numpy": "2.3", "cpu": "a"}, "lines": lines(peers=3)}
    made = benchmarks.replace_sections(kept, peers)
    assert made["machine"] == {"numpy": "2.4", "cpu": "a", "numpy, peers": "2.3"}
    assert made["lines"] == lines(engine=1, peers=3)
    again = {"schema": 1, "machine": kept["machine"], "lines": lines(growth=5, peers=4)}
    made = benchmarks.replace_sections(made, again)
    assert made["machine"] == kept["machine"]
    assert made["lines"] == lines(engine=1, growth=5, peers=4)
