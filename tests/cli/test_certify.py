"""`linspike certify`: three verdicts as text, JSON and status; weights as a model; refusals."""

import json
import math

import numpy as np
import pytest
from tests.support.flowers import refused, run

import linspike as ls
from linspike.constraints.task.solution import Constraint, TaskSolution

NEURON = ls.SRM()
WEIGHTS = np.array([0.8, 0.6])
PATTERNS = ls.PatternSet([1.0, 2.0, 4.0, 3.0], [0, 1, 0, 1], [0, 3, 4], 2, 50.0)
TARGETS = ls.SpikeTimes([NEURON.respond(WEIGHTS, pattern) for pattern in PATTERNS])
SOLVED = TaskSolution(
    solvable=True,
    weights=WEIGHTS,
    margin=0.03125,
    reason="solvable: the simulated spikes are the desired ones",
    spikes=TARGETS.trains,
    active=(Constraint(0, 3.0, 0.5),),
    rounds=3,
)
CONFLICT = (
    Constraint(1, 12.3456, -0.25),
    Constraint(0, 7.0, 1.5),
    Constraint(-1, 1.0, 0.125),
)
REFUTED = TaskSolution(
    solvable=False,
    weights=WEIGHTS,
    margin=-0.25,
    reason="not solvable: 3 constraints cannot be met together",
    conflict=CONFLICT,
    rounds=5,
)
OPEN = TaskSolution(
    solvable=None,
    weights=WEIGHTS,
    margin=-1e-7,
    reason="undecided: stopped after 200 rounds",
    rounds=200,
)


@pytest.fixture
def files(tmp_path):
    PATTERNS.save(tmp_path / "patterns.npz")
    TARGETS.save(tmp_path / "targets.npz")
    return tmp_path / "patterns.npz", tmp_path / "targets.npz"


class Solver:
    """Stands in for `solve_task`: keeps what it was called with, and returns or raises `outcome`."""

    def __init__(self):
        self.outcome = SOLVED

    def __call__(self, *task, progress, **options):
        self.task, self.options = task, options
        progress(1, "2 rows")
        if isinstance(self.outcome, BaseException):
            raise self.outcome
        return self.outcome


@pytest.fixture
def solver(monkeypatch):
    made = Solver()
    monkeypatch.setattr("linspike.constraints.solve_task", made, raising=False)
    return made


def test_solvable(files, solver):
    done = run("certify", *files)
    assert (done.code, done.err) == (0, "")
    assert done.out == (
        "solvable: the simulated spikes are the desired ones\nmargin: 0.03125 thresholds\n"
    )


def test_not_solvable(files, solver):
    solver.outcome = REFUTED
    done = run("certify", *files)
    assert (done.code, done.err) == (3, "")
    assert done.out.splitlines() == [
        "not solvable: 3 constraints cannot be met together",
        "margin: -0.25 thresholds",
        "",
        "pattern   time (ms)  multiplier",
        "0             7.000         1.5",
        "1            12.346       -0.25",
        "weight 1      bound       0.125",
    ]


def test_undecided(files, solver):
    solver.outcome = OPEN
    done = run("certify", *files)
    assert (done.code, done.err) == (4, "")
    assert done.out == "undecided: stopped after 200 rounds\nmargin: -1e-07 thresholds\n"


@pytest.mark.parametrize(("count", "last"), [(10, "9 "), (11, "and 1 more"), (250, "and 240 more")])
def test_a_long_conflict_is_cut_off(count, last, files, solver):
    conflict = tuple(Constraint(p, 5.0, 1.0 / (p + 1)) for p in range(count))
    solver.outcome = TaskSolution(False, WEIGHTS, -1.0, "too many", conflict=conflict[::-1])
    lines = run("certify", *files).out.splitlines()
    assert [line.split()[0] for line in lines[4:14]] == [str(p) for p in range(10)]
    assert lines[-1].startswith(last)
    assert len(lines) == 14 + (count > 10)
    rows = json.loads(run("certify", *files, "--json").out)["rows"]
    assert len(rows[0]["conflict"]) == count


