"""The MNIST digits: found in a folder, verified, and read with care."""

from __future__ import annotations

import gzip
import hashlib
import math
import os
import zlib
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import platformdirs

from linspike._files import unpack_gzip
from linspike.errors import DataError, FileFormatError, ParameterError

FOLDER = "LINSPIKE_DATA_DIR"
NAME = "mnist"
SIDE = 28
MAX_UNPACKED = 16 + 60_000 * SIDE * SIDE  # bytes of the largest of the files
PARTS = {"train": ("train", 60_000), "test": ("t10k", 10_000)}
IMAGES, LABELS = 2051, 2049  # the magic numbers of the two kinds of idx file
# SHA-256 of the four files as they are published, and of what is in them.
FILES = {
    f"{name}-ubyte.gz": digest
    for name, digest in {
        "train-images-idx3": "440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609",
        "train-labels-idx1": "3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c",
        "t10k-images-idx3": "8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6",
        "t10k-labels-idx1": "f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6",
    }.items()
}
UNPACKED = {
    "train-images-idx3-ubyte": "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db",
    "train-labels-idx1-ubyte": "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5",
    "t10k-images-idx3-ubyte": "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7",
    "t10k-labels-idx1-ubyte": "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2",
}
REMEDY = "Delete it and run `linspike data mnist` again."

Bytes = npt.NDArray[np.uint8]
Folder = str | os.PathLike[str] | None


class Images(NamedTuple):
    """Images (n, 28, 28) of 0 to 255, and the digits they show."""

    images: Bytes
    digits: npt.NDArray[np.int64]


def folder_of(data_dir: Folder = None) -> Path:
    """Return the folder of the files: as asked, as the environment says, or the user's cache.

    A folder that is named may hold the files itself; else they belong into its subfolder `mnist`.
    """
    named = os.environ.get(FOLDER) if data_dir is None else data_dir
    if not named:
        return platformdirs.user_cache_path("linspike") / NAME
    folder = Path(named).expanduser()
    return folder if any(found(folder, name) for name in FILES) else folder / NAME


def found(folder: Path, name: str) -> Path | None:
    """Return the file, compressed or not, if it is there."""
    for path in (folder / name, folder / name.removesuffix(".gz")):
        if path.is_file():
            return path
    return None


def mnist_missing(data_dir: Folder = None) -> str:
    """Return why MNIST cannot be used; empty if all files are there."""
    folder = folder_of(data_dir)
    for name in FILES:
        if found(folder, name) is None:
            return (
                f"{folder} lacks {name}; `linspike data mnist` fetches it, ${FOLDER} names a folder"
            )
    return ""


def load_mnist(part: str = "train", *, data_dir: Folder = None) -> Images:
    """Return images and digits of one part.

    Parameters
    ----------
    part : {"train", "test"}
        60000 images to learn from, or 10000 to be tested on.
    data_dir : path, optional
        Folder with the four idx files, compressed or not, in itself or in its subfolder `mnist`.
        Unless given, the one that $LINSPIKE_DATA_DIR names, else where `linspike data mnist`
        puts them.
    """
    if part not in PARTS:
        raise ParameterError.of("part", "load_mnist", "'train' or 'test'", part)
    reason = mnist_missing(data_dir)
    if reason:
        raise DataError(f"MNIST is not there: {reason}.")
    folder, (stem, count) = folder_of(data_dir), PARTS[part]
    images = _images(folder / f"{stem}-images-idx3-ubyte.gz", count)
    return Images(images, _digits(folder / f"{stem}-labels-idx1-ubyte.gz", count))


def _images(desired: Path, count: int) -> Bytes:
    path = found(desired.parent, desired.name) or desired
    images = read_idx(path, IMAGES)
    if images.shape[1:] != (SIDE, SIDE):
        got = " by ".join(map(str, images.shape[1:]))
        _refuse(path, f"hold images of {SIDE} by {SIDE}", got)
    if len(images) != count:
        _refuse(path, f"hold {count} images", str(len(images)))
    verify(path)
    return images


def _digits(desired: Path, count: int) -> npt.NDArray[np.int64]:
    path = found(desired.parent, desired.name) or desired
    digits = read_idx(path, LABELS)
    if len(digits) != count:
        _refuse(path, f"hold {count} labels, one for each image", str(len(digits)))
    if digits.max() > 9:
        place = int(np.argmax(digits > 9))
        _refuse(path, "hold labels of 0 to 9", f"{digits[place]} for image {place}")
    verify(path)
    return digits.astype(np.int64)


def read_idx(path: Path, magic: int) -> Bytes:
    """Return the content of an idx file of unsigned bytes, compressed or not."""
    raw = _unpacked(path)
    rank = magic % 256
    head = 4 * (1 + rank)
    if len(raw) < head or int.from_bytes(raw[:4], "big") != magic:
        raise FileFormatError(f"{path} is not an idx file of bytes in {rank} dimensions. {REMEDY}")
    shape = [int.from_bytes(raw[at : at + 4], "big") for at in range(4, head, 4)]
    announced, follow = math.prod(shape), len(raw) - head
    if follow != announced:
        state = "is cut off" if follow < announced else "does not end where it should"
        raise FileFormatError(
            f"{path} {state}: its head announces {announced} bytes, {follow} follow. {REMEDY}"
        )
    return np.frombuffer(raw, np.uint8, offset=head).reshape(shape)


def _unpacked(path: Path) -> bytes:
    raw = _content(path)
    if path.suffix != ".gz":
        return raw
    try:
        return unpack_gzip(raw, path, MAX_UNPACKED, REMEDY)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        reason = str(error).rstrip(".")
        raise FileFormatError(
            f"{path} is damaged and cannot be unpacked ({reason}). {REMEDY}"
        ) from error


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror}.") from error


def verify(path: Path) -> None:
    """Refuse a file that is not the published one, by its SHA-256."""
    desired = {**FILES, **UNPACKED}[path.name]
    digest = hashlib.sha256(_content(path)).hexdigest()
    if digest != desired:
        raise FileFormatError(
            f"{path} is not the published file: its SHA-256 must be {desired}. "
            f"Got {digest} instead. {REMEDY}"
        )


def _refuse(path: Path, domain: str, got: str) -> None:
    raise FileFormatError(f"{path} must {domain}. Got {got} instead. {REMEDY}")
