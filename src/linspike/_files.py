"""Files: checks before any work, one way to write them whole, to unpack them, to read npz."""

from __future__ import annotations

import contextlib
import errno
import gzip
import io
import math
import operator
import os
import shutil
import tokenize
import uuid
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from linspike._validation import check_integer
from linspike.errors import FileFormatError

AnyPath = str | PathLike[str]
Arrays = dict[str, np.ndarray[Any, Any]]

LONGEST = 32  # characters of the target's name in the name of the temporary file
LEAST_LIMIT = 2**30  # bytes of arrays in any file
MOST_PACKED = 50  # bytes of arrays for each byte of a file
MOST_HEADER = 2**16
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


def check_output(path: AnyPath, *inputs: AnyPath, new_folders: bool = False) -> None:
    """Refuse a place that cannot be written to before any work is done for it.

    Parameters
    ----------
    path : path
        Where results shall go.
    inputs : path
        Files that the results are made from; none of them may be overwritten, by whatever name.
    new_folders : bool
        Whether the caller makes folders that are absent.
    """
    if any(_same(path, source) for source in inputs):
        raise FileFormatError(f"{path} would be overwritten by its own results.")
    if os.path.exists(path) and not os.path.isfile(path):
        raise FileFormatError(f"{path} cannot be written: it is not a plain file.")
    target = Path(os.path.realpath(path))
    folder = target.parent
    while new_folders and not folder.exists() and folder != folder.parent:
        folder = folder.parent
    if not folder.is_dir():
        raise FileFormatError(f"{path} cannot be written: there is no folder {folder}.")
    if not os.access(target if target.exists() else folder, os.W_OK):
        raise FileFormatError(f"{path} cannot be written: Permission denied.")


def _same(path: AnyPath, other: AnyPath) -> bool:
    """Return whether two names stand for one file; links of either kind are followed."""
    if os.path.realpath(path) == os.path.realpath(other):
        return True
    with contextlib.suppress(OSError):
        return os.path.samefile(path, other)
    return False


@contextmanager
def replacing(path: AnyPath) -> Iterator[BinaryIO]:
    """Open a temporary file beside `path`; it takes its place when the block ends without error.

    After any error the old file is as it was and the temporary one is gone. A symbolic link stays:
    the file it names is replaced. Errors of the system name `path`.
    """
    target = Path(os.path.realpath(path))
    part = target.with_name(f".{target.name[:LONGEST]}.{uuid.uuid4().hex[:8]}.part")
    try:
        if os.path.exists(path) and not os.path.isfile(path):
            raise OSError(errno.EINVAL, "it is not a plain file")
        with open(part, "xb") as stream:
            yield stream
        if target.exists():
            shutil.copymode(target, part)
        os.replace(part, target)
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), os.fspath(path)) from error
    finally:
        with contextlib.suppress(OSError):  # of the error that matters nothing must be hidden
            part.unlink()


def write_whole(path: AnyPath, content: bytes) -> None:
    """Write a whole file or none."""
    with replacing(path) as stream:
        stream.write(content)


def unpack_gzip(packed: bytes, source: object, max_bytes: int, remedy: str) -> bytes:
    """Return the content of a gzip file, or refuse it if it is larger than `max_bytes`.

    A small file can unpack to a thousand times its size. Damage raises what `gzip` raises.
    """
    with gzip.GzipFile(fileobj=io.BytesIO(packed)) as stream:
        content = stream.read(max_bytes + 1)
    if len(content) > max_bytes:
        raise FileFormatError(
            f"{source} unpacks to more than the {max_bytes} bytes allowed. {remedy}"
        )
    return content


def save_arrays(path: AnyPath, kind: str, version: int, **arrays: Any) -> None:
    """Write arrays to one file, whole or not at all."""
    with replacing(path) as stream:
        np.savez_compressed(stream, format=np.str_(kind), version=np.int64(version), **arrays)


