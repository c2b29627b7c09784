"""The store: nothing lost, nothing doubled, and clear words when it cannot work."""

import gzip
import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest
from tests.support.toy_experiment import ToyCell, toy_experiment

import linspike as ls
from linspike.errors import StoreError
from linspike.study.cells import Cell
from linspike.study.export import format_trials, pack_trials, read_trials
from linspike.study.rows import RowKey
from linspike.study.store import Store

TABLE = toy_experiment("table1")
CELL = ToyCell(scale="smoke", row=RowKey(method="DTA"), load=3)


def filled(path, seeds=range(4)):
    store = Store(path)
    store.add("table1", CELL, [(seed, {"x": seed / 3}, 0.5) for seed in seeds], "{}")
    return store


def test_what_goes_in_comes_out(tmp_path):
    with filled(tmp_path / "s.sqlite") as store:
        assert [trial.seed for trial in store.trials(TABLE, "smoke")] == [0, 1, 2, 3]
        assert store.trials(TABLE, "smoke")[1].record == {"x": 1 / 3}
        assert store.trials(TABLE, "smoke")[1].cell == CELL
        assert store.trials(toy_experiment("table2"), "smoke") == []
        assert store.trials(TABLE, "paper") == []
        assert store.trials(TABLE, "smoke", seed_block=1) == []
        assert store.seconds("table1", "smoke") == 2.0
        assert len(store) == 4


def test_cells_of_other_fields_are_of_another_version(tmp_path):
    with filled(tmp_path / "s.sqlite") as store:
        store.add("table1", Cell(scale="smoke"), [(0, {}, 0.5)], "{}")
        assert {trial.cell for trial in store.trials(TABLE, "smoke")} == {CELL}
        assert len(store) == 5


def test_a_batch_is_added_whole_or_not_at_all(tmp_path):
    with filled(tmp_path / "s.sqlite") as store:
        before = store.digest()
        with pytest.raises(StoreError, match="UNIQUE"):
            store.add("table1", CELL, [(9, {"x": 1.0}, 0.1), (3, {"x": 1.0}, 0.1)], "{}")
        assert store.digest() == before


def test_the_digest_knows_records_and_not_where_they_come_from(tmp_path):
    with filled(tmp_path / "a.sqlite", [0, 1]) as one, Store(tmp_path / "b.sqlite") as two:
        two.add("table1", CELL, [(1, {"x": 1 / 3}, 9.0)], '{"cpu":"other"}')
        assert one.digest() != two.digest()
        two.add("table1", CELL, [(0, {"x": 0.0}, 9.0)], '{"cpu":"other"}')
        assert one.digest() == two.digest()


def test_merging_takes_over_what_is_missing(tmp_path):
    with filled(tmp_path / "a.sqlite", [0, 1]) as one, filled(tmp_path / "b.sqlite", [1, 2]) as two:
        assert one.take_over(list(two.rows())) == (1, 0)
        assert one.take_over(list(two.rows())) == (0, 0)
        assert [trial.seed for trial in one.trials(TABLE, "smoke")] == [0, 1, 2]


def test_a_second_writer_is_refused_and_a_reader_is_not(tmp_path):
    path = tmp_path / "s.sqlite"
    with filled(path):
        with pytest.raises(StoreError, match="in use by another process.*store merge"):
            Store(path)
        with Store(path, write=False) as reader:
            assert len(reader) == 4
    Store(path).close()


def test_a_killed_writer_leaves_no_lock(tmp_path):
    path = tmp_path / "s.sqlite"
    script = f"""
import os, signal
from linspike.study.cells import Cell
from linspike.study.store import Store
store = Store({str(path)!r})
store.add("table1", Cell(scale="smoke"), [(0, {{"x": 1.0}}, 0.1)], "{{}}")
os.kill(os.getpid(), signal.SIGKILL)
"""
    done = subprocess.run([sys.executable, "-c", script], check=False)
    assert done.returncode == -9
    with Store(path) as store:
        assert len(store) == 1
        assert store._db.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_other_files_are_refused_and_left_alone(tmp_path):
    text = tmp_path / "text.sqlite"
    text.write_text("not a database, but long enough to look like one " * 50)
    other = tmp_path / "other.sqlite"
    with closing(sqlite3.connect(other)) as db, db:
        db.execute("CREATE TABLE things (a)")
    older, newer = tmp_path / "older.sqlite", tmp_path / "newer.sqlite"
    for path, version in ((older, "1"), (newer, "3")):
        filled(path).close()
        with closing(sqlite3.connect(path)) as db, db:
            db.execute("UPDATE meta SET value = ? WHERE name = 'version'", (version,))
    paths = (text, other, older, newer)
    kept = [path.read_bytes() for path in paths]
    for path, message in (
        (text, "is not a store of linspike, or it is damaged"),
        (other, "is not a store of linspike"),
        (older, "version 1 of the store's format; this linspike reads version 2"),
        (newer, "version 3 of the store's format; this linspike reads version 2"),
    ):
        for write in (True, False):
            with pytest.raises(ls.FileFormatError, match=message):
                Store(path, write=write)
    assert [path.read_bytes() for path in paths] == kept


