"""Arrays in one npz file, read without pickle and refused with a sentence when not ours."""

from __future__ import annotations

import io
import math
import operator
import os
import tokenize
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from os import PathLike
from typing import Any, BinaryIO

import numpy as np

from linspike._files import replacing
from linspike._validation import check_integer
from linspike.errors import FileFormatError

DAMAGE = (
    ArithmeticError,
    EOFError,
    LookupError,
    MemoryError,
    OSError,
    RuntimeError,
    TypeError,
    ValueError,
    tokenize.TokenError,
    zipfile.BadZipFile,
    zlib.error,
)

LEAST_LIMIT = 2**30  # bytes of arrays in any file
MOST_PACKED = 50  # bytes of arrays for each byte of a file
MOST_HEADER = 2**16

Arrays = dict[str, np.ndarray[Any, Any]]


def save_arrays(path: str | PathLike[str], kind: str, version: int, **arrays: Any) -> None:
    """Write arrays to one file, whole or not at all."""
    with replacing(path) as stream:
        np.savez_compressed(stream, format=np.str_(kind), version=np.int64(version), **arrays)


def kind_of(path: str | PathLike[str], max_bytes: int | None = None) -> str:
    """Return the kind of file that its header states; empty if it is none of ours."""
    _check_limit(max_bytes)
    with opened(path) as stream, refusing_damage(path):
        if not zipfile.is_zipfile(stream):
            return ""
        with Archive(stream, path, max_bytes) as stored:
            return str(stored["format"]) if "format" in stored else ""


def load_arrays(
    path: str | PathLike[str],
    kind: str,
    version: int,
    names: Sequence[str],
    max_bytes: int | None = None,
) -> Arrays:
    """Read a file of this kind, written by this version or an older one.

    max_bytes is the most memory its arrays may take; see `Archive`.
    """
    _check_limit(max_bytes)
    # A file that cannot be opened is an OSError of its own; whatever goes wrong later is damage.
    with opened(path, f"a {kind} file") as stream, refusing_damage(path):
        if not zipfile.is_zipfile(stream):
            raise FileFormatError(f"{os.fspath(path)!r} is not a {kind} file.")
        with Archive(stream, path, max_bytes) as stored:
            if "format" not in stored or "version" not in stored or str(stored["format"]) != kind:
                raise FileFormatError(f"{os.fspath(path)!r} is not a {kind} file.")
            written_by = operator.index(stored["version"].item())
            if written_by < 1:
                raise ValueError(f"format {written_by}")
            if written_by > version:
                raise FileFormatError(
                    f"{os.fspath(path)!r} was written by a newer linspike (format {written_by}, "
                    f"this one reads up to {version}). Update linspike to read it."
                )
            return {name: stored[name] for name in names}


def opened(path: str | PathLike[str], kind: str = "a file") -> BinaryIO:
    """Open a file to read it; refuse a folder with a sentence."""
    if os.path.isdir(path):
        raise FileFormatError(f"{os.fspath(path)!r} is a folder, not {kind}.")
    return open(path, "rb")


def _check_limit(max_bytes: int | None) -> None:
    if max_bytes is not None:
        check_integer(max_bytes, "max_bytes", "load", least=1)


class Archive:
    """Arrays of an npz file, read one by one; none may take more memory than is allowed.

    A small file can hold terabytes of zeros. So sizes are looked at before anything is unpacked:
    those that the directory of the file declares, and those that the arrays declare. More than
    declared is never read.

    Parameters
    ----------
    stream : the open file
    path : as messages name it
    max_bytes : the most that all arrays may take together. Unless given, 1 GiB or fifty times the
        size of the file, whichever is more: spikes are packed one and a half to twenty times.
    """

    def __init__(
        self, stream: BinaryIO, path: str | PathLike[str], max_bytes: int | None = None
    ) -> None:
        self._path = os.fspath(path)
        size = stream.seek(0, os.SEEK_END)
        self._limit = max_bytes or max(LEAST_LIMIT, MOST_PACKED * size)
        self._zip = zipfile.ZipFile(stream)
        self._check(sum(info.file_size for info in self._zip.infolist()))

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *error: object) -> None:
        self._zip.close()

    def __contains__(self, name: str) -> bool:
        return f"{name}.npy" in self._zip.namelist()

    def __getitem__(self, name: str) -> np.ndarray[Any, Any]:
        info = self._zip.getinfo(f"{name}.npy")
        # Of other methods a few bytes may become gigabytes in one go.
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise ValueError(f"{name} is packed by method {info.compress_type}")
        with self._zip.open(info) as member:
            self._check_header(io.BytesIO(member.read(MOST_HEADER)), info)
        with self._zip.open(info) as member:
            found: np.ndarray[Any, Any] = np.lib.format.read_array(member, allow_pickle=False)
            return found

    def _check_header(self, start: io.BytesIO, info: zipfile.ZipInfo) -> None:
        """Compare the size in an array's header with its size in the file."""
        version = np.lib.format.read_magic(start)
        if version not in ((1, 0), (2, 0)):
            raise ValueError(f"{info.filename} has the format {version}")
        formats: Any = np.lib.format
        older = version == (1, 0)
        header = formats.read_array_header_1_0 if older else formats.read_array_header_2_0
        shape, _, dtype = header(start)
        count = math.prod(shape)
        self._check(count * max(dtype.itemsize, 8))  # numbers become float64
        size = info.file_size - start.tell()
        if not dtype.hasobject and (count * dtype.itemsize != size or count > info.file_size):
            raise ValueError(
                f"{info.filename} has {size} bytes, which does not fit its shape {shape}"
            )

    def _check(self, needed: int) -> None:
        if needed > self._limit:
            raise FileFormatError(
                f"{self._path!r} would take {needed} bytes of memory, more than the {self._limit} "
                f"allowed. If it comes from where you trust, load it with max_bytes={needed}."
            )


@contextmanager
def refusing_damage(path: str | PathLike[str]) -> Iterator[None]:
    """Turn any error of a broken file into one sentence."""
    try:
        yield
    except FileFormatError:
        raise
    except DAMAGE as error:
        raise FileFormatError(
            f"{os.fspath(path)!r} is damaged and cannot be read ({error})."
        ) from error