@pytest.mark.parametrize(("outcome", "code"), [(SOLVED, 0), (REFUTED, 3), (OPEN, 4)])
def test_json(outcome, code, files, solver):
    solver.outcome = outcome
    done = run("certify", *files, "--json", "--tolerance", 0.5, "--weight-high", "inf")
    assert (done.code, done.err) == (code, "")
    found = json.loads(done.out, parse_constant=pytest.fail)
    assert found["schema"] == 1
    assert found["rows"] == [outcome.to_dict()]
    about = found["provenance"]
    assert (about["patterns"], about["targets"]) == tuple(map(str, files))
    assert (about["tolerance"], about["tau_m"], about["threshold"]) == (0.5, 20.0, 1.0)
    assert (about["weight_low"], about["weight_high"]) == (None, None)


def test_an_infinite_margin_is_not_printed_and_null_in_json(files, solver):
    solver.outcome = TaskSolution(False, WEIGHTS, -math.inf, "not solvable: equal patterns")
    assert "margin" not in run("certify", *files).out
    found = json.loads(run("certify", *files, "--json").out, parse_constant=pytest.fail)
    assert found["rows"][0]["margin"] is None


def test_what_the_solver_is_given(files, solver):
    assert run("certify", *files).code == 0
    assert solver.task == (ls.SRM(), PATTERNS, TARGETS)
    assert solver.options == {"tolerance": 0.0, "weight_bounds": None}
    neuron = ("--tau-m", 10, "--tau-s", 2, "--threshold", 3)
    assert run("certify", *files, *neuron, "--tolerance", 1, "--weight-low", 0).code == 0
    assert solver.task[0] == ls.SRM(10.0, 2.0, 3.0)
    assert solver.options == {"tolerance": 1.0, "weight_bounds": (0.0, math.inf)}
    assert run("certify", *files, "--weight-high", 2).code == 0
    assert solver.options["weight_bounds"] == (-math.inf, 2.0)
    assert run("certify", *files, "--weight-high", 2, "--weight-low", -1.5).code == 0
    assert solver.options["weight_bounds"] == (-1.5, 2.0)


def test_counts_are_refused(files, solver):
    ls.SpikeCounts([1, 0]).save(files[1])
    message = "targets.npz holds counts, but certify needs desired times: save SpikeTimes."
    refused(message, "certify", *files)
    assert not hasattr(solver, "task")


@pytest.mark.parametrize("error", [ls.SpikeDataError, ls.ParameterError])
def test_errors_of_the_solver_are_one_line(error, files, solver):
    solver.outcome = error("3 targets for 2 patterns.")
    assert (
        refused("3 targets for 2", "certify", *files).err == "linspike: 3 targets for 2 patterns.\n"
    )


def test_an_interrupt_writes_nothing(files, solver):
    solver.outcome = KeyboardInterrupt()
    done = run("certify", *files, "--out", files[0].parent / "weights.npz")
    assert (done.code, done.out, done.err.strip()) == (130, "", "linspike: interrupted")
    assert sorted(path.name for path in files[0].parent.iterdir()) == [
        "patterns.npz",
        "targets.npz",
    ]


def test_rounds_are_shown(files, solver, monkeypatch):
    monkeypatch.setattr("linspike.cli.progress.EVERY_SECONDS", 0.0)

    def solve(*task, progress, **options):
        for rounds in range(1, 4):
            progress(rounds, f"{50 * rounds} rows")
        return SOLVED

    monkeypatch.setattr("linspike.constraints.solve_task", solve)
    done = run("certify", *files)
    assert done.err.splitlines() == ["certify: 2 rounds, 100 rows", "certify: 3 rounds, 150 rows"]
    assert done.out.startswith("solvable: ")


def test_weights_are_written_as_a_model(files, solver):
    place = files[0].parent / "new" / "weights.npz"
    done = run("certify", *files, "--out", place, "--tau-m", 30, "--tolerance", 1)
    assert (done.code, done.err) == (0, f"weights written to {place}\n")
    model = ls.load_model(place)
    assert (model.neuron, model.rule) == (ls.SRM(tau_m=30.0), None)
    assert model.weights.tolist() == [WEIGHTS.tolist()]
    assert model.notes == {"tolerance": 1.0, "margin": 0.03125}