def kind_of(path: AnyPath, max_bytes: int | None = None) -> str:
    """Return the kind of a file, by its own account; empty if it is none of ours."""
    _check_limit(max_bytes)
    with opened(path) as stream, refusing_damage(path):
        if not zipfile.is_zipfile(stream):
            return ""
        with Archive(stream, path, max_bytes) as stored:
            return str(stored["format"]) if "format" in stored else ""


def load_arrays(
    path: AnyPath,
    kind: str,
    version: int,
    names: Sequence[str],
    max_bytes: int | None = None,
    *,
    oldest: int = 1,
    optional: Sequence[str] = (),
    entry_bytes: Mapping[str, int] | None = None,
) -> Arrays:
    """Read a file of this kind, of any format from `oldest` to `version`.

    Optional arrays that the file lacks are missing in the result.

    max_bytes is the most memory its arrays may take, and entry_bytes what each entry of an array
    takes that becomes an object; see `Archive`.
    """
    _check_limit(max_bytes)
    # A file that cannot be opened is an OSError of its own; whatever goes wrong later is damage.
    with opened(path, f"a {kind} file") as stream, refusing_damage(path):
        if not zipfile.is_zipfile(stream):
            raise FileFormatError(f"{os.fspath(path)!r} is not a {kind} file.")
        with Archive(stream, path, max_bytes, entry_bytes) as stored:
            if "format" not in stored or "version" not in stored or str(stored["format"]) != kind:
                raise FileFormatError(f"{os.fspath(path)!r} is not a {kind} file.")
            _check_version(operator.index(stored["version"].item()), oldest, version, path)
            there = [name for name in optional if name in stored]
            return {name: stored[name] for name in (*names, *there)}


def _check_version(written: int, oldest: int, newest: int, path: AnyPath) -> None:
    if written < 1:
        raise ValueError(f"format {written}")
    if written < oldest:
        raise FileFormatError(
            f"{os.fspath(path)!r} was written by an older linspike (format {written}, this one "
            f"reads from {oldest} on). Make it again with this linspike."
        )
    if written > newest:
        raise FileFormatError(
            f"{os.fspath(path)!r} was written by a newer linspike (format {written}, "
            f"this one reads up to {newest}). Update linspike to read it."
        )


def opened(path: AnyPath, kind: str = "a file") -> BinaryIO:
    """Open a file to read it; a folder is refused with a sentence."""
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
        size of the file, whichever is more. Random spikes are packed 1.3 to 18 times (Poisson,
        rasters), the same spikes over and over up to 300 times.
    entry_bytes : bytes that an entry of an array takes once it is in use, by the array's name.
    """

    def __init__(
        self,
        stream: BinaryIO,
        path: AnyPath,
        max_bytes: int | None = None,
        entry_bytes: Mapping[str, int] | None = None,
    ) -> None:
        self._path = os.fspath(path)
        self._entry_bytes = entry_bytes or {}
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
            entry = self._entry_bytes.get(name, 8)  # numbers become float64
            self._check_header(io.BytesIO(member.read(MOST_HEADER)), info, entry)
        with self._zip.open(info) as member:
            found: np.ndarray[Any, Any] = np.lib.format.read_array(member, allow_pickle=False)
            return found

    def _check_header(self, start: io.BytesIO, info: zipfile.ZipInfo, entry: int) -> None:
        """Compare the size in an array's header with its size in the file."""
        version = np.lib.format.read_magic(start)
        if version not in ((1, 0), (2, 0)):
            raise ValueError(f"{info.filename} has the format {version}")
        formats: Any = np.lib.format
        older = version == (1, 0)
        header = formats.read_array_header_1_0 if older else formats.read_array_header_2_0
        shape, _, dtype = header(start)
        count = math.prod(shape)
        self._check(count * max(dtype.itemsize, entry))
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
def refusing_damage(path: AnyPath) -> Iterator[None]:
    """Turn whatever a broken file provokes into one sentence."""
    try:
        yield
    except FileFormatError:
        raise
    except DAMAGE as error:
        raise FileFormatError(
            f"{os.fspath(path)!r} is damaged and cannot be read ({error})."
        ) from error
