"""Compiled code on disk, with a stamp that changes with an edit in any kernel file.

Numba stamps a cached function with the hash of its *own* file, so an edited callee in another
file leaves the caller's machine code stale, and wrong. `StampedLocator` stamps every kernel with
the hash of all compiled sources together, and keeps each stamp in a folder of its own.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import re
import shutil
import tempfile
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numba
import platformdirs
from numba.core import caching

from linspike.kernels.notices import say_once

PACKAGE = Path(__file__).resolve().parent.parent
COMPILED_FOLDERS = (PACKAGE / "kernels", PACKAGE / "rules")
UNUSED_DAYS = 30.0
RULE_MARK = "is_linspike_rule"  # set on the functions that `rule_step` compiles


def compiled_sources() -> Iterator[tuple[str, Path]]:
    """Yield every file whose functions may be compiled, with its name inside its folder."""
    for folder in COMPILED_FOLDERS:
        for path in sorted(folder.rglob("*.py")):
            yield path.relative_to(folder.parent).as_posix(), path


def source_stamp() -> str:
    """Return the hash of all compiled sources: one edit in any subfolder changes it."""
    digest = hashlib.sha256()
    for name, path in compiled_sources():
        digest.update(name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


STAMP = source_stamp()


def cache_root() -> Path:
    """Return the folder that holds one subfolder per version of the compiled sources."""
    chosen = os.environ.get("LINSPIKE_CACHE_DIR")
    return Path(chosen or platformdirs.user_cache_path("linspike")) / "linspike-numba"


class StampedLocator(caching._CacheLocator):
    """Place and stamp of a kernel's cached machine code; numba asks it first."""

    def __init__(self, py_func: Any, py_file: str, source: bytes = b"") -> None:
        self._py_file = py_file  # numba names it in its warnings
        self._name = Path(py_file).stem
        self._line = py_func.__code__.co_firstlineno
        self._path = cache_root() / STAMP
        self._stamp = STAMP
        if source:  # a user's file: it may share its name with another
            self._name += "-" + hashlib.sha256(py_file.encode()).hexdigest()[:8]
            self._stamp += hashlib.sha256(source).hexdigest()[:16]

    def get_cache_path(self) -> str:
        """Return the folder of this stamp."""
        return str(self._path)

    def get_source_stamp(self) -> str:
        """Return the stamp of all our sources, and of a user's file if it is one."""
        return self._stamp

    def get_disambiguator(self) -> str:
        """Return what distinguishes functions of the same name."""
        return f"{self._name}-{self._line}"

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> StampedLocator | None:
        """Return a locator for our files and users' rules; None for others, or if read-only.

        Users' rules are built on our kernels, so their machine code ages with ours.
        """
        path = Path(py_file).resolve()
        ours = any(folder in path.parents for folder in COMPILED_FOLDERS)
        if not ours and not getattr(py_func, RULE_MARK, False):
            return None
        try:
            locator = cls(py_func, py_file, b"" if ours else path.read_bytes())
            locator.ensure_cache_path()  # type: ignore[no-untyped-call]
        except OSError:
            return None
        return locator


class _UniqueFiles(caching.IndexDataCacheFile):
    """Index and data files of one function; no two processes write the same data file.

    Numba counts data files from 1. Two processes that compile different signatures of a function
    at once would both write file 1, and the index of one could name the code of the other.
    """

    def _data_name(self, number: int) -> str:
        return str(super()._data_name(uuid.uuid4().int))  # type: ignore[no-untyped-call]


class OptionalCache(caching.FunctionCache):
    """Cache of one function that may fail: a full disk or a damaged file must not stop training."""

    def __init__(self, py_func: Any) -> None:
        super().__init__(py_func)  # type: ignore[no-untyped-call]
        stamp = self._impl.locator.get_source_stamp()
        self._cache_file = _UniqueFiles(self._cache_path, self._impl.filename_base, stamp)  # type: ignore[no-untyped-call]

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the code for a signature; None if there is none that can be read."""
        try:
            return super().load_overload(sig, target_context)  # type: ignore[no-untyped-call]
        except Exception:  # unpickling damaged bytes may raise anything
            with contextlib.suppress(OSError):
                self.flush()  # type: ignore[no-untyped-call]
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the code for a signature, if that is possible."""
        try:
            super().save_overload(sig, data)  # type: ignore[no-untyped-call]
        except OSError as error:
            say_once(
                f"compiled code cannot be kept in {self._cache_path} ({error.strerror}), so the "
                "next start compiles it again. Make room there, or name another folder with "
                "LINSPIKE_CACHE_DIR."
            )


def prune_cache(unused_days: float = UNUSED_DAYS) -> list[Path]:
    """Mark our own folder as used, remove those of other stamps long unused; return them.

    Only what is certainly ours goes: a folder named like a stamp that holds nothing but cached
    functions. Whatever goes wrong, an import must not fail for it.
    """
    removed: list[Path] = []
    with contextlib.suppress(OSError):
        os.utime(cache_root() / STAMP)
    with contextlib.suppress(OSError):
        oldest = time.time() - unused_days * 86400.0
        for folder in cache_root().iterdir():
            if folder.name != STAMP and _is_stale(folder, oldest):
                shutil.rmtree(folder, ignore_errors=True)
                removed.append(folder)
    return removed


def _is_stale(folder: Path, oldest: float) -> bool:
    if not re.fullmatch(r"[0-9a-f]{16}", folder.name) or folder.stat().st_mtime >= oldest:
        return False
    return all(entry.suffix in (".nbi", ".nbc") for entry in folder.iterdir())


def _install_locator() -> None:
    classes = caching.CacheImpl._locator_classes
    if StampedLocator not in classes:
        classes.insert(0, StampedLocator)


_install_locator()
prune_cache()


@functools.cache
def cache_folder() -> Path | None:
    """Return the folder of the machine code, or None, with a remark, if none can be written.

    Without one, code is compiled at every start. Numba would look for other places, but there it
    stamps a function with its own file only.
    """
    folder = cache_root() / STAMP
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError as error:
        if not getattr(numba.config, "DISABLE_JIT", False):
            say_once(
                f"no compiled code can be kept in {folder.parent} ({error.strerror}), so every "
                "start compiles anew. Name another folder with LINSPIKE_CACHE_DIR."
            )
        return None
