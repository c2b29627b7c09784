"""Rows of tables: what a row measures, as fields, and the number found for it."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from enum import StrEnum
from typing import Any, NamedTuple


@dataclass(frozen=True, order=True)
class RowKey:
    """Name of a row: what it measures, as fields.

    Text is made from it at printing only; nothing parses that text.

    Parameters
    ----------
    scenario : str
        Task or condition, such as "short" or "long"; empty if an experiment has only one.
    method : str
        Name of the rule or model, such as "FILT".
    criterion : str
        Empty for the experiment's own criterion, else for example "strict".
    variant : str
        How the row differs from the method's plain row, such as "tuned" or "no gap".
    quantity : str
        What is measured, where a method has several rows or a row has no method, such as "test"
        or "Friedman p".

    Examples
    --------
    >>> RowKey("short", "FILT", criterion="strict", variant="tuned").label
    'short, FILT, strict, tuned'
    """

    scenario: str = ""
    method: str = ""
    criterion: str = ""
    variant: str = ""
    quantity: str = ""

    @property
    def label(self) -> str:
        """The key as text, for tables and messages."""
        return ", ".join(value for value in self.to_json().values())

    def but(self, **changes: str) -> RowKey:
        """Return the same key with some fields changed."""
        return replace(self, **changes)

    def to_json(self) -> dict[str, str]:
        """Return the fields that are not empty, in their order."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in values.items() if value}

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> RowKey:
        """Return the key of stored fields."""
        return cls(**stored)


class Status(StrEnum):
    """Whether a row has a number, and if not, why."""

    MEASURED = "measured"  # a number, or a bound on it
    NO_RESULT = "no result"  # run, but there is no number; the note says why
    SKIPPED = "skipped"  # its data or extras are missing; the note says which


class Row(NamedTuple):
    """One number, to be set beside a reference.

    lo and hi are the ends of its 95 % interval, n counts trials. value is None where there is no
    number, and note says why.
    """

    key: RowKey
    value: float | None
    lo: float | None = None
    hi: float | None = None
    n: int = 0
    unit: str = ""
    note: str = ""
    status: Status = Status.MEASURED
