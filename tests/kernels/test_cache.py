"""The compiled cache: stamped with all sources, and used by the next process."""

import os
import shutil
from pathlib import Path

import pytest
from numba.core import caching
from tests.support.process import FIRST_FIT, LISTEN, children_seconds, run_python

from linspike.kernels import cache

COMPILED = {"NUMBA_DISABLE_JIT": "0"}
FIRST_SPIKE = """
import numpy as np, linspike as ls
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


def compilations(script):
    """Return how many functions a script compiles; the cache is the one of this test run."""
    return int(run_python("-c", LISTEN + script, **COMPILED).stdout)


@pytest.mark.parametrize("script", [FIRST_SPIKE.format(writeable=True), FIRST_FIT])
def test_a_second_process_compiles_nothing_and_starts_at_once(script):
    compilations(script)
    started = children_seconds()
    assert compilations(script) == 0
    assert children_seconds() - started < 6.0  # about one second on a quiet machine


def test_read_only_arrays_compile_nothing_new():
    compilations(FIRST_SPIKE.format(writeable=True))
    assert compilations(FIRST_SPIKE.format(writeable=False)) == 0


def test_numba_still_has_the_names_we_use():
    assert issubclass(cache.OptionalCache, caching.Cache)
    assert hasattr(caching.IndexDataCacheFile, "_data_name")
    assert issubclass(cache.StampedLocator, caching._CacheLocator)
    assert caching.CacheImpl._locator_classes[0] is cache.StampedLocator


@pytest.mark.parametrize("suffix", [".nbi", ".nbc"])
def test_damaged_files_are_compiled_again(tmp_path, suffix):
    def compiled():
        script = LISTEN + "import linspike as ls; print(ls.van_rossum([1], [1]), count.compiled)"
        done = run_python("-c", script, LINSPIKE_CACHE_DIR=str(tmp_path), **COMPILED)
        distance, count = done.stdout.split()
        assert distance == "0.0"
        return int(count)

    assert compiled() > 0
    for path in tmp_path.rglob(f"*{suffix}"):
        path.write_bytes(path.read_bytes()[:40])
    assert compiled() > 0
    assert compiled() == 0


def test_two_processes_never_write_the_same_data_file():
    """Each would count from 1, and the index of one could name the code of the other."""
    files = [cache._UniqueFiles("folder", "function", "stamp") for _ in range(2)]
    assert len({each._data_name(1) for each in files}) == 2


FULL_DISK = """
import errno, os
from linspike.kernels import cache

def full(self, name, data):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

cache._UniqueFiles._save_data = full
import linspike as ls
print(ls.van_rossum([1.0], [1.0]), ls.match_spikes([1.0], [1.0]).paired)
"""


def test_a_full_disk_does_not_stop_the_work(tmp_path):
    environment = {"LINSPIKE_CACHE_DIR": str(tmp_path), "LINSPIKE_QUIET": "", **COMPILED}
    done = run_python("-c", FULL_DISK, **environment)
    assert done.stdout == "0.0 1\n"
    compiling, full = done.stderr.splitlines()
    assert compiling.startswith("linspike: compiling for this machine, once")
    assert full.startswith(f"linspike: compiled code cannot be kept in {tmp_path}")
    assert "(No space left on device)" in full
    assert full.endswith("name another folder with LINSPIKE_CACHE_DIR.")


def test_only_our_own_files_are_stamped(tmp_path, monkeypatch):
    monkeypatch.setenv("LINSPIKE_CACHE_DIR", str(tmp_path))

    def somebody():
        pass

    assert cache.StampedLocator.from_function(somebody, __file__) is None
    ours = cache.StampedLocator.from_function(somebody, cache.__file__)
    assert ours.get_cache_path() == str(tmp_path / "linspike-numba" / cache.STAMP)
    assert ours.get_source_stamp() == cache.STAMP
    assert ours.get_disambiguator().startswith("cache-")


def test_without_a_writable_cache_numba_goes_on_alone(tmp_path, monkeypatch):
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    monkeypatch.setenv("LINSPIKE_CACHE_DIR", str(blocked))
    assert cache.StampedLocator.from_function(lambda: None, cache.__file__) is None


WITHOUT_CACHE = """
import linspike as ls
from linspike.kernels import cache, jit

@jit.kernel
def double(x):
    return 2.0 * x

