"""A method of a table: a rule, its fixed settings, and the parameter that tuning varies."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from linspike.study.rows import RowKey

TUNED = "tuned"


@dataclass(frozen=True)
class Method:
    """A rule as it enters a table.

    Parameters
    ----------
    name : str
        Name in the table.
    rule : str
        Key of the rule.
    settings : dict
        Fixed settings, spelled out: a stored cell does not depend on defaults.
    parameter : str
        The setting that tuning varies.
    common : float
        Its value without tuning.
    grid : tuple of float
        Its values in tuning.
    variant : str
        How the method differs from another of the same name; empty for the plain one.

    Examples
    --------
    >>> method = Method("FILT", "filt", {}, "eta", 0.01, (0.001, 0.01, 0.1))
    >>> method.key("short", variant=TUNED).label, method.settings_at(0.1)
    ('short, FILT, tuned', {'eta': 0.1})
    """

    name: str
    rule: str
    settings: dict[str, Any]
    parameter: str
    common: float
    grid: tuple[float, ...]
    variant: str = ""

    def key(self, scenario: str = "", criterion: str = "", variant: str = "") -> RowKey:
        """Return the row of the method in a scenario, under a criterion, and with a variant."""
        variants = ", ".join(text for text in (self.variant, variant) if text)
        return RowKey(scenario, self.name, criterion, variants)

    def settings_at(self, value: float | None = None) -> dict[str, Any]:
        """Return all settings, with the tuned parameter at a value or at its common one."""
        return {**self.settings, self.parameter: self.common if value is None else value}

    def cell_fields(self, value: float | None = None) -> dict[str, Any]:
        """Return the fields of a `RuleCell` in the method's own row, with settings at a value."""
        return {"row": self.key(), "rule": self.rule, "settings": self.settings_at(value)}

    def but(self, **changes: Any) -> Method:
        """Return the same method with some fields changed."""
        return replace(self, **changes)
