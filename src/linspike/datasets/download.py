"""Download MNIST from the first mirror that has it; every file is verified."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from linspike.datasets.mnist import FILES, FOLDER, Folder, folder_of, found, verify
from linspike.errors import DataError

MIRRORS = (
    "https://ossci-datasets.s3.amazonaws.com/mnist/",
    "https://storage.googleapis.com/cvdf-datasets/mnist/",
    "https://raw.githubusercontent.com/fgnt/mnist/master/",
)
TIMEOUT = 20.0  # seconds without a byte


class Verified(NamedTuple):
    """A file that is there and is the published one; fetched just now, or found."""

    path: Path
    fetched: bool


def fetch_mnist(
    data_dir: Folder = None, *, progress: Callable[[str], None] | None = None
) -> list[Verified]:
    """Verify the files that are there, and download those that are not.

    Parameters
    ----------
    data_dir : path, optional
        As for `load_mnist`.
    progress : function of a line, optional
        Called with what is being downloaded, and from where.
    """
    folder = folder_of(data_dir)
    there = {name: found(folder, name) for name in FILES}
    for path in there.values():  # before anything is downloaded
        if path is not None:
            verify(path)
    if None in there.values():
        _make(folder)
    tell = progress or (lambda line: None)
    return [
        Verified(_download(name, folder, tell), True) if path is None else Verified(path, False)
        for name, path in there.items()
    ]


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataError(
            f"{folder} cannot be made: {error.strerror}. "
            f"Name another folder with --data-dir or ${FOLDER}."
        ) from error


def _download(name: str, folder: Path, tell: Callable[[str], None]) -> Path:
    import pooch

    pooch.get_logger().setLevel(logging.WARNING)
    downloader = pooch.HTTPDownloader(timeout=TIMEOUT, chunk_size=1 << 16)
    failures = []
    for mirror in MIRRORS:
        host = urlsplit(mirror).netloc
        tell(f"fetching {name} from {host}")
        try:
            digest = f"sha256:{FILES[name]}"
            return Path(pooch.retrieve(mirror + name, digest, name, folder, downloader=downloader))
        except (OSError, ValueError) as error:
            failures.append(f"{host}: {_reason(error)}")
    raise DataError(
        f"{name} could not be fetched ({'; '.join(failures)}); "
        f"go online and try again, or put the file into {folder}."
    )


def _reason(error: Exception) -> str:
    """Return what went wrong at a mirror, in a few words."""
    from requests import exceptions

    if isinstance(error, exceptions.HTTPError):
        return f"status {getattr(error.response, 'status_code', 'unknown')}"
    if isinstance(error, exceptions.Timeout):
        return "no response in time"
    if isinstance(error, exceptions.RequestException):
        return "no connection"
    if isinstance(error, ValueError):
        return "another file, by its SHA-256"
    return str(error)