print(double(4.0), cache.cache_folder(), type(double.wrapped._cache).__name__)
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
    environment = {**dict.fromkeys(names, nowhere), **COMPILED, "LINSPIKE_QUIET": ""}
    if not chosen:
        environment["LINSPIKE_CACHE_DIR"] = ""
    script = tmp_path / "kernels.py"
    script.write_text(WITHOUT_CACHE)
    # A package that cannot be written, either: its folders for caches are plain files.
    package = tmp_path / "site" / "linspike"
    shutil.copytree(cache.PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    for folder in [package, *(path for path in package.rglob("*") if path.is_dir())]:
        (folder / "__pycache__").write_text("")
    environment |= {"PYTHONPATH": str(tmp_path / "site"), "PYTHONDONTWRITEBYTECODE": "1"}
    done = run_python(script, **environment)
    assert done.stdout.split() == ["8.0", "None", "NullCache", "2"]
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith(f"linspike: no compiled code can be kept in {nowhere}")
    assert "Name another folder with LINSPIKE_CACHE_DIR." in done.stderr


def test_any_edit_changes_the_stamp(tmp_path, monkeypatch):
    for name in ("a.py", "b.py"):
        (tmp_path / name).write_text("x = 1\n")
    monkeypatch.setattr(cache, "COMPILED_FOLDERS", (tmp_path,))
    before = cache.source_stamp()
    assert cache.source_stamp() == before
    (tmp_path / "b.py").write_text("x = 2\n")
    changed = cache.source_stamp()
    assert changed != before
    (tmp_path / "deep" / "deeper").mkdir(parents=True)
    (tmp_path / "deep" / "deeper" / "c.py").write_text("x = 1\n")
    added = cache.source_stamp()
    assert added != changed
    (tmp_path / "deep" / "deeper" / "c.py").write_text("x = 2\n")
    assert cache.source_stamp() != added


def test_old_stamps_are_pruned(tmp_path, monkeypatch):
    monkeypatch.setenv("LINSPIKE_CACHE_DIR", str(tmp_path))
    root = tmp_path / "linspike-numba"
    stale, recent, foreign, mixed = "0" * 16, "1" * 16, "thesis", "2" * 16
    for name in (stale, recent, foreign, mixed, cache.STAMP):
        (root / name).mkdir(parents=True)
    (root / stale / "f.nbi").write_text("")
    (root / mixed / "notes.txt").write_text("keep me")
    (tmp_path / stale).mkdir()
    for folder in [root / name for name in (stale, foreign, mixed, cache.STAMP)] + [
        tmp_path / stale
    ]:
        os.utime(folder, (0, 0))
    assert cache.prune_cache() == [root / stale]
    left = sorted(p.name for p in root.iterdir())
    assert left == sorted([recent, foreign, mixed, cache.STAMP])
    assert (tmp_path / stale).is_dir()
    monkeypatch.setenv("LINSPIKE_CACHE_DIR", str(tmp_path / "absent"))
    assert cache.prune_cache() == []


def test_an_edited_callee_is_noticed(tmp_path):
    """Numba's own stamp would miss it and return the old result."""
    package = tmp_path / "kernels"
    package.mkdir()
    (package / "caller.py").write_text(
        "from linspike.kernels.jit import kernel\nfrom callee import f\n"
        "@kernel\ndef g(x):\n    return f(x) * 10.0\n"
    )
    script = (
        "import sys; from pathlib import Path; from linspike.kernels import cache;"
        f"cache.COMPILED_FOLDERS = (Path({str(package)!r}),);"
        "cache.STAMP = cache.source_stamp();"
        f"sys.path.insert(0, {str(package)!r}); from caller import g; print(g(1.0), count.compiled)"
    )

    def result(factor):
        (package / "callee.py").write_text(
            "from linspike.kernels.jit import kernel\n"
            f"@kernel\ndef f(x):\n    return x * {factor}\n"
        )
        done = run_python("-c", LISTEN + script, LINSPIKE_CACHE_DIR=str(tmp_path), **COMPILED)
        value, compiled = done.stdout.split()
        return float(value), int(compiled)

    assert result(2.0) == (20.0, 2)
    assert result(2.0) == (20.0, 0)
    assert result(3.0) == (30.0, 2)
    assert len(list(Path(tmp_path).glob("linspike-numba/*/*.nbc"))) == 4


OWN_RULE = """
import linspike as ls
from linspike.kernels.training.signatures import load_step

@ls.rule_step
def step(s, parameters, weights, change, work):
    change[0] += 0.5
    return 0

load_step(step)
print(count.compiled, {shown})
"""


def test_machine_code_of_a_users_rule_ages_with_ours_and_with_its_file(tmp_path):
    script = tmp_path / "own.py"
    text = LISTEN + OWN_RULE.format(shown="step._cache._impl.locator.get_source_stamp()")

    def run(text):
        script.write_text(text)
        done = run_python(script, LINSPIKE_CACHE_DIR=str(tmp_path), **COMPILED)
        compiled, stamp = done.stdout.split()
        return int(compiled), stamp

    first, stamp = run(text)
    assert first == 1
    assert stamp.startswith(cache.STAMP)
    assert run(text) == (0, stamp)
    again, other = run(text.replace("0.5", "0.25"))
    assert again == 1
    assert other != stamp


def test_a_rule_without_a_file_is_compiled_but_not_kept():
    script = LISTEN + OWN_RULE.format(shown="type(step._cache).__name__")
    done = run_python("-c", script, **COMPILED)
    assert done.stdout.split() == ["1", "NullCache"]
