"""The commands of the experiments, as a user calls them."""

import contextlib
import gzip
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
import tracemalloc

import pytest
from tests.support.shell import run

from linspike.cli.experiments import REGISTRY
from linspike.paper.report.numbers import rows_of
from linspike.study import export, workers
from linspike.study.cells import Cell
from linspike.study.store import Store

MAIN = [sys.executable, "-c", "from linspike.cli import main; main()"]


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    path = tmp_path_factory.mktemp("commands") / "s.sqlite"
    done = run("reproduce", "fig1", "fig3", "--store", path, "--jobs", 1)
    assert done.code == 0, done.err
    assert "fig3: 24 trials run in" in done.err
    assert "psp, time of peak" in done.out
    return path


def test_json_keeps_apart_what_may_differ(store):
    found = [run("reproduce", "fig1", "--store", store, "--json", "--jobs", 1) for _ in range(2)]
    one, two = (json.loads(done.out) for done in found)
    assert one["schema"] == 1
    assert one["rows"] == two["rows"]
    assert {"id", "row", "paper", "ours", "lo", "hi", "n", "scale", "verdict"} <= set(
        one["rows"][0]
    )
    assert one["provenance"]["linspike"]


def test_a_dry_run_says_what_would_be_done_and_does_nothing(tmp_path):
    done = run("reproduce", "table2", "--scale", "paper", "--dry-run", "--store", tmp_path / "n.db")
    assert done.code == 0
    assert "table2:" in done.out
    assert "DTA (paper's linear program), load" in done.out
    assert "at least" in done.out
    assert not list(tmp_path.iterdir())


def test_a_dry_run_of_a_finished_store(store):
    done = run("reproduce", "fig1", "--dry-run", "--store", store)
    assert "fig1: 0 trials in 0 cells" in done.out


def test_an_unknown_experiment_is_a_usage_error():
    done = run("reproduce", "table9")
    assert done.code == 2
    assert "There is no experiment 'table9'. There are: fig1" in done.err


def test_a_store_in_use(store):
    with Store(store):
        done = run("reproduce", "fig1", "--store", store)
    assert done.code == 1
    assert "in use by another process" in done.err
    assert "Traceback" not in done.err


def test_an_unreachable_cluster(tmp_path, monkeypatch):
    monkeypatch.setattr(workers, "CONNECT_SECONDS", 1)
    arguments = ("--cluster", "tcp://127.0.0.1:1", "--store", tmp_path / "s.sqlite")
    done = run("reproduce", "fig1", *arguments)
    assert done.code == 1
    assert "No Dask scheduler answers at tcp://127.0.0.1:1" in done.err


def test_a_place_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("")
    done = run("reproduce", "fig1", "--store", tmp_path / "file" / "s.sqlite")
    assert done.code == 1
    assert "cannot be written" in done.err


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize(
    ("jobs", "number"), [(1, signal.SIGINT), (2, signal.SIGINT), (2, signal.SIGTERM)]
)
def test_ctrl_c_says_how_to_go_on(tmp_path, jobs, number):
    path = tmp_path / "s.sqlite"
    command = [*MAIN, "reproduce", "table1", "--scale", "laptop", "--store", str(path)]
    command += ["--jobs", str(jobs)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, preexec_fn=_hears_ctrl_c)
    deadline = time.monotonic() + 60.0
    while not trials_in(path) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert trials_in(path)
    process.send_signal(number)
    asked = time.monotonic()
    try:
        _, text = process.communicate(timeout=60)  # workers that live on would hold the pipe
    finally:
        process.kill()
    assert process.returncode == 130
    assert time.monotonic() - asked < 15.0
    assert "Traceback" not in text
    assert "what was finished is in the store" in text
    assert f"Go on with: linspike reproduce table1 --scale laptop --store {path}" in text
    with Store(path) as opened:
        assert opened._db.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def trials_in(path):
    """Return the number of trials in a store that another process writes to; 0 if there is none."""
    if not path.exists():
        return 0
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as opened:
        try:
            return opened.execute("SELECT COUNT(*) FROM records").fetchone()[0]
        except sqlite3.OperationalError:  # not made yet
            return 0


def _hears_ctrl_c():
    signal.signal(signal.SIGINT, signal.default_int_handler)


def test_list_shows_every_experiment_that_the_paper_gives_numbers_of():
    done = run("list")
    assert done.code == 0
    rows = json.loads(run("list", "--json").out)["rows"]
    known = {row["id"] for row in rows}
    assert known >= {name for name in REGISTRY.ids if rows_of(name)}
    for name in known:
        assert f"\n{name} " in done.out
    assert {"table1", "table2", "fig3", "fig6", "figA1"} <= known


def test_list_from_a_store(store):
    done = run("list", "fig3", "--store", store)
    assert "slow/fast" in done.out
    assert "psp, time of peak" not in done.out
    missing = run("list", "--store", store.with_name("none.sqlite"))
    assert missing.code == 1
    assert "There is no store at" in missing.err


def test_a_report_with_files_beside_it(store, tmp_path):
    out = tmp_path / "sub" / "report.html"
    done = run("report", "--store", store, "--out", out, "--files")
    assert done.code == 0, done.err
    assert done.out.strip() == str(out)
    text = out.read_text()
    assert "linspike reproduce fig3 --scale smoke" in text
    names = {path.name for path in (out.parent / "report").iterdir()}
    assert {"fig3.png", "fig3.svg", "fig3.pdf"} <= names
    assert any(name.endswith(".csv") for name in names)


def test_a_page_without_a_suffix_and_its_files(store, tmp_path):
    page = tmp_path / "report"
    done = run("report", "--store", store, "--out", page, "--files")
    assert done.code == 0, done.err
    assert page.read_text().startswith("<!DOCTYPE html>")
    assert (tmp_path / "report_files" / "fig3.png").is_file()


