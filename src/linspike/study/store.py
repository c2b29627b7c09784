"""The store: one SQLite file, a row per (experiment, cell, seed), written by one process at a time.

Rows are added a batch at a time, each batch whole or not at all, so a process that is killed loses
at most the batch in flight. What may differ between two identical runs (versions, machine, seconds)
stands in columns of its own, apart from the record.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Sequence
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import Any

from linspike._files import unpack_gzip
from linspike.errors import FileFormatError, StoreError
from linspike.study.experiment import Cell, Record, Trial

FORMAT = "linspike.Store"
FORMAT_VERSION = 1
DEFAULT_PATH = Path("build") / "linspike.sqlite"
MAX_UNPACKED = 2**30  # bytes of a packed export; the paper's trials take 5 % of it

TABLES = f"""
BEGIN;
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE cells (
    experiment TEXT NOT NULL, cell TEXT NOT NULL, settings TEXT NOT NULL,
    PRIMARY KEY (experiment, cell)
);
CREATE TABLE records (
    experiment TEXT NOT NULL, cell TEXT NOT NULL, seed INTEGER NOT NULL,
    record TEXT NOT NULL, seconds REAL NOT NULL, provenance TEXT NOT NULL,
    PRIMARY KEY (experiment, cell, seed)
) WITHOUT ROWID;
INSERT INTO meta VALUES ('format', '{FORMAT}'), ('version', '{FORMAT_VERSION}');
COMMIT;
"""


# Experiment, cell's settings, seed, record, seconds, provenance.
StoredRow = tuple[str, str, int, str, float, str]


def exported(path: Path) -> list[StoredRow]:
    """Rows of a file that `linspike store export` wrote."""
    if path.is_dir():
        raise FileFormatError(f"{path} is a folder, not an export of a store.")
    try:
        data = path.read_bytes()
        if path.suffix == ".gz":
            data = unpack_gzip(data, path, MAX_UNPACKED, "Unpack it with gunzip and merge that.")
        text = data.decode()
        return [_exported_row(json.loads(line)) for line in text.splitlines()]
    except FileFormatError:
        raise
    except (OSError, EOFError, ValueError, KeyError, TypeError, zlib.error) as error:
        raise FileFormatError(f"{path} is no export of a store, or it is damaged.") from error


def _exported_row(line: Any) -> StoredRow:
    source = dict(line["provenance"])
    seconds = float(source.pop("seconds"))
    cell, record = canonical(line["cell"]), canonical(line["record"])
    return line["experiment"], cell, int(line["seed"]), record, seconds, canonical(source)


def store_files(path: Path) -> list[Path]:
    """Every file that belongs to a store, whether it is there now or not."""
    return [path.with_name(path.name + end) for end in ("", "-wal", "-shm", "-journal", ".lock")]


def canonical(value: Any) -> str:
    """JSON with one spelling for one value."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def cell_hash(cell: Cell) -> str:
    """Name of a cell in the store."""
    return hashlib.sha256(canonical(cell).encode()).hexdigest()[:20]


