"""Saved targets: the same to the last bit, and refusal of what is not ours, broken or too new."""

import contextlib
import math
import zipfile

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import linspike as ls
from linspike import _files
from linspike.spikes.targets import TRAIN_BYTES, load_targets

TIMES = ls.SpikeTimes([[12.0, 30.5], ls.SpikeTrain([], 50.0), [0.1 + 0.2]])
COUNTS = ls.SpikeCounts([1, 0, 3])
KINDS = {"linspike.SpikeTimes": TIMES, "linspike.SpikeCounts": COUNTS}
each_kind = pytest.mark.parametrize("kind", KINDS)
same_folder = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


@st.composite
def trains(draw):
    """Trains with repeated, tiny and huge times and -0.0; with a duration, and cut off, or not."""
    time = st.one_of(st.sampled_from([0.0, -0.0, 5e-324, 1.0]), st.floats(0.0, 1.7e308))
    times = sorted(draw(st.lists(time, max_size=6)))
    duration = draw(st.sampled_from([math.inf, *times[-1:], 1.75e308]))
    return ls.SpikeTrain(times, duration, truncated=draw(st.booleans()))


@pytest.fixture(params=KINDS)
def saved(request, tmp_path):
    path = tmp_path / "targets.npz"
    KINDS[request.param].save(path)
    return request.param, KINDS[request.param], path


@same_folder
@given(st.lists(trains(), min_size=1, max_size=5))
def test_times_come_back_to_the_last_bit(tmp_path, listed):
    path = tmp_path / "times.npz"
    ls.SpikeTimes(listed).save(path)
    for found in (ls.SpikeTimes.load(path), load_targets(path)):
        assert isinstance(found, ls.SpikeTimes)
        assert found.counts.tolist() == [len(train) for train in listed]
        for before, after in zip(listed, found, strict=True):
            assert after.times.tobytes() == before.times.tobytes()
            assert (after.duration, after.truncated) == (before.duration, before.truncated)


@same_folder
@given(st.lists(st.integers(0, 2**63 - 1), min_size=1, max_size=9))
def test_counts_come_back(tmp_path, listed):
    path = tmp_path / "counts.npz"
    ls.SpikeCounts(listed).save(path)
    for found in (ls.SpikeCounts.load(str(path)), load_targets(str(path))):
        assert isinstance(found, ls.SpikeCounts)
        assert found.counts.tolist() == listed


def test_what_was_loaded_can_be_saved_again(saved, tmp_path):
    _, targets, path = saved
    load_targets(path).save(tmp_path / "again.npz")
    assert load_targets(tmp_path / "again.npz") == targets


def test_a_failed_write_leaves_the_old_file(saved, monkeypatch):
    _, targets, path = saved
    before = path.read_bytes()

    def full_disk(*args, **kwargs):
        raise OSError("No space left on device")

    monkeypatch.setattr(np, "savez_compressed", full_disk)
    with pytest.raises(OSError, match="No space left"):
        targets.save(path)
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def refused(kind, path, message):
    """Both functions refuse a file; what cannot be named is no file of targets."""
    with pytest.raises(ls.FileFormatError, match=message):
        type(KINDS[kind]).load(path)
    with pytest.raises(ls.FileFormatError, match=f"{message}|holds no targets: it is neither a"):
        load_targets(path)


@each_kind
def test_files_that_hold_no_targets(kind, tmp_path):
    path = tmp_path / "other.npz"
    path.write_text("not targets")
    refused(kind, path, f"other.npz' is not a {kind} file")
    np.savez(path, times=np.arange(3.0))
    refused(kind, path, f"other.npz' is not a {kind} file")
    ls.poisson_patterns(1, n_channels=1, duration=5.0, rate=0.1, rng=0).save(path)
    refused(kind, path, f"other.npz' is not a {kind} file")
    refused(kind, tmp_path, "is a folder, not a")
    message = "neither a linspike.SpikeTimes nor a linspike.SpikeCounts file"
    with pytest.raises(ls.FileFormatError, match=rf"other.npz' holds no targets: .*{message}\.$"):
        load_targets(path)
    for load in (type(KINDS[kind]).load, load_targets):
        with pytest.raises(FileNotFoundError):
            load(tmp_path / "nothing.npz")


def test_each_class_refuses_the_other_kind(saved):
    kind, _, path = saved
    (other,) = set(KINDS) - {kind}
    with pytest.raises(ls.FileFormatError, match=f"is not a {other} file"):
        type(KINDS[other]).load(path)
    with pytest.raises(ls.FileFormatError, match=r"is not a linspike.PatternSet file"):
        ls.PatternSet.load(path)


@each_kind
def test_newer_file(kind, tmp_path):
    path = tmp_path / "newer.npz"
    _files.save_arrays(path, kind, 99, counts=np.arange(3))
    refused(kind, path, r"newer linspike \(format 99.*Update linspike")


