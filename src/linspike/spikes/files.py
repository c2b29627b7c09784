"""Arrays in one npz file, read without pickle and refused with a sentence when not ours."""

from __future__ import annotations

import os
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from linspike.errors import FileFormatError

Arrays = dict[str, np.ndarray[Any, Any]]


def save_arrays(path: str | PathLike[str], kind: str, version: int, **arrays: Any) -> None:
    """Write arrays beside the target and move them into place, so a crash leaves the old file."""
    target = Path(path)
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=target.name, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as stream:
            np.savez_compressed(stream, format=np.str_(kind), version=np.int64(version), **arrays)
        os.chmod(name, 0o666 & ~_umask())
        os.replace(name, target)
    except BaseException:
        os.unlink(name)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def load_arrays(path: str | PathLike[str], kind: str, version: int, names: Sequence[str]) -> Arrays:
    """Read a file of this kind, written by this version or an older one."""
    with refusing_damage(path):
        os.stat(path)  # a missing file is an OSError of its own, not a file of another kind
        if not zipfile.is_zipfile(path):
            raise FileFormatError(f"{os.fspath(path)!r} is not a {kind} file.")
        with np.load(path, allow_pickle=False) as stored:
            if "format" not in stored or "version" not in stored or str(stored["format"]) != kind:
                raise FileFormatError(f"{os.fspath(path)!r} is not a {kind} file.")
            written_by = int(stored["version"])
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
    except (FileFormatError, OSError):
        raise
    except (ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error, TypeError) as error:
        raise FileFormatError(
            f"{os.fspath(path)!r} is damaged and cannot be read ({error})."
        ) from error
