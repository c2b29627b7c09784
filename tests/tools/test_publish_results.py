"""Publishing: trials that are asked for today go to their folder, rows with verdicts to the package."""

import gzip
import json

import pytest

from linspike.cli.experiments import REGISTRY
from linspike.study.runner import run
from linspike.study.store import Store
from linspike.study.workers import Serial
from tools import publish_results


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    with Store(tmp_path_factory.mktemp("store") / "s.sqlite") as opened:
        for name in ("fig1", "fig4"):
            run(REGISTRY.load(name), "smoke", opened, Serial())
        yield opened


@pytest.fixture
def folders(monkeypatch, tmp_path):
    for name in ("paper", "laptop"):
        (tmp_path / name / "figures").mkdir(parents=True)
    monkeypatch.setattr(publish_results, "RESULTS", tmp_path)
    monkeypatch.setattr(publish_results, "PUBLISHED", tmp_path / "published.json")
    return tmp_path


def trials_in(path):
    return [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]


def test_trials_are_exported_by_folder_without_those_of_older_versions(store, folders):
    cell = {"scale": "smoke", "seed_block": 0, "of": "an older version"}
    rows = [("fig1", json.dumps(cell), 0, "{}", 0.1, "{}")]
    store.take_over(rows)
    publish_results.write_exports(store)
    found = trials_in(folders / "paper" / "trials.jsonl.gz")
    assert {trial["experiment"] for trial in found} == {"fig1", "fig4"}
    assert not [trial for trial in found if "of" in trial["cell"]]
    assert len(found) == len(store) - 1


def test_rows_have_verdicts_and_the_versions_that_made_them(store, folders, monkeypatch):
    some = [REGISTRY.load(name) for name in ("fig1", "fig4")]
    monkeypatch.setattr(publish_results.REGISTRY, "load_all", lambda: some)
    publish_results.write_published(store)
    published = json.loads((folders / "published.json").read_text())
    assert published["schema"] == 1
    assert {row["id"] for row in published["rows"]} == {"fig1", "fig4"}
    assert {row["verdict"] for row in published["rows"]} <= {"no number in the paper"}
    assert published["provenance"]["records"]


def test_a_command_that_fails_ends_the_run(tmp_path):
    with pytest.raises(SystemExit, match="linspike store failed"):
        publish_results.run("store", "merge", tmp_path / "a.sqlite", tmp_path / "absent.sqlite")
