"""A store as text: one line of JSON per trial, and back."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from linspike._files import unpack_gzip
from linspike.errors import FileFormatError
from linspike.study.cells import canonical
from linspike.study.store import FORMAT_VERSION, StoredRow, refuse_version

DAMAGE = (OSError, EOFError, ValueError, KeyError, TypeError, AttributeError, zlib.error)
MAX_UNPACKED = 2**30  # bytes of a packed export; the paper's trials take 5 % of it


def format_trials(rows: Iterable[StoredRow]) -> list[str]:
    """Return one line for each stored row; its version lets a later reader refuse it."""
    return [
        json.dumps(
            {
                "version": FORMAT_VERSION,
                "experiment": store_id,
                "cell": json.loads(cell),
                "seed": seed,
                "record": json.loads(record),
                "provenance": {"seconds": round(seconds, 4), **json.loads(source)},
            },
            sort_keys=True,
        )
        for store_id, cell, seed, record, seconds, source in rows
    ]


def pack_trials(lines: Iterable[str], *, compress: bool) -> bytes:
    """Return the bytes of a file with these lines; the same trials give the same bytes."""
    data = ("\n".join(lines) + "\n").encode()
    return gzip.compress(data, mtime=0) if compress else data


def read_trials(path: Path) -> list[StoredRow]:
    """Return the rows of a file that `linspike store export` wrote."""
    if path.is_dir():
        raise FileFormatError(f"{path} is a folder, not an export of a store.")
    try:
        data = path.read_bytes()
        if path.suffix == ".gz":
            data = unpack_gzip(data, path, MAX_UNPACKED, "Unpack it with gunzip and merge that.")
        lines = [json.loads(line) for line in data.decode().splitlines()]
        for line in lines:
            version = line.get("version", 1)
            if version != FORMAT_VERSION:
                raise refuse_version(path, version)
        return [_parse_trial(line) for line in lines]
    except FileFormatError:
        raise
    except DAMAGE as error:
        raise FileFormatError(f"{path} is no export of a store, or it is damaged.") from error


def _parse_trial(line: dict[str, Any]) -> StoredRow:
    source = dict(line["provenance"])
    seconds = float(source.pop("seconds"))
    cell, record = canonical(line["cell"]), canonical(line["record"])
    return line["experiment"], cell, int(line["seed"]), record, seconds, canonical(source)
