"""Arrays in one npz file, read without pickle and refused with a sentence when not ours."""

from __future__ import annotations

import operator
import os
import tokenize
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from os import PathLike
from typing import Any

import numpy as np

from linspike._files import replacing
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

Arrays = dict[str, np.ndarray[Any, Any]]


def save_arrays(path: str | PathLike[str], kind: str, version: int, **arrays: Any) -> None:
    """Write arrays to one file, whole or not at all."""
    with replacing(path) as stream:
        np.savez_compressed(stream, format=np.str_(kind), version=np.int64(version), **arrays)


def kind_of(path: str | PathLike[str]) -> str:
    """What kind of file this is, by its own account; empty if it is none of ours."""
    with open(path, "rb") as stream, refusing_damage(path):
        if not zipfile.is_zipfile(stream):
            return ""
        stream.seek(0)
        with np.load(stream, allow_pickle=False) as stored:
            return str(stored["format"]) if "format" in stored else ""


def load_arrays(path: str | PathLike[str], kind: str, version: int, names: Sequence[str]) -> Arrays:
    """Read a file of this kind, written by this version or an older one."""
    # A file that cannot be opened is an OSError of its own; whatever goes wrong later is damage.
    with open(path, "rb") as stream, refusing_damage(path):
        if not zipfile.is_zipfile(stream):
            raise FileFormatError(f"{os.fspath(path)!r} is not a {kind} file.")
        stream.seek(0)
        with np.load(stream, allow_pickle=False) as stored:
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


@contextmanager
def refusing_damage(path: str | PathLike[str]) -> Iterator[None]:
    """Turn whatever a broken file provokes into one sentence."""
    try:
        yield
    except FileFormatError:
        raise
    except DAMAGE as error:
        raise FileFormatError(
            f"{os.fspath(path)!r} is damaged and cannot be read ({error})."
        ) from error
