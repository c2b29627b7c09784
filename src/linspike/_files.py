"""Files: checks before any work, one way to write them whole, one way to unpack them."""

from __future__ import annotations

import contextlib
import errno
import gzip
import io
import os
import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import BinaryIO

from linspike.errors import FileFormatError

AnyPath = str | PathLike[str]
LONGEST = 32  # characters of the target's name in the name of the temporary file


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
    """Whether two names stand for one file; links of either kind are followed."""
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