def test_a_file_in_the_place_of_the_folder_is_refused(store, tmp_path):
    (tmp_path / "report").write_text("mine")
    done = run("report", "--store", store, "--out", tmp_path / "report.html", "--files")
    assert done.code == 1
    assert f"{tmp_path / 'report'} cannot be made for --files: it is a file." in done.err
    assert [path.name for path in tmp_path.iterdir()] == ["report"]


def names_of(folder, path):
    """Ways to name one file: its own name, a detour, both kinds of link."""
    (folder / "soft.html").symlink_to(path)
    (folder / "hard.html").hardlink_to(path)
    detour = path.parent / ".." / path.parent.name / path.name
    return [path, detour, os.path.relpath(path), folder / "soft.html", folder / "hard.html"]


@pytest.mark.parametrize("command", [("report",), ("report", "--files"), ("store", "export")])
def test_a_store_is_never_overwritten_by_its_own_results(tmp_path, command):
    path = tmp_path / "s.sqlite"
    with Store(path) as opened:
        opened.add("fig9", Cell(scale="smoke"), [(0, {"x": 2.0}, 0.1)], "{}")
    (tmp_path / "links").mkdir()
    names = names_of(tmp_path / "links", path)
    before, content = sorted(tmp_path.rglob("*")), path.read_bytes()
    names += [f"{path}{end}" for end in ("-wal", "-shm", "-journal", ".lock")]
    for name in names:
        done = run(*command, "--store", path, "--out", name)
        assert (done.code, done.out) == (1, "")
        assert done.err == f"linspike: {name} would be overwritten by its own results.\n"
    assert (sorted(tmp_path.rglob("*")), path.read_bytes()) == (before, content)
    assert path.stat().st_nlink == 2


def test_files_beside_a_report_leave_the_store_alone(tmp_path):
    folder = tmp_path / "page"
    folder.mkdir()
    path = folder / "all.csv"
    with Store(path):
        pass
    content = path.read_bytes()
    done = run("report", "--store", path, "--out", tmp_path / "page.html", "--files")
    assert done.code == 1
    assert f"{path} would be overwritten by its own results." in done.err
    assert path.read_bytes() == content
    assert not (tmp_path / "page.html").exists()


def test_an_export_goes_to_plain_files_only(tmp_path):
    with Store(tmp_path / "s.sqlite"):
        pass
    done = run("store", "export", "--store", tmp_path / "s.sqlite", "--out", os.devnull)
    assert done.code == 1
    assert f"{os.devnull} cannot be written: it is not a plain file." in done.err


def test_export_and_merge(store, tmp_path):
    lines = run("store", "export", "--store", store).out.splitlines()
    assert all(json.loads(line)["provenance"]["linspike"] for line in lines)
    out = tmp_path / "all.jsonl"
    assert run("store", "export", "--store", store, "--out", out).code == 0
    assert len(out.read_text().splitlines()) == len(lines)
    merged = run("store", "merge", tmp_path / "new.sqlite", store)
    assert f"{len(lines)} trials added" in merged.out
    again = run("store", "merge", tmp_path / "new.sqlite", store)
    assert "0 trials added" in again.out
    packed = tmp_path / "all.jsonl.gz"
    assert run("store", "export", "--store", store, "--out", packed).code == 0
    assert "0 trials added" in run("store", "merge", tmp_path / "new.sqlite", packed).out
    back = run("store", "merge", tmp_path / "back.sqlite", packed)
    assert f"{len(lines)} trials added" in back.out
    with Store(tmp_path / "back.sqlite") as one, Store(store) as two:
        assert one.digest() == two.digest()
    with Store(tmp_path / "back.sqlite") as one:
        one.add("fig3", Cell(scale="smoke"), [(0, {"x": 1.0}, 0.1)], "{}")
    now = run("store", "export", "--current", "--store", tmp_path / "back.sqlite")
    assert now.out.splitlines() == lines
    assert run("store", "export", "--store", store, "--out", "-").out.splitlines() == lines


def test_a_bomb_is_not_unpacked(tmp_path, monkeypatch):
    monkeypatch.setattr(export, "MAX_UNPACKED", 10**6)
    bomb = tmp_path / "b.jsonl.gz"
    bomb.write_bytes(gzip.compress(bytes(10**8)))
    tracemalloc.start()
    done = run("store", "merge", tmp_path / "new.sqlite", bomb)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert done.code == 1
    assert f"{bomb} unpacks to more than the 1000000 bytes allowed. Unpack it with" in done.err
    assert peak < 20e6


def test_without_its_data_mnist_is_skipped_and_all_is_well(tmp_path, monkeypatch):
    monkeypatch.setenv("LINSPIKE_DATA_DIR", str(tmp_path))
    path = tmp_path / "s.sqlite"
    done = run("reproduce", "table4", "fig10", "--store", str(path))
    assert done.code == 0
    assert "table4: skipped" in done.err
    assert "linspike data mnist" in done.err
    page = tmp_path / "r.html"
    assert run("report", "--store", str(path), "--out", str(page)).code == 0
    assert "skipped" in page.read_text()


def test_the_data_may_be_anywhere(tmp_path, monkeypatch):
    monkeypatch.delenv("LINSPIKE_DATA_DIR", raising=False)
    (tmp_path / "sets").mkdir()
    where = ["--store", str(tmp_path / "s.sqlite"), "--data-dir", str(tmp_path / "sets")]
    done = run("reproduce", "table4", *where)
    assert done.code == 0
    assert f"{tmp_path / 'sets'}" in done.err
    none = run("reproduce", "table4", "--data-dir", str(tmp_path / "absent"))
    assert none.code == 2
    assert "absent" in none.err