class Store:
    """Results on disk.

    Parameters
    ----------
    path : path
        The file; made if it does not exist.
    write : bool
        Whether to write to it; only one process may at a time. A reader may look on meanwhile.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, Store(folder + "/s.sqlite") as store:
    ...     store.add("fig9", {"n": 1}, [(0, {"x": 2.0}, 0.1)], "test")
    ...     store.trials("fig9")
    [Trial(cell={'n': 1}, seed=0, record={'x': 2.0})]
    """

    def __init__(self, path: str | PathLike[str], *, write: bool = True) -> None:
        self.path = Path(path)
        self._lock: sqlite3.Connection | None = None
        if self.path.exists() and not self.path.is_file():
            raise StoreError(f"{self.path} is not a file that could hold a store.")
        if not write and not self.path.is_file():
            raise StoreError(f"There is no store at {self.path}. `linspike reproduce` makes one.")
        try:
            if write:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                self._lock = _locked(self.path)
            self._db = sqlite3.connect(self.path, timeout=10.0)
            self._open(write)
        except sqlite3.DatabaseError as error:
            self.close()
            raise _explained(error, self.path) from None
        except OSError as error:
            self.close()
            raise StoreError(
                f"The store {self.path} cannot be written: {error.strerror}."
            ) from None
        except BaseException:
            self.close()
            raise

    def _open(self, write: bool) -> None:
        known = {name for (name,) in self._db.execute("SELECT name FROM sqlite_master")}
        if not known and write:
            self._db.executescript(TABLES)
        elif "meta" not in known:
            raise FileFormatError(f"{self.path} is not a store of linspike.")
        meta: dict[str, str] = dict(self._db.execute("SELECT name, value FROM meta"))
        if meta.get("format") != FORMAT:
            raise FileFormatError(f"{self.path} is not a store of linspike.")
        if meta.get("version") != str(FORMAT_VERSION):
            raise FileFormatError(
                f"{self.path} was written in version {meta.get('version')} of the store's format; "
                f"this linspike reads version {FORMAT_VERSION}."
            )
        if write:
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=FULL")

    def add(
        self,
        experiment: str,
        cell: Cell,
        found: Iterable[tuple[int, Record, float]],
        provenance: str,
    ) -> None:
        """Add (seed, record, seconds) of one cell: all of them, or none if anything goes wrong."""
        name = cell_hash(cell)
        rows = [
            (experiment, name, seed, canonical(record), seconds, provenance)
            for seed, record, seconds in found
        ]
        try:
            with self._db:
                place = "INSERT OR IGNORE INTO cells VALUES (?, ?, ?)"
                self._db.execute(place, (experiment, name, canonical(cell)))
                self._db.executemany("INSERT INTO records VALUES (?, ?, ?, ?, ?, ?)", rows)
        except sqlite3.DatabaseError as error:
            raise _explained(error, self.path) from None

    def seeds(self, experiment: str, cell: Cell) -> set[int]:
        """Seeds of a cell that are there."""
        query = "SELECT seed FROM records WHERE experiment = ? AND cell = ?"
        return {seed for (seed,) in self._read(query, (experiment, cell_hash(cell)))}

    def trials(self, experiment: str, scale: str | None = None, base: int = 0) -> list[Trial]:
        """Trials of an experiment, in one order: by cell, then by seed.

        With a scale only those of that scale, and of that base of seeds.
        """
        query = (
            "SELECT settings, seed, record FROM records JOIN cells USING (experiment, cell) "
            "WHERE experiment = ? ORDER BY cell, seed"
        )
        found = [
            Trial(json.loads(settings), seed, json.loads(record))
            for settings, seed, record in self._read(query, (experiment,))
        ]
        return [
            trial
            for trial in found
            if scale is None
            or (trial.cell.get("scale"), trial.cell.get("base", 0)) == (scale, base)
        ]

    def rows(self) -> Iterator[StoredRow]:
        """Everything: experiment, cell's settings, seed, record, seconds, provenance; sorted."""
        query = (
            "SELECT experiment, settings, seed, record, seconds, provenance "
            "FROM records JOIN cells USING (experiment, cell) ORDER BY experiment, cell, seed"
        )
        yield from self._read(query, ())

    def seconds(self, experiment: str, scale: str) -> float:
        """Time spent on the trials of an experiment at a scale."""
        query = (
            "SELECT total(seconds) FROM records JOIN cells USING (experiment, cell) "
            "WHERE experiment = ? AND json_extract(settings, '$.scale') = ?"
        )
        return float(next(iter(self._read(query, (experiment, scale))))[0])

    def digest(self) -> str:
        """Hash of all records without what may differ between identical runs."""
        whole = hashlib.sha256()
        for experiment, settings, seed, record, _, _ in self.rows():
            whole.update(f"{experiment}\t{settings}\t{seed}\t{record}\n".encode())
        return whole.hexdigest()

    def take_over(self, theirs: Sequence[StoredRow]) -> tuple[int, int]:
        """Take over rows of another store that this one lacks.

        Returns how many trials were taken over, and how many are in both with different records.
        """
        before = self._count()
        mine = {row[:3]: row[3] for row in self.rows()}
        contrary = sum(mine.get(row[:3], row[3]) != row[3] for row in theirs)
        try:
            with self._db:
                for experiment, settings, seed, record, seconds, provenance in theirs:
                    name = cell_hash(json.loads(settings))
                    self._db.execute(
                        "INSERT OR IGNORE INTO cells VALUES (?, ?, ?)", (experiment, name, settings)
                    )
                    self._db.execute(
                        "INSERT OR IGNORE INTO records VALUES (?, ?, ?, ?, ?, ?)",
                        (experiment, name, seed, record, seconds, provenance),
                    )
        except sqlite3.DatabaseError as error:
            raise _explained(error, self.path) from None
        return self._count() - before, contrary

    def sources(self) -> list[str]:
        """Where the records come from: version, commit and processor, with how many each."""
        query = "SELECT provenance, count(*) FROM records GROUP BY provenance ORDER BY provenance"
        found: dict[str, int] = {}
        for text, count in self._read(query, ()):
            source = json.loads(text)
            names = ("linspike", "commit", "python", "numpy", "numba", "cpu")
            line = ", ".join(f"{name} {source[name]}" for name in names if source.get(name))
            found[line] = found.get(line, 0) + count
        return [f"{count} trials: {line}" for line, count in found.items()]

    def _count(self) -> int:
        return int(self._db.execute("SELECT count(*) FROM records").fetchone()[0])

    def __len__(self) -> int:
        return self._count()

    def _read(self, query: str, values: Sequence[Any]) -> list[Any]:
        try:
            return self._db.execute(query, values).fetchall()
        except sqlite3.DatabaseError as error:
            raise _explained(error, self.path) from None

    def close(self) -> None:
        """Let go of the file."""
        for connection in (getattr(self, "_db", None), self._lock):
            if connection is not None:
                connection.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _locked(path: Path) -> sqlite3.Connection:
    """A lock that the system lets go of when the process dies, however it dies."""
    lock = sqlite3.connect(path.with_name(path.name + ".lock"), timeout=0.0)
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        lock.close()
        if "locked" in str(error):
            raise StoreError(
                f"The store {path} is in use by another process. Wait for it, or name another "
                "store with --store; `linspike store merge` joins them."
            ) from None
        raise
    return lock


def _explained(error: sqlite3.DatabaseError, path: Path) -> Exception:
    """SQLite's complaint as a sentence with what to do."""
    text = str(error)
    if "disk is full" in text or "disk I/O error" in text:
        return StoreError(
            f"No space left for the store {path}. What was finished is safe; make room and run the "
            "same command again."
        )
    if "readonly" in text or "unable to open" in text:
        return StoreError(f"The store {path} cannot be written: {text}.")
    if "not a database" in text or "malformed" in text:
        return FileFormatError(f"{path} is not a store of linspike, or it is damaged ({text}).")
    return StoreError(f"The store {path} failed: {text}.")
