"""The store: one SQLite file, a row per (experiment, cell, seed), written by one process at a time.

Rows are added a batch at a time, each batch whole or not at all, so a process that is killed loses
at most the batch in flight. What may differ between two identical runs (versions, machine, seconds)
stands in columns of its own, apart from the record.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from linspike.errors import FileFormatError, StoreError
from linspike.study.cells import Cell, Record, Trial, canonical, hash_cell
from linspike.study.experiment import Experiment

FORMAT = "linspike.Store"
FORMAT_VERSION = 2  # 1 had cells of untyped fields and rows named by phrases
DEFAULT_PATH = Path("build") / "linspike.sqlite"

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


# Experiment, cell's JSON, seed, record, seconds, provenance.
StoredRow = tuple[str, str, int, str, float, str]


def store_files(path: Path) -> list[Path]:
    """Return every file that belongs to a store, whether it exists now or not."""
    return [path.with_name(path.name + end) for end in ("", "-wal", "-shm", "-journal", ".lock")]


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
    >>> from linspike.study.cells import Cell
    >>> with tempfile.TemporaryDirectory() as folder, Store(folder + "/s.sqlite") as store:
    ...     store.add("fig9", Cell(scale="smoke"), [(0, {"x": 2.0}, 0.1)], "{}")
    ...     len(store)
    1
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
                self._lock = _lock_file(self.path)
            self._db = sqlite3.connect(self.path, timeout=10.0)
            self._open(write)
        except sqlite3.DatabaseError as error:
            self.close()
            raise _explain(error, self.path) from None
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
            raise refuse_version(self.path, meta.get("version"))
        if write:
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=FULL")

    def add(
        self,
        store_id: str,
        cell: Cell,
        results: Iterable[tuple[int, Record, float]],
        provenance: str,
    ) -> None:
        """Add (seed, record, seconds) of one cell: all of them, or none if anything goes wrong."""
        rows = [
            (store_id, cell.digest, seed, canonical(record), seconds, provenance)
            for seed, record, seconds in results
        ]
        try:
            with self._db:
                place = "INSERT OR IGNORE INTO cells VALUES (?, ?, ?)"
                self._db.execute(place, (store_id, cell.digest, canonical(cell.to_json())))
                self._db.executemany("INSERT INTO records VALUES (?, ?, ?, ?, ?, ?)", rows)
        except sqlite3.DatabaseError as error:
            raise _explain(error, self.path) from None

    def trials(self, experiment: Experiment, scale: str, seed_block: int = 0) -> list[Trial]:
        """Return the trials of an experiment, in one order: by cell, then by seed.

        Cells of an earlier version of the experiment, with other fields, are left out.
        """
        where = (experiment.store_id, scale, seed_block)
        condition = (
            "WHERE experiment = ? AND json_extract(settings, '$.scale') = ? "
            "AND json_extract(settings, '$.seed_block') = ?"
        )
        cells: dict[str, Cell] = {}
        for name, settings in self._read(f"SELECT cell, settings FROM cells {condition}", where):
            stored = json.loads(settings)
            if experiment.protocol.cell_type.fits(stored):
                cells[name] = experiment.protocol.cell_type.from_json(stored)
        query = (
            "SELECT cell, seed, record FROM records JOIN cells USING (experiment, cell) "
            f"{condition} ORDER BY cell, seed"
        )
        return [
            Trial(cells[name], seed, json.loads(record))
            for name, seed, record in self._read(query, where)
            if name in cells
        ]

    def rows(self) -> Iterator[StoredRow]:
        """Yield everything: experiment, cell, seed, record, seconds, provenance; sorted."""
        query = (
            "SELECT experiment, settings, seed, record, seconds, provenance "
            "FROM records JOIN cells USING (experiment, cell) ORDER BY experiment, cell, seed"
        )
        yield from self._read(query, ())

    def seconds(self, store_id: str, scale: str) -> float:
        """Return the time spent on the trials of an experiment at a scale."""
        query = (
            "SELECT total(seconds) FROM records JOIN cells USING (experiment, cell) "
            "WHERE experiment = ? AND json_extract(settings, '$.scale') = ?"
        )
        return float(next(iter(self._read(query, (store_id, scale))))[0])

    def digest(self) -> str:
        """Return a hash of all records without what may differ between identical runs."""
        whole = hashlib.sha256()
        for experiment, settings, seed, record, _, _ in self.rows():
            whole.update(f"{experiment}\t{settings}\t{seed}\t{record}\n".encode())
        return whole.hexdigest()

    def take_over(self, theirs: Sequence[StoredRow]) -> tuple[int, int]:
        """Add the rows of another store that this one lacks.

        Returns the number of trials added, and of those in both with different records.
        """
        before = self._count()
        mine = {row[:3]: row[3] for row in self.rows()}
        conflicting = sum(mine.get(row[:3], row[3]) != row[3] for row in theirs)
        try:
            with self._db:
                for experiment, settings, seed, record, seconds, provenance in theirs:
                    name = hash_cell(json.loads(settings))
                    self._db.execute(
                        "INSERT OR IGNORE INTO cells VALUES (?, ?, ?)", (experiment, name, settings)
                    )
                    self._db.execute(
                        "INSERT OR IGNORE INTO records VALUES (?, ?, ?, ?, ?, ?)",
                        (experiment, name, seed, record, seconds, provenance),
                    )
        except sqlite3.DatabaseError as error:
            raise _explain(error, self.path) from None
        return self._count() - before, conflicting

    def sources(self) -> list[str]:
        """Return where the records come from: version, commit and processor, with how many each."""
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
            raise _explain(error, self.path) from None

    def close(self) -> None:
        """Close the file and release its lock."""
        for connection in (getattr(self, "_db", None), self._lock):
            if connection is not None:
                connection.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()


def _lock_file(path: Path) -> sqlite3.Connection:
    """Return a lock that the system releases when the process dies, however it dies."""
    lock = sqlite3.connect(path.with_name(path.name + ".lock"), timeout=0.0)
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        lock.close()
        if error.sqlite_errorname == "SQLITE_BUSY":
            raise StoreError(
                f"The store {path} is in use by another process. Wait for it, or name another "
                "store with --store; `linspike store merge` joins them."
            ) from None
        raise
    return lock


def refuse_version(path: Path, version: object) -> FileFormatError:
    """Return the error for a store or export of another format."""
    return FileFormatError(
        f"{path} was written in version {version} of the store's format; "
        f"this linspike reads version {FORMAT_VERSION}."
    )


def _explain(error: sqlite3.DatabaseError, path: Path) -> Exception:
    """Return SQLite's error as a sentence that says what to do."""
    text, name = str(error), getattr(error, "sqlite_errorname", "")
    if name.startswith(("SQLITE_FULL", "SQLITE_IOERR")):
        return StoreError(
            f"No space left for the store {path}. What was finished is safe; make room and run the "
            "same command again."
        )
    if name.startswith(("SQLITE_READONLY", "SQLITE_CANTOPEN")):
        return StoreError(f"The store {path} cannot be written: {text}.")
    if name.startswith(("SQLITE_NOTADB", "SQLITE_CORRUPT")):
        return FileFormatError(f"{path} is not a store of linspike, or it is damaged ({text}).")
    return StoreError(f"The store {path} failed: {text}.")
