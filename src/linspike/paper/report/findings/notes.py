"""What other readings gave, for every row that is short of the paper's number or differs from it.

"Explained": a reading that the text allows gives the printed number. "Tried": none does, and these
were tried. Numbers are filled in from results, and which of the words stands depends on them.
"""

from __future__ import annotations

from collections.abc import Sequence

from linspike.paper.report.findings.finding import Finding, fill
from linspike.paper.report.findings.sentence import Where
from linspike.paper.report.findings.sentences import SENTENCES
from linspike.paper.report.sections import Section, find_in
from linspike.paper.report.verdicts import Verdict, join_sentences


def add_readings(sections: Sequence[Section]) -> list[Section]:
    """Return the sections; notes on rows that are short or differ end in what readings gave."""
    found: dict[Where, str] = {}
    for sentence in SENTENCES:
        finding = Finding(sentence.numbers, tuple(sentence.statements))
        for word, text in fill(finding, lambda name, key: find_in(sections, name, key))[:1]:
            for row in sentence.rows:
                found.setdefault((sentence.experiment, row), f"{word}: {text}")
    return [_annotate(section, found) for section in sections]


def _annotate(section: Section, found: dict[Where, str]) -> Section:
    results = []
    for key, result in section.by_key.items():
        text = found.get((section.id, key))
        if text and result.verdict in (Verdict.SHORT, Verdict.DIFFERS):
            result = result._replace(note=join_sentences(result.note, text))
        results.append(result)
    return section.but(results=tuple(results)) if results else section
