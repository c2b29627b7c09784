"""What the formats that are HDF5 files share."""

from __future__ import annotations

from os import PathLike, fspath

from linspike._files import opened
from linspike.errors import FileFormatError

SIGNATURE = b"\x89HDF\r\n\x1a\n"


def check_hdf5(path: str | PathLike[str], kind: str) -> None:
    """Refuse a file that is no HDF5, before a library fails on it with words of its own."""
    with opened(path, kind) as stream:
        if stream.read(len(SIGNATURE)) != SIGNATURE:
            raise FileFormatError(f"{fspath(path)!r} is not {kind}: it is not HDF5.")
