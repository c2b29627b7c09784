"""The one decorator of compiled code, with a disk cache that notices edits in any kernel file.

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
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import numba
import platformdirs
from numba.core import caching
from numba.extending import register_jitable

P = ParamSpec("P")
R = TypeVar("R")

PACKAGE = Path(__file__).resolve().parent.parent
COMPILED_FOLDERS = (PACKAGE / "kernels", PACKAGE / "rules")
UNUSED_DAYS = 30.0
SAID = "LINSPIKE_NO_CACHE_SAID"  # set once the lack of a cache was told
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
    """Folder that holds one subfolder per version of the compiled sources."""
    chosen = os.environ.get("LINSPIKE_CACHE_DIR")
    return Path(chosen or platformdirs.user_cache_path("linspike")) / "linspike-numba"


class StampedLocator(caching._CacheLocator):
    """Place and stamp of a kernel's cached machine code; numba asks it first."""

    def __init__(self, py_func: Any, py_file: str, source: bytes = b"") -> None:
        self._name = Path(py_file).stem
        self._line = py_func.__code__.co_firstlineno
        self._path = cache_root() / STAMP
        self._stamp = STAMP
        if source:  # somebody else's file: it may share its name with another
            self._name += "-" + hashlib.sha256(py_file.encode()).hexdigest()[:8]
            self._stamp += hashlib.sha256(source).hexdigest()[:16]

    def get_cache_path(self) -> str:
        """Folder of this stamp."""
        return str(self._path)

    def get_source_stamp(self) -> str:
        """The stamp of all our sources, and of a user's file if it is one."""
        return self._stamp

    def get_disambiguator(self) -> str:
        """Tells functions of the same name apart."""
        return f"{self._name}-{self._line}"

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> StampedLocator | None:
        """A locator for our files and users' rules; None for others, or if it cannot be written to.

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
    """Folder with the machine code of these sources, or None, said once, if none can be written.

    Without one, code is compiled at every start. Numba would look for other places, but there it
    stamps a function with its own file only.
    """
    folder = cache_root() / STAMP
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError as error:
        compiler_off = bool(getattr(numba.config, "DISABLE_JIT", False))
        if not compiler_off and SAID not in os.environ:
            os.environ[SAID] = "1"  # for worker processes, which need not say it again
            print(
                f"linspike: no compiled code can be kept in {folder.parent} ({error.strerror}), so "
                "every start compiles anew. Name another folder with LINSPIKE_CACHE_DIR.",
                file=sys.stderr,
            )
        return None


def compiled(function: Callable[..., Any], *signature: Any, **options: Any) -> Any:
    """Compile with no GIL and IEEE arithmetic, cached on disk where that is possible."""
    njit: Any = numba.njit
    options = {"nogil": True, "error_model": "numpy", **options}
    if cache_folder() is not None:
        try:
            return njit(*signature, cache=True, **options)(function)
        except RuntimeError as error:  # a function that was typed in has no file
            if "cannot cache" not in str(error):
                raise
    return njit(*signature, **options)(function)


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile on first use: no GIL, IEEE arithmetic, cached on disk."""
    made: Callable[P, R] = compiled(function)
    return made


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """A kernel that its callers swallow whole.

    For helpers in hot places that take arrays: a real call would count references to each of
    them, atomically, which costs more than the helper itself and makes threads wait for another.
    """
    compiled: Callable[P, R] = numba.njit(nogil=True, error_model="numpy", inline="always")(
        function
    )
    return compiled


def jitable(function: Callable[P, R]) -> Callable[P, R]:
    """Leave a function to Python that calls it, and compile it into kernels that call it.

    For parts of the training loop that take a rule's step: plain Python rules run through the
    same source as compiled ones.
    """
    options = {"nogil": True, "error_model": "numpy"}
    marked: Callable[P, R] = register_jitable(**options)(function)
    return marked
