"""Cells and rows: typed, with one JSON form, and never parsed from text."""

from dataclasses import dataclass

import pytest

import linspike as ls
from linspike.study.cells import Cell, RowCell, RuleCell, canonical, hash_cell
from linspike.study.methods import TUNED, Method
from linspike.study.rows import RowKey

ROW = RowKey("short", "FILT", criterion="strict", variant="tuned")


@dataclass(frozen=True, kw_only=True)
class WideCell(RuleCell):
    """A cell with every kind of field."""

    loads: tuple[tuple[int, float], ...] = ()
    flag: bool = False
    none: float | None = None


def test_a_cell_survives_json():
    settings = {"eta": 0.1, "schedule": (1.5, 0.5)}
    cell = WideCell(
        scale="paper", row=ROW, rule="filt", settings=settings, loads=((1, 0.5), (2, 0.25))
    )
    stored = cell.to_json()
    assert stored["row"] == {
        "scenario": "short",
        "method": "FILT",
        "criterion": "strict",
        "variant": "tuned",
    }
    assert stored["loads"] == [[1, 0.5], [2, 0.25]]
    assert WideCell.fits(stored)
    back = WideCell.from_json(stored)
    assert back == cell
    assert back.digest == cell.digest == hash_cell(stored)


def test_every_field_names_the_cell():
    cell = Cell(scale="smoke")
    assert cell.digest != cell.but(scale="paper").digest
    assert cell.digest != cell.but(seed_block=1).digest
    assert hash_cell({"a": 1, "b": 2.5}) == hash_cell({"b": 2.5, "a": 1})
    with pytest.raises(ValueError, match="not JSON compliant"):
        canonical({"a": float("nan")})


def test_cells_with_other_fields_do_not_fit():
    stored = Cell(scale="smoke").to_json()
    assert Cell.fits(stored)
    assert not Cell.fits({"scale": "smoke"})
    assert not Cell.fits({**stored, "load": 3})


def test_a_cell_in_words():
    assert RowCell(scale="smoke", row=ROW).describe() == "short, FILT, strict, tuned"
    tuning = RowCell(scale="smoke", row=ROW, tuning=True)
    assert tuning.describe() == "tuning of short, FILT, strict, tuned"

    @dataclass(frozen=True, kw_only=True)
    class Lag(Cell):
        delta: float
        max_steps: int
        label: str = ""

    assert Lag(scale="smoke", delta=2.5, max_steps=3).describe() == "delta 2.5, max steps 3"


def test_a_cell_makes_its_rule():
    cell = RuleCell(scale="smoke", row=ROW, rule="psd", settings={"eta": 0.25})
    assert cell.make_rule() == ls.rules.PSD(eta=0.25)


def test_keys_change_and_sort_by_their_fields():
    assert ROW.but(criterion="").label == "short, FILT, tuned"
    assert RowKey(quantity="bound").label == "bound"
    assert RowKey.from_json(ROW.to_json()) == ROW
    assert RowKey("a", "b") < RowKey("b", "a")


def test_a_method_has_a_row_and_settings():
    method = Method("DTA", "dta", {"margin": 0.1}, "bound", 0.4, (0.3, 0.4), variant="gradient")
    assert method.key("long", variant=TUNED) == RowKey("long", "DTA", variant="gradient, tuned")
    assert method.but(variant="").key() == RowKey(method="DTA")
    assert method.settings_at() == {"margin": 0.1, "bound": 0.4}
    assert method.settings_at(0.0) == {"margin": 0.1, "bound": 0.0}
