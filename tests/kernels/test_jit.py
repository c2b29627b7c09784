"""Compilation on first use, and the one line that says so."""

import os
import subprocess
import sys
import threading
import time

import pytest

from linspike.kernels import jit
from linspike.kernels.cache import cache_folder

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
    environment = dict(os.environ, LINSPIKE_CACHE_DIR=str(folder), NUMBA_DISABLE_JIT="0")
    environment["LINSPIKE_QUIET"] = quiet
    command = [sys.executable, *map(str, command)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True)


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


def test_other_errors_than_a_missing_file_are_raised(monkeypatch):
    def broken(function):
        raise RuntimeError("something else")

    monkeypatch.setattr(jit, "OptionalCache", broken)
    if not hasattr(jit.numba.njit(abs_of), "py_func"):
        pytest.skip("compilation is switched off")
    with pytest.raises(RuntimeError, match="something else"):
        jit.compiled(abs_of)


def abs_of(x):
    return abs(x)
