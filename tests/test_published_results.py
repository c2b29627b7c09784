"""The results in the package and the table kept in results/ are the same; what they come from."""

import csv
import gzip
import json

import pytest
from tests.support.paths import ROOT
from tools.inserted.sources import PUBLISHED

from linspike.study.tuning import TUNING_SEEDS

NUMBERS = ("paper", "ours", "lo", "hi", "n")
READINGS = ("mnist_readings", "program", "step_sizes")


def test_the_table_of_results_has_the_published_numbers():
    rows = json.loads((ROOT / PUBLISHED).read_text())["rows"]
    published = {(row["id"], row["row"]): row for row in rows}
    with (ROOT / "results" / "paper" / "results.csv").open(encoding="utf-8", newline="") as file:
        kept = {(row["id"], row["row"]): row for row in csv.DictReader(file)}
    assert len(published) == len(rows)
    assert set(kept) == set(published)
    for name, row in published.items():
        numbers = {
            field: float(kept[name][field]) if kept[name][field] else None for field in NUMBERS
        }
        # Rounding errors of a fit around 0 differ by processor.
        assert numbers == pytest.approx({field: row[field] for field in NUMBERS}, abs=1e-9), name
        assert kept[name]["unit"] == row["unit"], name


def test_nothing_is_chosen_on_the_seeds_or_the_test_images_of_the_tables():
    kinds = set()
    with gzip.open(ROOT / "results" / "paper" / "trials.jsonl.gz", "rt") as lines:
        for line in lines:
            trial = json.loads(line)
            cell, name = trial["cell"], trial["experiment"]
            choosing = bool(cell.get("tuning")) or name in READINGS
            apart = trial["seed"] >= TUNING_SEEDS.start
            kinds.add((name, choosing, cell.get("validation", False), apart))
    assert {name for name, choosing, _, _ in kinds if choosing} >= {"table1", "table4", *READINGS}
    for name, choosing, validation, apart in kinds:
        assert apart or not choosing, name
        assert validation == apart or name not in ("table4", "mnist_readings"), name
