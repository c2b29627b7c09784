"""The compiled cache: stamped with all sources, and used by the next process."""

import importlib
import os
import shutil
import subprocess
import sys
import typing
from pathlib import Path

import numpy as np
import pytest
from numba.core import caching, errors

import linspike as ls
from linspike.kernels import jit

COMPILER_OFF = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")

FIRST_SPIKE = """
import numpy as np, linspike as ls
from numba.core import event
class Count(event.Listener):
    compiled = 0
    def on_start(self, event): self.compiled += 1
    def on_end(self, event): pass
count = Count()
event.register("numba:compile", count)
patterns = ls.poisson_patterns(2, n_channels=5, duration=50.0, rate=0.05, rng=0)
neuron = ls.SRM()
weights = np.full((70, 5), 0.8)
weights.flags.writeable = {writeable}
neuron.respond(weights[0], patterns[0])
neuron.respond_many(weights, patterns)
neuron.potential(weights[0], patterns[0], [1.0, 2.0])
neuron.critical_threshold(weights[0], patterns[0], 2)
neuron.design(patterns[0], [3.0])
ls.van_rossum([1.0], [2.0])
print(count.compiled)
"""


def compilations(cache, writeable=True):
    environment = dict(os.environ, LINSPIKE_CACHE_DIR=str(cache), NUMBA_DISABLE_JIT="0")
    done = subprocess.run(
        [sys.executable, "-c", FIRST_SPIKE.format(writeable=writeable)],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return int(done.stdout)


@pytest.fixture(scope="module")
def warm(tmp_path_factory):
    cache = tmp_path_factory.mktemp("cache")
    assert compilations(cache) > 0
    return cache


def test_a_second_process_compiles_nothing(warm):
    assert compilations(warm) == 0


def test_read_only_arrays_compile_nothing_new(warm):
    assert compilations(warm, writeable=False) == 0


def test_numba_still_has_the_names_we_use():
    assert issubclass(jit.StampedLocator, caching._CacheLocator)
    assert caching.CacheImpl._locator_classes[0] is jit.StampedLocator


def test_only_our_own_files_are_stamped(tmp_path, monkeypatch):
    monkeypatch.setenv("LINSPIKE_CACHE_DIR", str(tmp_path))

    def somebody():
        pass

    assert jit.StampedLocator.from_function(somebody, __file__) is None
    ours = jit.StampedLocator.from_function(somebody, jit.__file__)
    assert ours.get_cache_path() == str(tmp_path / "linspike-numba" / jit.STAMP)
    assert ours.get_source_stamp() == jit.STAMP
    assert ours.get_disambiguator().startswith("jit-")


def test_without_a_writable_cache_numba_goes_on_alone(tmp_path, monkeypatch):
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    monkeypatch.setenv("LINSPIKE_CACHE_DIR", str(blocked))
    assert jit.StampedLocator.from_function(lambda: None, jit.__file__) is None


WITHOUT_CACHE = """
import linspike as ls
from linspike.kernels import jit

@jit.kernel
def double(x):
    return 2.0 * x

print(double(4.0), jit.cache_folder(), type(double._cache).__name__)
pattern = ls.Pattern([1.0], [0], n_channels=1, duration=50.0)
print(len(ls.SRM().respond([2.0], pattern)))
"""


@pytest.mark.parametrize("chosen", [True, False])
def test_without_any_cache_all_is_compiled_and_one_line_says_so(tmp_path, chosen):
    """Root may write to any folder, but nobody below a plain file."""
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    nowhere = str(blocked / "below")
    names = ("HOME", "XDG_CACHE_HOME", "LOCALAPPDATA", "NUMBA_CACHE_DIR", "LINSPIKE_CACHE_DIR")
    environment = {**os.environ, **dict.fromkeys(names, nowhere), "NUMBA_DISABLE_JIT": "0"}
    if not chosen:
        del environment["LINSPIKE_CACHE_DIR"]
    script = tmp_path / "kernels.py"
    script.write_text(WITHOUT_CACHE)
    # A package that cannot be written, either: its folders for caches are plain files.
    package = tmp_path / "site" / "linspike"
    shutil.copytree(jit.PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    for folder in [package, *(path for path in package.rglob("*") if path.is_dir())]:
        (folder / "__pycache__").write_text("")
    environment |= {"PYTHONPATH": str(tmp_path / "site"), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, str(script)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["8.0", "None", "NullCache", "2"]
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith(f"linspike: no compiled code can be kept in {nowhere}")
    assert "Name another folder with LINSPIKE_CACHE_DIR." in done.stderr


def test_worker_processes_do_not_say_it_again(tmp_path):
    (tmp_path / "file").write_text("")
    script = (
        "import subprocess, sys\n"
        "from linspike.kernels import jit\n"
        "jit.cache_folder(), jit.cache_folder()\n"
        "again = 'from linspike.kernels import jit; print(jit.cache_folder())'\n"
        "subprocess.run([sys.executable, '-c', again], check=True)\n"
    )
    nowhere = str(tmp_path / "file" / "below")
    environment = dict(os.environ, LINSPIKE_CACHE_DIR=nowhere, NUMBA_DISABLE_JIT="0")
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout == "None\n"
    assert len(done.stderr.splitlines()) == 1


def test_any_edit_changes_the_stamp(tmp_path, monkeypatch):
    for name in ("a.py", "b.py"):
        (tmp_path / name).write_text("x = 1\n")
    monkeypatch.setattr(jit, "COMPILED_FOLDERS", (tmp_path,))
    before = jit.source_stamp()
    assert jit.source_stamp() == before
    (tmp_path / "b.py").write_text("x = 2\n")
    changed = jit.source_stamp()
    assert changed != before
    (tmp_path / "deep" / "deeper").mkdir(parents=True)
    (tmp_path / "deep" / "deeper" / "c.py").write_text("x = 1\n")
    added = jit.source_stamp()
    assert added != changed
    (tmp_path / "deep" / "deeper" / "c.py").write_text("x = 2\n")
    assert jit.source_stamp() != added


def test_old_stamps_are_pruned(tmp_path, monkeypatch):
    monkeypatch.setenv("LINSPIKE_CACHE_DIR", str(tmp_path))
    root = tmp_path / "linspike-numba"
    stale, recent, foreign, mixed = "0" * 16, "1" * 16, "thesis", "2" * 16
    for name in (stale, recent, foreign, mixed, jit.STAMP):
        (root / name).mkdir(parents=True)
    (root / stale / "f.nbi").write_text("")
    (root / mixed / "notes.txt").write_text("keep me")
    (tmp_path / stale).mkdir()
    for folder in [root / name for name in (stale, foreign, mixed, jit.STAMP)] + [tmp_path / stale]:
        os.utime(folder, (0, 0))
    assert jit.prune_cache() == [root / stale]
    left = sorted(p.name for p in root.iterdir())
    assert left == sorted([recent, foreign, mixed, jit.STAMP])
    assert (tmp_path / stale).is_dir()
    monkeypatch.setenv("LINSPIKE_CACHE_DIR", str(tmp_path / "absent"))
    assert jit.prune_cache() == []


def test_an_edited_callee_is_noticed(tmp_path):
    """Numba's own stamp would miss it and return the old result."""
    package = tmp_path / "kernels"
    package.mkdir()
    (package / "caller.py").write_text(
        "from linspike.kernels.jit import kernel\nfrom callee import f\n"
        "@kernel\ndef g(x):\n    return f(x) * 10.0\n"
    )
    script = (
        "import sys; from pathlib import Path; from linspike.kernels import jit;"
        f"jit.COMPILED_FOLDERS = (Path({str(package)!r}),);"
        "jit.STAMP = jit.source_stamp();"
        f"sys.path.insert(0, {str(package)!r}); from caller import g; print(g(1.0))"
    )
    environment = dict(os.environ, LINSPIKE_CACHE_DIR=str(tmp_path), NUMBA_DISABLE_JIT="0")

    def result(factor):
        (package / "callee.py").write_text(
            "from linspike.kernels.jit import kernel\n"
            f"@kernel\ndef f(x):\n    return x * {factor}\n"
        )
        command = [sys.executable, "-c", script]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        return float(done.stdout)

    assert result(2.0) == 20.0
    assert result(3.0) == 30.0
    assert len(list(Path(tmp_path).glob("linspike-numba/*/*.nbc"))) == 4


OWN_RULE = """
import os, sys
import linspike as ls
from linspike.kernels.training.updates import push_and_pull
from numba.core import event
class Count(event.Listener):
    compiled = 0
    def on_start(self, event): self.compiled += 1
    def on_end(self, event): pass
count = Count()
event.register("numba:compile", count)

@ls.rule_step
def step(s, parameters, weights, change, work):
    push_and_pull(s, 0.5, change)
    return 0

print(count.compiled, step._cache._impl.locator.get_source_stamp())
"""


def test_machine_code_of_a_users_rule_ages_with_ours_and_with_its_file(tmp_path):
    environment = dict(os.environ, LINSPIKE_CACHE_DIR=str(tmp_path), NUMBA_DISABLE_JIT="0")
    script = tmp_path / "own.py"

    def run(text):
        script.write_text(text)
        command = [sys.executable, str(script)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        compiled, stamp = done.stdout.split()
        return int(compiled), stamp

    first, stamp = run(OWN_RULE)
    assert first > 0
    assert stamp.startswith(jit.STAMP)
    assert run(OWN_RULE) == (0, stamp)
    again, other = run(OWN_RULE.replace("0.5", "0.25"))
    assert again > 0
    assert other != stamp


def test_a_rule_without_a_file_is_compiled_but_not_kept():
    script = OWN_RULE.replace("step._cache._impl.locator.get_source_stamp()", "type(step).__name__")
    environment = dict(os.environ, NUMBA_DISABLE_JIT="0")
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert int(done.stdout.split()[0]) > 0


def kernel_modules():
    folder = Path(jit.__file__).parent
    for path in sorted(folder.rglob("*.py")):
        name = ".".join(path.relative_to(folder).with_suffix("").parts)
        if path.name != "__init__.py" and "signature" not in name:
            yield importlib.import_module(f"linspike.kernels.{name}")


def borrowing_kernels():
    for module in kernel_modules():
        for value in vars(module).values():
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

    with pytest.raises(errors.NumbaError, match="Failed in nopython mode"):
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
