"""A sentence on a row that is short or differs: which readings were tried, and what they gave."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from linspike.paper.report.findings.finding import Check, Statement, say
from linspike.study.rows import RowKey

EXPLAINED, TRIED = "Explained", "Tried"
Where = tuple[str, RowKey]  # experiment and row


class Sentence(NamedTuple):
    """One sentence, and the rows whose note it ends.

    Parameters
    ----------
    experiment : str
        Id of the experiment that the rows belong to.
    rows : tuple of RowKey
        The rows.
    numbers : dict
        Where the numbers of the text are.
    text : str
        As of `Statement`.
    explained_if : tuple of Check
        The rows are explained if one of these holds.
    """

    experiment: str
    rows: tuple[RowKey, ...]
    numbers: dict[str, Where]
    text: str
    explained_if: tuple[Check, ...] = ()

    @property
    def statements(self) -> list[Statement]:
        """The sentence with each of its words, that which says more first."""
        found = [say(EXPLAINED, self.text, check) for check in self.explained_if]
        return [*found, say(TRIED, self.text)]


def tell(
    experiment: str,
    rows: RowKey | Sequence[RowKey],
    numbers: dict[str, Where],
    text: str,
    *explained_if: Check,
) -> Sentence:
    """Return a sentence on one row or several."""
    own = (rows,) if isinstance(rows, RowKey) else tuple(rows)
    return Sentence(experiment, own, numbers, text, explained_if)
