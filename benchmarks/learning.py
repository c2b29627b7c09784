"""Learning: one step against one simulation, long patterns, solvers, threads, and plain NumPy."""

from __future__ import annotations

import time

import numpy as np

import linspike as ls
from benchmarks.timing import Report, best_seconds
from linspike.constraints.backends.linear_program import least_slack
from linspike.kernels.solvers.box_qp import solve_box
from linspike.kernels.solvers.coordinate_descent import make_qp_work
from linspike.kernels.solvers.newton import factorise
from linspike.study import encoding
from linspike.study.tasks import latency_encoding

NEURON = ls.SRM()


def task(seed: int, n_patterns: int, duration: float):
    """Weights, patterns and desired times, as in the capacity studies."""
    return encoding(seed, n_patterns, duration=duration)


def measure(report: Report) -> None:
    """Everything the trainer promises about speed."""
    _step(report)
    _long_epoch(report)
    _delays(report)
    _solvers(report)
    _many_rows(report)
    _threads(report)
    _plain_numpy(report)


def _epochs(weights, patterns, targets, epochs: int, **settings):
    rule = ls.DTA(skip_below=0.0, **settings)  # a step at every pattern
    trainer = ls.Trainer(NEURON, rule, max_epochs=epochs, criterion="strict")
    return lambda: trainer.fit(weights, patterns, targets)


def _step(report: Report) -> None:
    weights, patterns, targets = task(0, 200, 400.0)
    passing = {"pass": lambda: NEURON.respond_many(weights[np.newaxis], patterns, threads=1)}
    epoch, best = _epoch_seconds(weights, patterns, targets, 22, rounds=10, **passing)
    # An epoch is a response and a step for each pattern, and an evaluation that ends early.
    ratio = epoch / best["pass"]
    name = "step and simulation, N=500, T=400"
    report.add("learning", name, ratio, "simulations", 9.0)
    report.add("learning", f"time of {name}", 1e6 * epoch / len(patterns), "us a pattern")


def _long_epoch(report: Report) -> None:
    weights, patterns, targets = task(1, 1, 17300.0)
    epoch, _ = _epoch_seconds(weights, patterns, targets, 12, rounds=5)
    note = f"{len(targets[0])} desired spikes"
    report.add("learning", "epoch of one pattern, T=17300", 1e3 * epoch, "ms", 10.0, note)


