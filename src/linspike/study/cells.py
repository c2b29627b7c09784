"""Cells and their trials.

A cell is one setting of an experiment, typed, with one JSON form that names it in the store.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any, NamedTuple, Self

from linspike.rules import rule_of
from linspike.rules.base import Rule
from linspike.study.rows import RowKey

# Settings that cells stored before they existed leave out: what the rule did then.
EARLIER: dict[str, dict[str, Any]] = {
    "dta": {"hold_tolerance": 0.0, "count_target": "halving", "delays": False}
}

Record = dict[str, Any]  # what one trial found: flat, of what JSON can hold


@dataclass(frozen=True, kw_only=True)
class Cell:
    """One setting of an experiment. Every experiment derives its own and adds fields.

    A cell holds all that its trials depend on but the seed, so that a stored trial never depends
    on a default. Fields are numbers, texts, flags, None, tuples and dicts of them, or a `RowKey`.

    Parameters
    ----------
    scale : str
        "smoke", "laptop" or "paper".
    seed_block : int
        Which stretch of seeds its trials take, see `runner.SEEDS_PER_BLOCK`.
    """

    scale: str
    seed_block: int = 0

    def but(self, **changes: Any) -> Self:
        """Return the same cell with some fields changed."""
        return replace(self, **changes)

    def describe(self) -> str:
        """Return the cell in a few words, for lines of progress."""
        names = [item.name for item in fields(self) if item.name not in ("scale", "seed_block")]
        values = [(name.replace("_", " "), getattr(self, name)) for name in names]
        return ", ".join(f"{name} {value}" for name, value in values if value not in (None, ""))

    @cached_property
    def digest(self) -> str:
        """Name of the cell in the store: a hash of its JSON."""
        return hash_cell(self.to_json())

    def to_json(self) -> dict[str, Any]:
        """Return the fields as JSON holds them."""
        return {item.name: _plain(getattr(self, item.name)) for item in fields(self)}

    @classmethod
    def fits(cls, stored: dict[str, Any]) -> bool:
        """Return whether stored fields are those of this class, and not of an earlier version."""
        return set(stored) == {item.name for item in fields(cls)}

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> Self:
        """Return the cell of stored fields; lists become tuples, `row` becomes a `RowKey`."""
        values = {name: _frozen(value) for name, value in stored.items()}
        if "row" in values:
            values["row"] = RowKey.from_json(values["row"])
        return cls(**values)


@dataclass(frozen=True, kw_only=True)
class RowCell(Cell):
    """A cell of a table: the row that its trials belong to.

    Parameters
    ----------
    row : RowKey
        The row; of a tuning cell the row that its best setting will have.
    tuning : bool
        Whether the cell is one of the settings tried in tuning.
    """

    row: RowKey
    tuning: bool = False

    def vary(self, variant: str, **changes: Any) -> Self:
        """Return a cell of another variant of the row, with some fields changed."""
        return self.but(row=self.row.but(variant=variant), **changes)

    def describe(self) -> str:
        """Return the row's label."""
        return f"{'tuning of ' if self.tuning else ''}{self.row.label}"


@dataclass(frozen=True, kw_only=True)
class RuleCell(RowCell):
    """A cell of a table that trains a rule of the registry.

    Parameters
    ----------
    rule : str
        Key of the rule.
    settings : dict
        All settings of the rule that are not its defaults; see `rule_of_cell` for later ones.
    """

    rule: str
    settings: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        # As `from_json` returns them: a rule names pairs as lists.
        object.__setattr__(self, "settings", _frozen(self.settings))

    def make_rule(self) -> Rule:
        """Return the rule with the cell's settings."""
        return rule_of_cell(self.rule, self.settings)


def rule_of_cell(rule: str, settings: dict[str, Any]) -> Rule:
    """Return the rule of a cell.

    Settings that came after published cells have their values of before, unless a cell names them:
    what is stored stays what the cell gives.
    """
    return rule_of(rule, "experiment", **{**EARLIER.get(rule, {}), **settings})


class Trial(NamedTuple):
    """One stored trial. `cell` has the type that its experiment declares."""

    cell: Any
    seed: int
    record: Record


def one_seed(scale: str, cell: Cell) -> Sequence[int]:
    """Return the one seed of an experiment without randomness."""
    return range(1)


def canonical(value: Any) -> str:
    """Return JSON with one spelling for one value."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def hash_cell(stored: dict[str, Any]) -> str:
    """Return the name that a cell with these stored fields has in the store."""
    return hashlib.sha256(canonical(stored).encode()).hexdigest()[:20]


def _plain(value: Any) -> Any:
    if isinstance(value, RowKey):
        return value.to_json()
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    return value


def _frozen(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(_frozen(each) for each in value)
    if isinstance(value, dict):
        return {name: _frozen(each) for name, each in value.items()}
    return value