@pytest.mark.parametrize("keep", [0.3, 0.6, 0.9])
def test_truncated_file(saved, keep):
    kind, _, path = saved
    content = path.read_bytes()
    path.write_bytes(content[: int(keep * len(content))])
    refused(kind, path, "is not a|is damaged")


def test_random_damage_never_gets_through(saved):
    _, targets, path = saved
    content = path.read_bytes()
    rng = np.random.default_rng(0)
    for _ in range(200):
        broken = bytearray(content)
        start = int(rng.integers(len(broken)))
        if rng.random() < 0.5:
            del broken[start : start + int(rng.integers(1, 40))]
        else:
            broken[start : start + 8] = rng.bytes(8)
        path.write_bytes(broken)
        with contextlib.suppress(ls.FileFormatError):
            assert load_targets(path) == targets  # a byte that does not matter


def test_missing_part(saved):
    kind, _, path = saved
    with zipfile.ZipFile(path) as old:
        parts = {name: old.read(name) for name in old.namelist()}
    for missing in set(parts) - {"format.npy", "version.npy"}:
        with zipfile.ZipFile(path, "w") as new:
            for name, content in parts.items():
                if name != missing:
                    new.writestr(name, content)
        refused(kind, path, "is damaged")


GOOD = {
    "times": np.array([1.0, 2.0, 0.5]),
    "offsets": np.array([0, 2, 3]),
    "durations": np.array([5.0, math.inf]),
    "truncated": np.array([False, True]),
}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"times": np.array([2.0, 1.0, 0.5])}, "ascending"),
        ({"times": np.array([1.0, np.nan, 0.5])}, "must be finite"),
        ({"times": np.array([[1.0, 2.0, 0.5]])}, "1-D array"),
        ({"times": np.array(["1", "2", "3"])}, "1-D array"),
        ({"times": np.array(1.0), "offsets": np.array([0, 0, 1])}, "dimension|indices"),
        ({"offsets": np.array([0, 2, 4])}, "ascending from 0 to the number of spikes"),
        ({"offsets": np.array([0, 3, 2, 3])}, "ascending from 0 to the number of spikes"),
        ({"offsets": np.array([0.0, 2.0, 3.0])}, "1-D array of integers"),
        ({"offsets": np.array([0])}, "bounds of at least one"),
        ({"durations": np.array([1.5, math.inf])}, "at most the duration"),
        ({"durations": np.array([5.0])}, "zip"),
        ({"durations": np.array(5.0)}, "float"),
        ({"truncated": np.array([False])}, "zip"),
        ({"truncated": np.array(["False", "True"])}, "cast"),
        ({"times": np.array([{}, 1, 2], dtype=object)}, "allow_pickle"),
    ],
)
def test_times_that_do_not_fit_together(changes, message, tmp_path):
    path = tmp_path / "odd.npz"
    _files.save_arrays(path, "linspike.SpikeTimes", 1, **GOOD)
    assert ls.SpikeTimes.load(path).counts.tolist() == [2, 1]
    _files.save_arrays(path, "linspike.SpikeTimes", 1, **(GOOD | changes))
    refused("linspike.SpikeTimes", path, f"is damaged and cannot be read .*({message})")


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        (np.array([1, -1]), "at least 0"),
        (np.array([1.0, 2.0]), "1-D array of integers"),
        (np.array([[1, 2]]), "1-D array of integers"),
        (np.array([], dtype=int), "at least one count"),
    ],
)
def test_counts_that_make_no_sense(counts, message, tmp_path):
    path = tmp_path / "odd.npz"
    _files.save_arrays(path, "linspike.SpikeCounts", 1, counts=counts)
    refused("linspike.SpikeCounts", path, f"is damaged and cannot be read .*{message}")


def test_a_small_file_that_would_take_gigabytes(tmp_path):
    """Counts take what their array takes; each train is an object besides."""
    path = tmp_path / "large.npz"
    count = 2**27 + 1
    _files.save_arrays(path, "linspike.SpikeCounts", 1, counts=np.zeros(count, "|i1"))
    refused("linspike.SpikeCounts", path, "would take 1073741832 bytes of memory")
    count = 2**30 // TRAIN_BYTES
    many = {"offsets": np.zeros(count + 1, int), "durations": np.zeros(count)}
    parts = many | {"times": np.array([]), "truncated": np.zeros(count, bool)}
    _files.save_arrays(path, "linspike.SpikeTimes", 1, **parts)
    assert path.stat().st_size < 1e6
    needed = (count + 1) * TRAIN_BYTES
    refused("linspike.SpikeTimes", path, f"would take {needed} bytes of memory")


def test_the_limit_can_be_moved(saved, monkeypatch):
    _, targets, path = saved
    for load in (type(targets).load, load_targets):
        with pytest.raises(ls.FileFormatError, match=r"more than the 100 allowed.*max_bytes=\d+"):
            load(path, max_bytes=100)
        assert load(path, max_bytes=10**6) == targets
        with pytest.raises(
            ls.ParameterError, match="'max_bytes' parameter of load must be a whole"
        ):
            load(path, max_bytes=-1)
