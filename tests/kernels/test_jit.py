"""Compilation on first use, and the one line that says so."""

import importlib
import os
import sys
import threading
import time
import typing
from pathlib import Path

import numpy as np
import pytest
from tests.support.process import run_python

import linspike as ls
from linspike.kernels import jit
from linspike.kernels.cache import cache_folder
from linspike.kernels.rows.resets import reset_sum
from linspike.kernels.simulation.event_loop import simulate

COMPILER_OFF = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")

USE = "import linspike as ls; ls.van_rossum([1.0], [2.0]); ls.match_spikes([1.0], [2.0])"
IN_A_WORKER = """
import multiprocessing as mp
from concurrent.futures import ProcessPoolExecutor

def use():
    import linspike as ls

    ls.van_rossum([1.0], [2.0])

if __name__ == "__main__":
    with ProcessPoolExecutor(1, mp.get_context("spawn")) as pool:
        pool.submit(use).result()
"""
IMPORTS = """
import linspike.rules as rules, linspike.training, linspike.estimators
for key in rules.REGISTRY:
    rules.rule_class(key)()
"""


def python(folder, *command, quiet=""):
    environment = {"LINSPIKE_CACHE_DIR": str(folder), "LINSPIKE_QUIET": quiet}
    return run_python(*command, NUMBA_DISABLE_JIT="0", **environment)


def test_the_first_use_says_once_that_it_compiles(tmp_path):
    line = python(tmp_path, "-c", USE).stderr
    folder = tmp_path / "linspike-numba" / cache_folder().name
    assert line == (
        "linspike: compiling for this machine, once (up to a minute); "
        f"later starts load it from {folder}\n"
    )
    assert list(folder.glob("*.nbc"))
    assert python(tmp_path, "-c", USE).stderr == ""


def test_the_line_can_be_silenced(tmp_path):
    assert python(tmp_path, "-c", USE, quiet="1").stderr == ""


def test_worker_processes_say_nothing(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(IN_A_WORKER)
    assert python(tmp_path, script).stderr == ""
    assert list(tmp_path.rglob("*.nbc"))


def test_imports_compile_nothing(tmp_path):
    assert python(tmp_path, "-c", IMPORTS).stderr == ""
    assert not list(tmp_path.rglob("*.nbc"))


def test_threads_compile_a_function_once(monkeypatch):
    made = []

    def compiled(function, signature):
        time.sleep(0.05)
        made.append(signature)
        return function

    monkeypatch.setattr(jit, "compiled", compiled)
    double = jit.Deferred(lambda x: 2 * x, "signature")
    threads = [threading.Thread(target=double, args=(1,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert double(4) == 8
    assert made == ["signature"]


@pytest.mark.skipif(COMPILER_OFF, reason="nothing is compiled")
def test_other_errors_than_a_missing_file_are_raised(monkeypatch):
    def broken(function):
        raise RuntimeError("something else")

    monkeypatch.setattr(jit, "OptionalCache", broken)
    with pytest.raises(RuntimeError, match="something else"):
        jit.compiled(abs_of)


def abs_of(x):
    return abs(x)


def kernel_modules():
    folder = Path(jit.__file__).parent
    for path in sorted(folder.rglob("*.py")):
        name = ".".join(path.relative_to(folder).with_suffix("").parts)
        if path.name != "__init__.py" and "signature" not in name:
            yield importlib.import_module(f"linspike.kernels.{name}")


def borrowing_kernels():
    for module in kernel_modules():
        for value in vars(module).values():
            if isinstance(value, jit.Kernel):
                options = value.options
            else:
                options = getattr(value, "targetoptions", {})
            if options.get("_nrt") is False and value.__module__ == module.__name__:
                yield value


def holds_arrays(kind):
    """Whether a value of this annotated type holds an array."""
    if typing.get_origin(kind) is tuple:
        return any(holds_arrays(part) for part in typing.get_args(kind))
    if hasattr(kind, "_fields"):
        return any(holds_arrays(part) for part in typing.get_type_hints(kind).values())
    return kind not in (int, float, bool, np.uint64, type(None))


@pytest.mark.skipif(COMPILER_OFF, reason="needs compiled kernels")
def test_borrowing_kernels_return_no_arrays():
    """Such an array would be released once more than it was counted."""
    found = list(borrowing_kernels())
    assert len(found) > 60
    for kernel in found:
        assert not holds_arrays(typing.get_type_hints(kernel.py_func)["return"]), kernel


@pytest.mark.skipif(COMPILER_OFF, reason="needs compiled kernels")
def test_borrowing_kernels_do_not_allocate():
    @jit.borrowing
    def allocate(n):
        return np.zeros(n).sum()

    with pytest.raises(
        Exception, match="NRT required but not enabled|Only accept returning of array"
    ):
        allocate(3)


@pytest.mark.skipif(COMPILER_OFF, reason="needs compiled kernels")
def test_borrowed_arrays_are_neither_kept_nor_released():
    neuron = ls.SRM()
    patterns = ls.poisson_patterns(2, n_channels=5, duration=50.0, rate=0.05, rng=0)
    weights = np.full((70, 5), 0.8)
    counts = []
    for _ in range(3):
        neuron.respond(weights[0], patterns[0])
        neuron.respond_many(weights, patterns)
        neuron.critical_threshold(weights[0], patterns[0], 2)
        counts.append([sys.getrefcount(weights), sys.getrefcount(patterns._ragged.times)])
    assert counts[0] == counts[1] == counts[2]


@pytest.mark.skipif(COMPILER_OFF, reason="needs compiled kernels")
def test_a_kernel_is_wrapped_for_python_alone():
    """Python calls one version; a kernel that calls it compiles the one without wrappers."""
    pattern = ls.Pattern([1.0], [0], n_channels=1, duration=50.0)
    ls.SRM().respond([2.0], pattern)
    assert simulate.py_func.__name__ == simulate.__name__ == "simulate"
    assert simulate._numba_type_.dispatcher.targetoptions["no_cpython_wrapper"]
    assert "no_cpython_wrapper" not in simulate.wrapped.targetoptions
    assert reset_sum(10.0, np.array([5.0]), 0.1) == pytest.approx(1.0 + np.exp(-0.5))


def test_a_deferred_function_is_compiled_when_called():
    assert jit.deferred(lambda x: x + 1, "int64(int64)")(2) == 3