def _delays(report: Report) -> None:
    """A presentation with its step while delays are learned, over one while weights alone are."""
    few = 2
    tasks = {f"N={n}": latency_encoding(0, 6 * n // 10, n_channels=n) for n in (50, 100)}
    tasks["N=500, T=400"] = task(0, 130, 400.0)
    for task_name, data in tasks.items():
        load = len(data[1])  # more than either learns: all presentations end in a step
        many = few + 9000 // load
        calls = {
            (delays, epochs): _epochs(*data, epochs, delays=delays)
            for delays in (False, True)
            for epochs in (few, many)
        }
        best = best_seconds(calls, rounds=10, least_seconds=0.0)
        plain, late = (best[delays, many] - best[delays, few] for delays in (False, True))
        name = f"learned delays, step over one without, {task_name}"
        note = f"{1e6 * late / (many - few) / load:.1f} us a pattern"
        report.add("learning", name, late / plain, "steps", 1.6, note)


def _epoch_seconds(weights, patterns, targets, many: int, rounds: int, **others):
    """Return the seconds of an epoch after the second, and the best times of all calls."""
    few = 2
    calls = {
        "few": _epochs(weights, patterns, targets, few),
        "many": _epochs(weights, patterns, targets, many),
        **others,
    }
    best = best_seconds(calls, rounds=rounds)
    return (best["many"] - best["few"]) / (many - few), best


def recorded_problem(n: int, seed: int):
    """Gram matrix, right-hand side and bounds from a real moment of learning."""
    weights, patterns, targets = task(seed, 1, 150.0 * n)
    trainer = ls.Trainer(NEURON, ls.DTA(), max_epochs=2)
    learned = trainer.fit(0.9 * weights, patterns, targets)
    problem = ls.constraints.assemble(
        NEURON, learned.weights, patterns[0], targets[0], margin=0.1, match_tolerance=0.5
    )
    gram = np.ascontiguousarray(problem.gram)
    bound = 0.3 / np.diag(gram)
    high = np.where(np.arange(len(problem)) < problem.n_desired, bound, 0.0)
    return gram, problem.r, -bound, high


def _solvers(report: Report) -> None:
    for desired in (3, 10, 20, 60, 180):
        gram, r, low, high = recorded_problem(desired, desired)
        n = r.size
        work = make_qp_work(n)
        x = np.empty(n)

        def ours(gram=gram, r=r, low=low, high=high, x=x, work=work, n=n):
            x[:] = 0.0
            return solve_box(gram, r, low, high, x, 1e-12, work, n)

        calls = {"projection": ours, **_other_solvers(gram, r, low, high)}
        best = best_seconds(calls, rounds=3, least_seconds=0.005)
        others = ", ".join(
            f"{name} {1e6 * best[name]:.0f} us" for name in calls if name != "projection"
        )
        note = f"residual {ours():.0e}; {others or 'daqp absent'}"
        name = f"projection, {n} rows"
        report.add("learning", name, 1e6 * best["projection"], "us", note=note)


def _many_rows(report: Report) -> None:
    """The projection over one Cholesky factorisation of as many rows: ours, and LAPACK's."""
    for duration in (17300.0, 22400.0):
        weights, patterns, targets = task(0, 1, duration)
        learned = ls.Trainer(NEURON, ls.DTA(), max_epochs=3).fit(weights, patterns, targets)
        problem = ls.constraints.assemble(
            NEURON, learned.weights, patterns[0], targets[0], margin=0.1, match_tolerance=0.5
        )
        n, gram = len(problem), np.ascontiguousarray(problem.gram)
        bound = 0.4 / np.diag(gram)
        high = np.where(np.arange(n) < problem.n_desired, bound, 0.0)
        regular, factor = gram + np.eye(n), np.empty((n, n))
        work, x = make_qp_work(n), np.empty(n)

        def project(gram=gram, r=problem.r, low=-bound, high=high, x=x, work=work, n=n):
            x[:] = 0.0
            return solve_box(gram, r, low, high, x, 1e-12, work, n)

        def cholesky(regular=regular, factor=factor, n=n):
            factor[:] = regular
            factorise(factor, n)

        calls = {"project": project, "ours": cholesky}
        calls["LAPACK"] = lambda regular=regular: np.linalg.cholesky(regular)
        best = best_seconds(calls, rounds=5)
        by_lapack = best["project"] / best["LAPACK"]
        note = (
            f"{1e3 * best['project']:.2f} ms, residual {project():.0e}; of LAPACK's {by_lapack:.1f}"
        )
        name = f"projection over a factorisation, {n} rows"
        report.add("learning", name, best["project"] / best["ours"], "factorisations", 10.0, note)


def _other_solvers(gram, r, low, high):
    calls = {}
    n = r.size
    try:
        import daqp
    except ImportError:
        pass
    else:
        none, sense = np.zeros((0, n)), np.zeros(n, np.int32)
        unit = np.maximum(np.abs(low), np.abs(high))
        scaled = gram * unit[:, np.newaxis] * unit
        calls["daqp"] = lambda: daqp.solve(scaled, -r * unit, none, high / unit, low / unit, sense)
    # The same constraints as a linear program with slack, which is what LP users would write.
    calls["HiGHS (LP with slack)"] = lambda: least_slack(gram, r, int((high > 0).sum()), low, high)
    try:
        from scipy.optimize import linprog
    except ImportError:
        return calls
    equal = high > 0.0
    bounds = np.column_stack([low, high])
    calls["scipy linprog (hard)"] = lambda: linprog(
        np.zeros(n), gram[~equal], r[~equal], gram[equal], r[equal], bounds
    )
    return calls


def _threads(report: Report) -> None:
    chains, load = 16, 45
    data = [task(seed, load, 400.0) for seed in range(chains)]
    weights, patterns, targets = zip(*data, strict=True)
    trainer = ls.Trainer(NEURON, ls.DTA(), max_epochs=500)
    arguments = (np.array(weights), patterns, targets)

    def run(threads):
        return lambda: trainer.fit_many(*arguments, seeds=range(chains), threads=threads)

    best = best_seconds({1: run(1), 2: run(2)}, rounds=7, least_seconds=0.0)
    gain = best[1] / best[2]
    for threads in (1, 2):
        name = f"chains learned a second (P={load}), {threads} thread(s)"
        report.add("learning", name, chains / best[threads], "chains/s")
    report.add("learning", "gain of a second thread, inverse", 1.0 / gain, "", limit=1 / 1.8)


def _plain_numpy(report: Report) -> None:
    """The reference a user would write: dense NumPy rows, the exact simulator, daqp."""
    try:
        import daqp
    except ImportError:
        report.add("learning", "NumPy + daqp", float("nan"), "x", note="absent: daqp")
        return
    weights, patterns, targets = task(3, 10, 400.0)
    epochs = 3
    grids = [_psp_on_grid(pattern) for pattern in patterns]  # once, as a careful user would
    started = time.perf_counter()
    w = weights.copy()
    for _ in range(epochs):
        for psp, goal in zip(grids, targets, strict=True):
            w += _numpy_step(w, psp, goal.times, daqp)
    plain = time.perf_counter() - started
    best = best_seconds(
        {
            "few": _epochs(weights, patterns, targets, 1),
            "many": _epochs(weights, patterns, targets, 1 + 10 * epochs),
        },
        rounds=5,
    )
    ours = (best["many"] - best["few"]) / 10.0
    note = f"{1e3 * plain / (10 * epochs):.2f} ms a step in NumPy on a 0.1 ms grid"
    report.add("learning", "NumPy + daqp against ours", plain / ours, "x ours", note=note)


def _psp_on_grid(pattern):
    """PSP of every channel at every tenth of a millisecond."""
    at = np.arange(0.0, pattern.duration, 0.1)
    psp = np.zeros((at.size, pattern.n_channels))
    for moment, channel in zip(pattern.times, pattern.channels, strict=True):
        psp[:, channel] += NEURON.psp(at - moment)
    return psp


def _numpy_step(w, psp, desired, daqp):
    """Simulate on a grid of 0.1 ms, take the rows, solve, all in NumPy."""
    at = 0.1 * np.arange(psp.shape[0])
    v = psp @ w
    spikes = []
    above = np.flatnonzero(v >= 1.0)
    while above.size:
        i = above[0]
        spikes.append(at[i])
        v[i:] -= np.exp(-(at[i:] - at[i]) / 20.0)
        above = i + np.flatnonzero(v[i:] >= 1.0)
    times = np.concatenate([desired, spikes])
    rows = psp[np.clip((times / 0.1).round().astype(int), 0, at.size - 1)]
    theta = np.array([1.0 + np.exp(-(t - desired[desired < t]) / 20.0).sum() for t in times])
    r = theta - rows @ w
    r[desired.size :] -= 0.1
    if not times.size:
        return np.zeros_like(w)
    gram = rows @ rows.T + 1e-9 * np.eye(times.size)
    bound = 0.3 / np.maximum(np.diag(gram), 1e-9)
    high = np.where(np.arange(times.size) < desired.size, bound, 0.0)
    none, sense = np.zeros((0, times.size)), np.zeros(times.size, np.int32)
    return rows.T @ daqp.solve(gram, -r, none, high, -bound, sense)[0]
