"""Readings of MNIST: what each changes, and rows of them."""

import gzip
import json
from pathlib import Path

import pytest
from tests.support import large_digits
from tests.support.summaries import check_summary

from linspike.cli.experiments import REGISTRY
from linspike.paper.common import mnist
from linspike.paper.common.methods import LINEAR_PROGRAM
from linspike.paper.readings import mnist_readings
from linspike.paper.readings.mnist_readings import BEST, KEY, LITERAL, PARTS, READINGS, WHOLE
from linspike.paper.tables import table4
from linspike.study.cells import Trial
from linspike.study.experiment import NotEnoughTrials
from linspike.study.rows import RowKey
from linspike.study.runner import find_missing, run
from linspike.study.store import Store
from linspike.study.tuning import TUNING_SEEDS
from linspike.study.workers import Serial

ROOT = Path(__file__).resolve().parents[3]
MADE = REGISTRY.load("mnist_readings")
CELLS = {cell.row.variant: cell for cell in mnist_readings.cells("paper", [])}


def make_trials(names=tuple(READINGS), scale="paper"):
    """Trials whose validation accuracy is 80 plus their place; ties add 2, silence takes 1 off."""
    found = []
    for cell in mnist_readings.cells(scale, []):
        if cell.row.variant in names:
            value = 80.0 + list(READINGS).index(cell.row.variant)
            curves = ([10.0, value], [11.0, value + 2.0], [12.0, value + 1.0])
            record = dict(zip(PARTS, curves, strict=True))
            found += [Trial(cell, seed, record) for seed in mnist_readings.seeds(scale, cell)]
    return found


def test_the_literal_reading_is_table_4_on_validation_images():
    own = CELLS[LITERAL]
    table = next(c for c in table4.cells("paper", []) if c.row == RowKey(method=LINEAR_PROGRAM))
    changes = {"row": own.row, "validation": True, "images": 50_000, "epochs": 5}
    assert own == table.but(**changes)


def test_every_reading_changes_what_it_names():
    literal = CELLS[LITERAL]
    for name, fields in READINGS.items():
        settings = {**literal.settings, **fields.get("settings", {})}
        epochs = 20 if name == WHOLE else 5
        changed = {**fields, "settings": settings, "epochs": epochs}
        assert CELLS[name] == literal.vary(name, **changed)
        CELLS[name].make_rule()
    changed = {name: CELLS[name].but(row=literal.row) for name in READINGS}
    assert len({cell.digest for cell in changed.values()}) == len(READINGS)
    assert CELLS["bound 0.003"].settings["bound"] == 0.003
    assert CELLS["fallback 0.001 per step"].settings["fallback_step"] == mnist.PAPERS_ETA
    assert literal.settings["fallback_per"] == "row"


def test_seeds_are_those_of_tuning():
    for scale, count in (("smoke", 1), ("laptop", 1), ("paper", 3)):
        for cell in mnist_readings.cells(scale, []):
            name = cell.row.variant
            trials = 10 if scale == "paper" and name in BEST else count
            assert list(mnist_readings.seeds(scale, cell)) == list(TUNING_SEEDS[:trials])
            assert cell.validation
            assert cell.epochs <= (20 if name == WHOLE else 5)


def mean_of_three(part):
    """Return the mean of the first three published trials of readings with five epochs."""
    found = {name: {} for name in READINGS if name != WHOLE}
    with gzip.open(ROOT / "results" / "paper" / "trials.jsonl.gz", "rt") as lines:
        for line in lines:
            if '"experiment": "mnist_readings"' in line:
                trial = json.loads(line)
                name, seed = trial["cell"]["row"]["variant"], trial["seed"]
                if name in found and seed in TUNING_SEEDS[:3]:
                    found[name][seed] = trial["record"][part][-1]
    assert {len(own) for own in found.values()} == {3}
    return {name: sum(own.values()) / 3 for name, own in found.items()}


def test_ten_trials_are_those_of_the_best_and_of_the_nearest():
    first, among = mean_of_three("test"), mean_of_three("test, among")
    best = sorted(first, key=first.get)[-3:]
    nearest = sorted(among, key=lambda name: abs(among[name] - 97.54))[:3]
    assert {*best, *nearest, WHOLE} == set(BEST)


def test_rows_are_last_accuracies_under_each_reading_of_ties():
    summary = mnist_readings.summarise("paper", make_trials())
    check_summary(summary)
    rows = {row.key: row for row in summary.rows}
    assert len(rows) == 3 * len(READINGS)
    for place, name in enumerate(READINGS):
        for quantity, more in (
            ("validation", 0.0),
            ("validation, among", 2.0),
            ("validation, among, not silent", 1.0),
        ):
            row = rows[KEY.but(variant=name, quantity=quantity)]
            assert (row.value, row.unit) == (80.0 + place + more, "%")
            assert row.n == (10 if name in BEST else 3)


def test_the_picture_has_the_first_reading_on_top():
    (panel,) = mnist_readings.summarise("paper", make_trials()).details
    assert panel.y_names == tuple(reversed(READINGS))
    first, among = panel.lines
    assert list(first.x) == [80.0 + place for place in reversed(range(len(READINGS)))]
    assert [b - a for a, b in zip(first.x, among.x, strict=True)] == [2.0] * len(READINGS)
    assert list(first.y) == list(range(1, len(READINGS) + 1))


def test_readings_without_trials_are_left_out():
    some = ("bound 0.01", LITERAL)
    summary = mnist_readings.summarise("paper", make_trials(some))
    assert {row.key.variant for row in summary.rows} == set(some)
    assert summary.details[0].y_names == some
    with pytest.raises(NotEnoughTrials, match="No reading of MNIST has trials"):
        mnist_readings.summarise("paper", [])


def test_a_smoke_run(monkeypatch, tmp_path):
    read = large_digits.install(monkeypatch)
    large_digits.install_networks(monkeypatch)
    with Store(tmp_path / "s.sqlite") as store:
        assert run(MADE, "smoke", store, Serial()) == len(READINGS)
        assert find_missing(MADE, "smoke", store) == []
        trials = store.trials(MADE, "smoke")
    assert set(read) == {"train"}  # no test image
    check_summary(mnist_readings.summarise("smoke", trials))
    records = {trial.cell.row.variant: trial.record for trial in trials}
    for name, record in records.items():
        assert {part.replace("test", "train") for part in PARTS} | {*PARTS} == set(record)
        for first, among in zip(record["test"], record["test, among"], strict=True):
            assert first <= among, name
    assert records[LITERAL]["test"][-1] > 20.0  # 10 by chance
    assert len({str(record) for record in records.values()}) > len(READINGS) // 2
