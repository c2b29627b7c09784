"""The Braille recordings, which users bring: where they are expected, and how they are read."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from linspike._files import Archive, opened, refusing_damage
from linspike._typing import Ints
from linspike.errors import FileFormatError

FOLDER = "LINSPIKE_DATA_DIR"
BRAILLE = "braille7"
STEPS, TAXELS, LETTERS = 256, 12, 7


def data_folder() -> Path | None:
    """Return the folder that the environment names, or None."""
    named = os.environ.get(FOLDER)
    return Path(named) if named else None


def _braille_file() -> Path | None:
    folder = data_folder()
    return None if folder is None else folder / BRAILLE / f"{BRAILLE}.npz"


def braille7_missing() -> str:
    """Return why the Braille recordings cannot be used; empty if they can."""
    path = _braille_file()
    if path is None:
        return f"${FOLDER} is not set; it names the folder with {BRAILLE}/{BRAILLE}.npz"
    return "" if path.is_file() else f"${FOLDER} holds no {BRAILLE}/{BRAILLE}.npz"


def braille7() -> tuple[Any, Ints, tuple[int, int]]:
    """Return recordings (n, 256, 12), letters, and where the parts to learn and choose by end."""
    path = _braille_file()
    if path is None or not path.is_file():
        raise FileNotFoundError(braille7_missing())
    return _read(path)


@cache
def _read(path: Path) -> tuple[Any, Ints, tuple[int, int]]:
    with opened(path) as stream, refusing_damage(path):
        with Archive(stream, path) as stored:
            rasters, letters = stored["X"], stored["y"].astype(np.int64)
            learn, choose, everything = (int(bound) for bound in stored["split"])
        fits = rasters.shape == (everything, STEPS, TAXELS) and letters.shape == (everything,)
        if not (fits and 0 < learn < choose < everything and set(letters) == set(range(LETTERS))):
            raise FileFormatError(f"{path!s} does not hold the Braille recordings expected.")
        return rasters, letters, (learn, choose)