@pytest.mark.parametrize("outcome", [REFUTED, OPEN])
def test_weights_that_solve_nothing_are_not_written(outcome, files, solver):
    solver.outcome = outcome
    place = files[0].parent / "weights.npz"
    done = run("certify", *files, "--out", place)
    assert done.code in (3, 4)
    assert done.err == f"{place} not written: no weights were found that solve the task\n"
    assert not place.exists()


def test_refusals(files, solver):
    patterns, targets = files
    lost = patterns.with_name("lost.npz")
    refused("targets.npz' is not a linspike.PatternSet file", "certify", targets, patterns)
    refused("patterns.npz' holds no targets: it is neither", "certify", patterns, patterns)
    refused("lost.npz cannot be read: No such file", "certify", lost, targets)
    refused("lost.npz cannot be read: No such file", "certify", patterns, lost)
    refused("is a folder, not", "certify", patterns, patterns.parent)
    refused("would be overwritten by its own", "certify", *files, "--out", targets)
    refused("would be overwritten by its own", "certify", *files, "--out", patterns)
    refused("'tau_s' parameter of SRM must be in (0, tau_m)", "certify", *files, "--tau-s", 20)
    refused("Missing argument 'TARGETS'", "certify", patterns, code=2)
    refused("-1.0 is not in the range", "certify", *files, "--tolerance", -1, code=2)
    refused("0.0 is not in the range", "certify", *files, "--threshold", 0, code=2)
    refused("not a valid float", "certify", *files, "--weight-low", "few", code=2)
    assert not hasattr(solver, "task")
    lost.write_bytes(targets.read_bytes()[:200])
    refused("lost.npz' holds no targets", "certify", patterns, lost)


def test_help_names_units_and_status():
    text = " ".join(run("certify", "--help").out.split())
    for part in (
        "Times are in milliseconds",
        "in the unit of the threshold",
        "How far each spike may be from its desired time, in ms",
        "0 if the task is solvable, 3 if it is not, and 4 if that is undecided",
        "2 for a wrong command line and 130 after Ctrl-C",
    ):
        assert part in text


def test_with_the_real_solver(files, tmp_path):
    """The responses of some weights can be learned; two times from one input spike cannot."""
    from linspike.constraints import solve_task

    place = tmp_path / "weights.npz"
    done = run("certify", *files, "--out", place)
    assert done.code == 0, done.err
    found = solve_task(NEURON, PATTERNS, TARGETS)
    assert found.reason.startswith("solvable: ")
    assert done.out == f"{found.reason}\nmargin: {found.margin:.4g} thresholds\n"
    for response, train in zip(ls.load_model(place).respond(PATTERNS)[0], TARGETS, strict=True):
        np.testing.assert_allclose(response.times, train.times, rtol=0.0, atol=1e-6)

    ls.PatternSet([1.0], [0], [0, 1], 1, 50.0).save(files[0])
    ls.SpikeTimes([[5.0, 30.0]]).save(files[1])
    assert run("certify", *files).out.startswith("not solvable: ")
    done = run("certify", *files, "--json")
    assert done.code == 3, done.err
    row = json.loads(done.out, parse_constant=pytest.fail)["rows"][0]
    assert row["solvable"] is False
    assert len(row["conflict"]) > 0

    refused("'targets' parameter of solve_task", "certify", patterns_of_two(tmp_path), files[1])
    refused("'tolerance' parameter of solve_task", "certify", *files, "--tolerance", 20)
    crossed = ("--weight-low", 1, "--weight-high", 0)
    refused("'weight_bounds' parameter of solve_task", "certify", *files, *crossed)


def patterns_of_two(folder):
    path = folder / "two.npz"
    ls.PatternSet([1.0, 2.0], [0, 0], [0, 1, 2], 1, 50.0).save(path)
    return path