def test_a_missing_store_and_a_folder_that_cannot_be_written(tmp_path):
    with pytest.raises(StoreError, match="There is no store at.*linspike reproduce"):
        Store(tmp_path / "none.sqlite", write=False)
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot be written"):
        Store(tmp_path / "file" / "s.sqlite")


@pytest.mark.skipif(os.name != "posix", reason="file-size limits are POSIX")
def test_no_space_left(tmp_path):
    path = tmp_path / "s.sqlite"
    filled(path).close()
    script = f"""
import resource, signal
from linspike.errors import StoreError
from linspike.study.cells import Cell
from linspike.study.store import Store
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
store = Store({str(path)!r})
resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))
big = [(seed, {{"x": "y" * 2000}}, 0.1) for seed in range(100, 200)]
try:
    store.add("table1", Cell(scale="smoke"), big, "{{}}")
except StoreError as error:
    print(error)
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert "No space left for the store" in done.stdout
    assert "run the same command again" in done.stdout
    with Store(path) as store:
        assert [trial.seed for trial in store.trials(TABLE, "smoke")] == [0, 1, 2, 3]
        assert store._db.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_rows_are_sorted_and_json(tmp_path):
    with filled(tmp_path / "s.sqlite", [3, 1, 2]) as store:
        rows = list(store.rows())
        assert [row[2] for row in rows] == [1, 2, 3]
        assert all(json.loads(row[3]) for row in rows)


def test_conflicting_records_are_counted_and_kept_out(tmp_path):
    with filled(tmp_path / "a.sqlite", [0, 1]) as one, Store(tmp_path / "b.sqlite") as two:
        two.add("table1", CELL, [(1, {"x": 7.0}, 0.1), (5, {"x": 1.0}, 0.1)], "{}")
        before = one.trials(TABLE, "smoke")[1]
        assert one.take_over(list(two.rows())) == (1, 1)
        assert one.trials(TABLE, "smoke")[1] == before


def test_sources_tell_where_records_come_from(tmp_path):
    with Store(tmp_path / "a.sqlite") as store:
        store.add("table1", CELL, [(0, {}, 0.1), (1, {}, 0.1)], '{"commit":"abc","linspike":"1"}')
        store.add("table1", CELL, [(2, {}, 0.1)], '{"commit":"def","linspike":"1"}')
        assert store.sources() == [
            "2 trials: linspike 1, commit abc",
            "1 trials: linspike 1, commit def",
        ]


@pytest.mark.parametrize("compress", [True, False])
def test_an_export_can_be_read_back(tmp_path, compress):
    path = tmp_path / ("x.jsonl.gz" if compress else "x.jsonl")
    with filled(tmp_path / "s.sqlite") as store:
        rows = list(store.rows())
    path.write_bytes(pack_trials(format_trials(rows), compress=compress))
    assert read_trials(path) == rows


@pytest.mark.parametrize(
    "content", [b"not compressed", gzip.compress(b"[1]", mtime=0), gzip.compress(b"{", mtime=0)]
)
def test_a_damaged_export_is_refused(tmp_path, content):
    path = tmp_path / "x.jsonl.gz"
    path.write_bytes(content)
    with pytest.raises(ls.FileFormatError, match="is no export of a store, or it is damaged"):
        read_trials(path)
    (tmp_path / "folder.jsonl").mkdir()
    with pytest.raises(ls.FileFormatError, match="folder.jsonl is a folder, not an export of a"):
        read_trials(tmp_path / "folder.jsonl")


def test_an_export_of_an_older_format_is_refused(tmp_path):
    path = tmp_path / "x.jsonl"
    old = {"experiment": "table1", "cell": {}, "seed": 0, "record": {}, "provenance": {}}
    path.write_text(json.dumps(old) + "\n")
    with pytest.raises(ls.FileFormatError, match="x.jsonl was written in version 1 of the store's"):
        read_trials(path)
