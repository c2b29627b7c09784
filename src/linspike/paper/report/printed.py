"""One number that the paper prints: what it claims, and which way is better."""

from __future__ import annotations

from enum import StrEnum
from functools import partial
from typing import Any, NamedTuple, Self

from linspike.paper.common.methods import LINEAR_PROGRAM, PROJECTION
from linspike.study.rows import RowKey

PSP_PROGRAM = "DTA psp (paper's linear program)"
PROGRAMS = (LINEAR_PROGRAM, PSP_PROGRAM)  # the paper's DTA, with which the projection is compared


class Aim(StrEnum):
    """Direction from a printed number that is better."""

    HIGHER = "higher"
    LOWER = "lower"
    EQUAL = "equal"  # neither: a number to be met, or a side of it to be on
    BESIDE = "beside"  # neither: a statistic that depends on the number of trials, only shown


class Relation(StrEnum):
    """Relation to a number that the paper states.

    Attributes
    ----------
    prefix : str
        Put before the number where it is shown.
    is_end : bool
        Whether the number is only an end of what is claimed. A result beyond such an end does what
        the paper says, and no better.
    includes : bool
        Whether the end belongs to what is claimed.
    """

    prefix: str
    is_end: bool
    includes: bool

    IS = "is", "", False, False
    ABOUT = "about", "about ", False, False
    AT_LEAST = "at least", "at least ", True, True
    AT_MOST = "at most", "at most ", True, True
    ABOVE = "above", "> ", True, False
    BELOW = "below", "< ", True, False

    def __new__(cls, word: str, prefix: str, is_end: bool, includes: bool) -> Self:
        """Return the member with its attributes."""
        member = str.__new__(cls, word)
        member._value_ = word
        member.prefix, member.is_end, member.includes = prefix, is_end, includes
        return member


class Printed(NamedTuple):
    """One number of the paper.

    Attributes
    ----------
    experiment : str
        Id of the experiment that measures it.
    row : RowKey
        Row of that experiment that it belongs to.
    value : float
        As printed; the lower end where the paper prints a range.
    spread : float or None
        Standard deviation, where printed.
    unit : str
        Unit of value and spread.
    where : str
        Place in the paper.
    relation : Relation
        What the paper says of it.
    aim : Aim
        Which way is better.
    upto : float or None
        Upper end of a printed range.
    rounding : float
        Half a unit of the last printed digit; what `Aim.EQUAL` allows on either side.
    note : str
        Slip or ambiguity.
    quoted : bool
        Whether the paper has it from other work: there is nothing to run.
    variants : bool
        Whether variants of the row are compared with it too.
    beside : tuple of RowKey
        Other rows of the experiment that are compared with it.
    of_others : bool
        Whether it is said of rules that DTA is compared with.
    """

    experiment: str
    row: RowKey
    value: float
    spread: float | None = None
    unit: str = ""
    where: str = ""
    relation: Relation = Relation.IS
    aim: Aim = Aim.HIGHER
    upto: float | None = None
    rounding: float = 0.0
    note: str = ""
    quoted: bool = False
    variants: bool = False
    beside: tuple[RowKey, ...] = ()
    of_others: bool = False

    @property
    def text(self) -> str:
        """The number as the paper states it: "about 2", "5 to 10", "96.1 ± 2.61"."""
        text = f"{self.relation.prefix}{self.value:.10g}"
        if self.upto is not None:
            text += f" to {self.upto:.10g}"
        return text if self.spread is None else f"{text} ± {self.spread:.10g}"


def quantity_of(method: str, quantity: str) -> RowKey:
    """Return the key of one of several quantities of a method."""
    return RowKey(method=method, quantity=quantity)


def beside_projection(row: RowKey) -> tuple[RowKey, ...]:
    """Return the projection's row, where the paper's linear program has a number."""
    return (row.but(method=PROJECTION),) if row.method in PROGRAMS else ()


def capacity(table: str, row: RowKey, value: float, unit: str, note: str = "") -> Printed:
    """Return a capacity, with which all variants of its row are compared."""
    where, beside = table.replace("table", "Table "), beside_projection(row)
    return Printed(
        table, row, value, unit=unit, where=where, note=note, variants=True, beside=beside
    )


def accuracy(table: str, method: str, part: str, value: float, spread: float) -> Printed:
    """Return an accuracy in training or testing, in per cent."""
    row, where = quantity_of(method, part), table.replace("table", "Table ")
    beside = beside_projection(row)
    if table == "table4":  # compared also where tuned, which is not the paper's protocol
        beside += tuple(key.but(variant="tuned") for key in (row, *beside))
        beside += tuple(key.but(variant="tuned, margin 0.5") for key in beside_projection(row))
    return Printed(table, row, value, spread, "%", where, beside=beside)


def claim(
    experiment: str,
    row: RowKey,
    relation: Relation,
    value: float,
    unit: str,
    where: str,
    note: str = "",
    *,
    aim: Aim = Aim.HIGHER,
) -> Printed:
    """Return a number that is better if higher, or as `aim` says."""
    return Printed(experiment, row, value, None, unit, where, relation, aim, note=note)


cost = partial(claim, aim=Aim.LOWER)


def of_others(*said: Any) -> Printed:
    """Return a claim about rules that DTA is compared with: neither side of it is better."""
    return claim(*said, aim=Aim.EQUAL)._replace(of_others=True)


def met(
    experiment: str, quantity: str, value: float, rounding: float, unit: str, where: str, note: str
) -> Printed:
    """Return a number with no better side, of a row without a method."""
    row = RowKey(quantity=quantity)
    return Printed(
        experiment,
        row,
        value,
        None,
        unit,
        where,
        Relation.ABOUT,
        Aim.EQUAL,
        rounding=rounding,
        note=note,
    )


def statistic(table: str, quantity: str, value: float, where: str, note: str = "") -> Printed:
    """Return a test's outcome: it depends on the number of trials and is no target."""
    row = quantity_of(LINEAR_PROGRAM, quantity)
    return Printed(table, row, value, where=where, aim=Aim.BESIDE, note=note)


def quoted(item: Printed) -> Printed:
    """Return a number that the paper has from other work."""
    return item._replace(note="Quoted by the paper from other work.", quoted=True)
