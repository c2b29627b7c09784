"""Saved sets: round trip, and refusal of what is not ours, broken or too new."""

import contextlib
import zipfile

import numpy as np
import pytest

import linspike as ls
from linspike.spikes import files


@pytest.fixture
def saved(tmp_path):
    patterns = ls.poisson_patterns(5, n_channels=7, duration=50.0, rate=0.1, rng=0)
    path = tmp_path / "set.npz"
    patterns.save(path)
    return patterns, path


def test_round_trip(saved):
    patterns, path = saved
    assert ls.PatternSet.load(path) == patterns
    assert ls.PatternSet.load(str(path)) == patterns


def test_the_name_is_kept_as_given(tmp_path):
    path = tmp_path / "no_ending"
    ls.poisson_patterns(1, n_channels=1, duration=5.0, rate=0.1, rng=0).save(path)
    assert [entry.name for entry in tmp_path.iterdir()] == ["no_ending"]


def test_a_failed_write_leaves_the_old_file(saved, monkeypatch):
    patterns, path = saved
    before = path.read_bytes()

    def full_disk(*args, **kwargs):
        raise OSError("No space left on device")

    monkeypatch.setattr(np, "savez_compressed", full_disk)
    with pytest.raises(OSError, match="No space left"):
        patterns.save(path)
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def test_missing_file(tmp_path):
    with pytest.raises(FileNotFoundError):
        ls.PatternSet.load(tmp_path / "nothing.npz")


def test_not_an_npz_file(tmp_path):
    path = tmp_path / "text.npz"
    path.write_text("not spikes")
    with pytest.raises(ls.FileFormatError, match=r"text.npz' is not a linspike.PatternSet file"):
        ls.PatternSet.load(path)


def test_another_npz_file(tmp_path):
    path = tmp_path / "other.npz"
    np.savez(path, times=np.arange(3.0))
    with pytest.raises(ls.FileFormatError, match="is not a linspike.PatternSet file"):
        ls.PatternSet.load(path)


def test_file_of_another_kind(tmp_path):
    path = tmp_path / "model.npz"
    files.save_arrays(path, "linspike.Model", 1, weights=np.ones(3))
    with pytest.raises(ls.FileFormatError, match="is not a linspike.PatternSet file"):
        ls.PatternSet.load(path)


def test_newer_file(tmp_path):
    path = tmp_path / "newer.npz"
    files.save_arrays(path, "linspike.PatternSet", 99, times=np.arange(3.0))
    with pytest.raises(ls.FileFormatError, match=r"newer linspike \(format 99.*Update linspike"):
        ls.PatternSet.load(path)


@pytest.mark.parametrize("keep", [0.3, 0.6, 0.9])
def test_truncated_file(saved, keep):
    _, path = saved
    content = path.read_bytes()
    path.write_bytes(content[: int(keep * len(content))])
    with pytest.raises(ls.FileFormatError, match="is not a|is damaged"):
        ls.PatternSet.load(path)


def test_flipped_bytes(saved):
    _, path = saved
    content = bytearray(path.read_bytes())
    start = content.index(b"times.npy") + 60
    content[start : start + 20] = bytes(20)
    path.write_bytes(content)
    with pytest.raises(ls.FileFormatError, match="is damaged and cannot be read"):
        ls.PatternSet.load(path)


def test_random_damage_never_gets_through(saved):
    patterns, path = saved
    content = path.read_bytes()
    rng = np.random.default_rng(0)
    for _ in range(300):
        broken = bytearray(content)
        start = int(rng.integers(len(broken)))
        if rng.random() < 0.5:
            del broken[start : start + int(rng.integers(1, 40))]
        else:
            broken[start : start + 8] = rng.bytes(8)
        path.write_bytes(broken)
        with contextlib.suppress(ls.FileFormatError):
            assert ls.PatternSet.load(path) == patterns  # a byte that does not matter


def test_unwritable_folder_names_the_target(tmp_path):
    patterns = ls.poisson_patterns(1, n_channels=1, duration=5.0, rate=0.1, rng=0)
    with pytest.raises(OSError, match="absent/set.npz"):
        patterns.save(tmp_path / "absent" / "set.npz")


def test_missing_part(saved):
    _, path = saved
    thinner = path.with_name("thin.npz")
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(thinner, "w") as new:
        for name in old.namelist():
            if name != "offsets.npy":
                new.writestr(name, old.read(name))
    with pytest.raises(ls.FileFormatError, match="is damaged"):
        ls.PatternSet.load(thinner)


def test_inconsistent_content(tmp_path):
    path = tmp_path / "odd.npz"
    files.save_arrays(
        path,
        "linspike.PatternSet",
        1,
        times=np.array([2.0, 1.0]),
        channels=np.array([0, 0]),
        offsets=np.array([0, 2]),
        durations=np.array([5.0]),
        n_channels=np.int64(1),
    )
    with pytest.raises(ls.FileFormatError, match="is damaged.*ascending"):
        ls.PatternSet.load(path)


def test_objects_are_never_unpickled(tmp_path):
    path = tmp_path / "pickled.npz"
    parts = {"format": np.str_("linspike.PatternSet"), "version": np.int64(1)}
    np.savez(path, **parts, times=np.array([{"a": 1}], dtype=object))
    with pytest.raises(ls.FileFormatError, match="is damaged.*allow_pickle"):
        ls.PatternSet.load(path)
