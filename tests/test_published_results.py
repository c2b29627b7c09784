"""The results in the package and the table kept in results/ are the same."""

import csv
import json

import pytest
from tests.support.paths import ROOT
from tools.inserted.sources import PUBLISHED

NUMBERS = ("paper", "ours", "lo", "hi", "n")


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
