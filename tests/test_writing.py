"""The one way to write a file: whole or not at all, with nothing left behind."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import linspike as ls
from linspike import _files
from linspike.cli import output
from linspike.io import scripts
from linspike.paper.report import figures as draw
from linspike.paper.report import html as page

PATTERNS = ls.poisson_patterns(40, n_channels=7, duration=500.0, rate=0.1, rng=0)


def figure():
    from matplotlib.figure import Figure

    return Figure(figsize=(2.0, 2.0))


WRITERS = {
    "set.npz": PATTERNS.save,
    "times.npz": ls.SpikeTimes(np.random.default_rng(0).random((9, 1))).save,
    "counts.npz": ls.SpikeCounts(np.arange(99)).save,
    "model.npz": ls.Model(ls.SRM(), np.random.default_rng(0).random((9, 99))).save,
    "text.csv": lambda path: output.write_text(path, "text" * 5000),
    "page.html": lambda path: page.write_report(path, [], {"about": "page" * 5000}),
    "figure.png": lambda path: draw.save_figure(figure(), path.parent, "figure", ["png"]),
    "model.nir": lambda path: ls.to_nir(ls.Model(ls.SRM(), [[0.5, 0.2]]), path),
    "set.nir": lambda path: ls.to_nir_data(PATTERNS, path),
    "run.py": lambda path: scripts.write_script(ls.Model(ls.SRM(), [[0.5, 0.2]]), path, "nest"),
    "bytes": lambda path: _files.write_whole(path, b"bytes" * 5000),
}
every_writer = pytest.mark.parametrize("name", WRITERS)


class FullDisk:
    """A stream on a disk without room: the file is made, but takes nothing."""

    def __init__(self, *arguments):
        self._stream = open(*arguments)  # noqa: SIM115

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self._stream.close()

    def write(self, data):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def __getattr__(self, name):
        return getattr(self._stream, name)


@every_writer
def test_a_full_disk_leaves_the_old_file_and_nothing_else(name, tmp_path, monkeypatch):
    path = tmp_path / name
    path.write_text("old")
    monkeypatch.setattr(_files, "open", FullDisk, raising=False)
    with pytest.raises((OSError, ls.LinspikeError), match="No space left on device"):
        WRITERS[name](path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.fixture
def small_disk(tmp_path):
    """A file system of 64 kB with a few bytes left; needs root."""
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)]
    try:
        mounted = subprocess.run(command, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        mounted = False
    if not mounted:
        pytest.skip("no small file system can be mounted")
    (folder / "filler").write_bytes(bytes(60 * 1024))
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


@pytest.mark.skipif(sys.platform != "linux", reason="tmpfs")
@pytest.mark.parametrize("name", ["set.npz", "text.csv", "page.html", "bytes"])
def test_a_disk_that_is_really_full(name, small_disk):
    with pytest.raises((OSError, ls.LinspikeError), match="No space left on device"):
        WRITERS[name](small_disk / name)
    assert [path.name for path in small_disk.iterdir()] == ["filler"]


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_any_error_leaves_nothing_behind(error, tmp_path):
    def half():
        with _files.replacing(tmp_path / "file") as stream:
            stream.write(b"half")
            raise error

    with pytest.raises(error):
        half()
    assert not list(tmp_path.iterdir())


def test_a_failed_move_leaves_nothing_behind(tmp_path, monkeypatch):
    def refuse(*names):
        raise OSError(errno.EXDEV, os.strerror(errno.EXDEV))

    monkeypatch.setattr(_files.os, "replace", refuse)
    with pytest.raises(OSError, match="link.*file"):
        _files.write_whole(tmp_path / "file", b"x")
    assert not list(tmp_path.iterdir())


def test_links_stay_links_and_rights_stay(tmp_path):
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_text("old")
    real.chmod(0o640)
    link.symlink_to(real)
    _files.write_whole(link, b"new")
    assert link.is_symlink()
    assert real.read_text() == "new"
    assert real.stat().st_mode & 0o777 == 0o640
    assert sorted(tmp_path.iterdir()) == [link, real]


def test_devices_and_folders_are_not_replaced(tmp_path):
    for path in (Path(os.devnull), tmp_path):
        with pytest.raises(OSError, match="it is not a plain file"):
            _files.write_whole(path, b"x")
    assert not list(tmp_path.iterdir())


def test_the_longest_name_can_be_written(tmp_path):
    path = tmp_path / ("x" * 255)
    _files.write_whole(path, b"x")
    assert list(tmp_path.iterdir()) == [path]
