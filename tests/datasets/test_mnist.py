"""MNIST in a folder: where it is looked for, and what is refused."""

import gzip
import os

import numpy as np
import pytest
from tests.support import small_mnist

from linspike.cli.doctor import examine
from linspike.datasets import load_mnist, mnist_missing
from linspike.datasets.mnist import FOLDER, IMAGES, LABELS, folder_of, read_idx
from linspike.errors import DataError, FileFormatError, ParameterError

NAMED = os.environ.get(FOLDER)  # before a fixture takes it away
AGAIN = "Delete it and run `linspike data mnist` again"
PICTURES, DIGITS = "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"


@pytest.fixture(autouse=True)
def published(monkeypatch):
    small_mnist.install(monkeypatch)


@pytest.fixture
def folder(tmp_path):
    return small_mnist.write(tmp_path / "mnist", small_mnist.packed())


@pytest.mark.parametrize("files", [small_mnist.packed, small_mnist.contents])
@pytest.mark.parametrize(("part", "count"), [("train", 20), ("test", 10)])
def test_both_parts_packed_and_unpacked(tmp_path, files, part, count):
    small_mnist.write(tmp_path, files())
    images, digits = load_mnist(part, data_dir=tmp_path)
    stem = "train" if part == "train" else "t10k"
    raw = small_mnist.contents()[f"{stem}-images-idx3-ubyte"]
    assert images.shape == (count, 28, 28)
    assert images.tobytes() == raw[16:]
    assert digits.dtype == np.int64
    assert digits.tolist() == list(small_mnist.contents()[f"{stem}-labels-idx1-ubyte"][8:])


def test_named_folders_may_hold_a_subfolder(folder, monkeypatch):
    assert folder_of(folder) == folder_of(folder.parent) == folder
    monkeypatch.setenv(FOLDER, str(folder.parent))
    assert folder_of() == folder
    assert mnist_missing() == ""
    assert len(load_mnist("test").digits) == 10
    monkeypatch.setenv(FOLDER, str(folder))
    assert folder_of() == folder
    assert folder_of(folder / "other") == folder / "other" / "mnist"


def test_unless_named_the_folder_is_the_users_cache(monkeypatch, tmp_path):
    monkeypatch.setenv(FOLDER, "")
    monkeypatch.setattr("platformdirs.user_cache_path", lambda name: tmp_path / name)
    assert folder_of() == tmp_path / "linspike" / "mnist"


def test_absent_data(tmp_path, folder):
    with pytest.raises(
        DataError,
        match="MNIST is not there: .*lacks train-images-idx3-ubyte.gz; `linspike data mnist` fetches",
    ):
        load_mnist(data_dir=tmp_path / "nowhere")
    (folder / f"{DIGITS}.gz").unlink()
    assert f"lacks {DIGITS}.gz" in mnist_missing(folder)


def test_unknown_part():
    with pytest.raises(
        ParameterError,
        match="The 'part' parameter of load_mnist must be 'train' or 'test'. Got 'tests' instead.",
    ):
        load_mnist("tests")


@pytest.mark.parametrize(
    ("name", "array", "magic", "message"),
    [
        (PICTURES, np.zeros((10, 27, 28)), IMAGES, "must hold images of 28 by 28. Got 27 by 28 instead. " + AGAIN),
        (PICTURES, np.zeros((9, 28, 28)), IMAGES, "must hold 10 images. Got 9 instead. " + AGAIN),
        (PICTURES, np.zeros(10), LABELS, f"{PICTURES}.* is not an idx file of bytes in 3 dimensions. " + AGAIN),
        (DIGITS, np.arange(9), LABELS, "must hold 10 labels, one for each image. Got 9 instead. " + AGAIN),
        (DIGITS, np.arange(3, 13), LABELS, "must hold labels of 0 to 9. Got 10 for image 7 instead. " + AGAIN),
        (DIGITS, np.zeros((10, 1, 1)), IMAGES, f"{DIGITS}.* is not an idx file of bytes in 1 dimensions. " + AGAIN),
        (DIGITS, np.zeros(10), LABELS, "not the published file: its SHA-256 must be .* Got .* instead. " + AGAIN),
    ],
)  # fmt: skip
@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_wrong_files_are_refused(tmp_path, name, array, magic, message, suffix):
    files = small_mnist.packed() if suffix else small_mnist.contents()
    raw = small_mnist.idx(array, magic)
    small_mnist.write(tmp_path, {**files, name + suffix: gzip.compress(raw) if suffix else raw})
    with pytest.raises(FileFormatError, match=message):
        load_mnist("test", data_dir=tmp_path)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda raw: raw[:-5], "is cut off: its head announces 7840 bytes, 7835 follow. " + AGAIN),
        (lambda raw: raw + b"x", "does not end where it should: its head announces 7840 bytes, 7841 follow"),
        (lambda raw: raw[:3], "is not an idx file of bytes in 3 dimensions"),
        (lambda raw: raw[:10], "is not an idx file of bytes in 3 dimensions"),
        (lambda raw: b"", "is not an idx file"),
        (lambda raw: b"<html>not found</html>", "is not an idx file"),
        (lambda raw: raw[:4] + b"\xff" * 12 + raw[16:], "is cut off: its head announces 79228162458924105385300197375 bytes"),
    ],
)  # fmt: skip
def test_damaged_idx_files(tmp_path, damage, message):
    path = tmp_path / PICTURES
    path.write_bytes(damage(small_mnist.contents()[PICTURES]))
    with pytest.raises(FileFormatError, match=message):
        read_idx(path, IMAGES)


def flipped(packed):
    return packed[:40] + bytes(255 - byte for byte in packed[40:80]) + packed[80:]


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (lambda packed: packed[:-100], "ended before the end-of-stream marker"),
        (lambda packed: b"PK" + packed, "Not a gzipped file"),
        (flipped, ""),
        (lambda packed: packed[:-8] + b"\0" * 8, "CRC check failed"),
    ],
)
def test_damaged_gzip(folder, damage, reason):
    path = folder / f"{PICTURES}.gz"
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(
        FileFormatError, match=f"is damaged and cannot be unpacked .*{reason}.*{AGAIN}"
    ):
        load_mnist("test", data_dir=folder)


def test_a_file_that_may_not_be_read(monkeypatch, folder):
    def forbidden(path):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.read_bytes", forbidden)
    with pytest.raises(DataError, match="images-idx3-ubyte.gz cannot be read: Permission denied."):
        load_mnist(data_dir=folder)


def test_the_doctor_says_where_they_are(tmp_path, monkeypatch):
    monkeypatch.setenv(FOLDER, str(tmp_path))
    found = {finding.name: finding for finding in examine()}
    assert found["MNIST"].value == "absent (linspike data mnist)"
    assert found["MNIST"].ok is None
    folder = small_mnist.write(tmp_path / "mnist", small_mnist.packed())
    found = {finding.name: finding for finding in examine()}
    assert found["MNIST"].value == str(folder)


@pytest.mark.skipif(not NAMED, reason=f"${FOLDER} is not set")
def test_the_real_digits(monkeypatch):
    monkeypatch.undo()
    if mnist_missing():
        pytest.skip(mnist_missing())
    test = load_mnist("test")
    counts = [980, 1135, 1032, 1010, 982, 892, 958, 1028, 974, 1009]
    assert np.bincount(test.digits).tolist() == counts
    assert test.digits[:5].tolist() == [7, 2, 1, 0, 4]
    assert load_mnist("train").images.shape == (60_000, 28, 28)
