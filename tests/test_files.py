"""Saved sets: round trip, and refusal of what is not ours, broken or too new."""

import contextlib
import gzip
import io
import re
import struct
import time
import tracemalloc
import zipfile

import numpy as np
import pytest

import linspike as ls
from linspike import _files
from linspike.datasets.mnist_features import load_filters


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
    _files.save_arrays(path, "linspike.Model", 1, weights=np.ones(3))
    with pytest.raises(ls.FileFormatError, match="is not a linspike.PatternSet file"):
        ls.PatternSet.load(path)


def test_newer_file(tmp_path):
    path = tmp_path / "newer.npz"
    _files.save_arrays(path, "linspike.PatternSet", 99, times=np.arange(3.0))
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
    _files.save_arrays(
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


@pytest.mark.parametrize("size", [10**6, 10**6 + 1])
def test_packed_files_unpack_up_to_their_bound(size):
    packed = gzip.compress(bytes(size))
    if size == 10**6:
        assert _files.unpack_gzip(packed, "x.gz", 10**6, "") == bytes(size)
        return
    with pytest.raises(ls.FileFormatError, match="x.gz unpacks to more than the 1000000 bytes"):
        _files.unpack_gzip(packed, "x.gz", 10**6, "Delete it.")


def test_damage_of_a_packed_file_is_noticed():
    packed = gzip.compress(bytes(1000))
    with pytest.raises(EOFError):
        _files.unpack_gzip(packed[:-3], "x.gz", 10**6, "")
    with pytest.raises(gzip.BadGzipFile):
        _files.unpack_gzip(packed[:-8] + bytes(8), "x.gz", 10**6, "")


def test_a_folder(tmp_path):
    message = f"'{tmp_path}' is a folder, not a linspike.PatternSet file."
    with pytest.raises(ls.FileFormatError, match=re.escape(message)):
        ls.PatternSet.load(tmp_path)
    with pytest.raises(ls.FileFormatError, match="is a folder, not a linspike filters file"):
        load_filters(tmp_path)


def header(shape, descr="<f8", version=(1, 0)):
    """The head of an array of this shape, as NumPy writes it."""
    stream = io.BytesIO()
    about = {"descr": descr, "fortran_order": False, "shape": shape}
    writer = {(1, 0): np.lib.format.write_array_header_1_0}.get(
        version, np.lib.format.write_array_header_2_0
    )
    writer(stream, about)
    return stream.getvalue()


def with_times(saved, tmp_path, *parts, method=zipfile.ZIP_DEFLATED):
    """A saved set whose times are made of these bytes, or of so many zeros."""
    path = tmp_path / "made.npz"
    with zipfile.ZipFile(saved[1]) as old, zipfile.ZipFile(path, "w", method) as new:
        for name in old.namelist():
            if name != "times.npy":
                new.writestr(name, old.read(name))
        with new.open("times.npy", "w", force_zip64=True) as stream:
            for part in parts:
                if isinstance(part, bytes):
                    stream.write(part)
                    continue
                for start in range(0, part, 2**20):
                    stream.write(bytes(min(2**20, part - start)))
    return path


def peak_of(action):
    """Return the bytes that Python and NumPy took at most, and seconds of processor time."""
    started = time.process_time()
    tracemalloc.start()
    try:
        action()
        return tracemalloc.get_traced_memory()[1], time.process_time() - started
    finally:
        tracemalloc.stop()


def refused(path, message):
    def load():
        with pytest.raises(ls.FileFormatError, match=message):
            ls.PatternSet.load(path)

    peak, seconds = peak_of(load)
    assert peak < 20e6
    assert seconds < 1.0


def test_a_small_file_that_would_take_gigabytes(saved, tmp_path):
    count = 2**27 + 1
    path = with_times(saved, tmp_path, header((count,)), 8 * count)
    assert path.stat().st_size < 2e6
    refused(path, r"would take 10\d{8} bytes of memory, more than the 1073741824 allowed")


def test_small_numbers_that_would_become_large_ones(saved, tmp_path):
    count = 2**27 + 1  # a byte each in the file, eight as float64
    path = with_times(saved, tmp_path, header((count,), "|i1"), count)
    refused(path, "would take 1073741832 bytes of memory")


@pytest.mark.parametrize("version", [(1, 0), (2, 0)])
@pytest.mark.parametrize(
    ("shape", "descr", "message"),
    [
        ((2**40,), "<f8", "would take 8796093022208 bytes"),
        ((2**62, 4), "<f8", "would take"),
        ((10**8,), "<f8", "is damaged.*has 800 bytes, which does not fit its shape"),
        ((10**8,), "|V0", "is damaged.*has 800 bytes, which does not fit its shape"),
        ((99,), "<f8", "is damaged.*has 800 bytes, which does not fit its shape"),
        ((-100, -1), "<f8", "is damaged"),
    ],
)
def test_arrays_that_lie_about_their_shape(saved, tmp_path, shape, descr, message, version):
    refused(with_times(saved, tmp_path, header(shape, descr, version), 800), message)


def test_an_endless_header(saved, tmp_path):
    start = b"\x93NUMPY\x02\x00" + (2**31).to_bytes(4, "little")
    refused(with_times(saved, tmp_path, start, 2**28), "is damaged")


def test_a_directory_that_lies_about_sizes(saved, tmp_path):
    count = 100
    path = with_times(saved, tmp_path, header((count,)), 2**28)
    declared, real = len(header((count,))) + 8 * count, len(header((count,))) + 2**28
    content = path.read_bytes()
    path.write_bytes(content.replace(struct.pack("<I", real), struct.pack("<I", declared)))
    refused(path, "is damaged")


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_other_ways_to_pack_are_not_unpacked(saved, tmp_path, method):
    with zipfile.ZipFile(saved[1]) as old, zipfile.ZipFile(tmp_path / "b.npz", "w", method) as new:
        for name in old.namelist():
            new.writestr(name, old.read(name))
    refused(tmp_path / "b.npz", "is damaged.*format is packed by method")


def test_the_limit_can_be_moved(saved, monkeypatch):
    patterns, path = saved
    with pytest.raises(ls.FileFormatError, match=r"more than the 100 allowed.*max_bytes=\d+"):
        ls.PatternSet.load(path, max_bytes=100)
    monkeypatch.setattr(_files, "LEAST_LIMIT", 1)
    assert ls.PatternSet.load(path) == patterns  # by the size of the file
    monkeypatch.setattr(_files, "MOST_PACKED", 0)
    with pytest.raises(ls.FileFormatError, match="more than the 1 allowed"):
        ls.PatternSet.load(path)
    assert ls.PatternSet.load(path, max_bytes=10**6) == patterns
    with pytest.raises(ls.ParameterError, match="'max_bytes' parameter of load must be a whole"):
        ls.PatternSet.load(path, max_bytes=-1)
