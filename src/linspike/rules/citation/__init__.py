"""What to cite: linspike, the paper it implements, and the papers of its rules."""

from __future__ import annotations

import re
from importlib import metadata, resources
from typing import Any

from linspike.errors import ParameterError, Words
from linspike.rules import REGISTRY

PAPER = "dta"  # the rule of the paper that linspike implements
YEAR = 2026  # of this version; a test compares it with CITATION.cff, which is not in the wheel
SOFTWARE = """\
@misc{{linspike,
  author = {{{{The linspike contributors}}}},
  title  = {{linspike: exact multi-spike learning for spiking neurons, by linear constraints}},
  year   = {{{year}}},
  note   = {{Python package, version {version}}},
}}"""


def citation(rule: Any = None) -> str:
    """Return what to cite as BibTeX: linspike, Nguyen & Chu, and the paper of a rule.

    Parameters
    ----------
    rule : str, Rule or type, optional
        A learning rule: its name, a rule, or its class.

    Examples
    --------
    >>> import linspike as ls
    >>> ls.citation("resume").count("@")
    3
    """
    keys = [PAPER] if rule is None else [PAPER, _check_key(rule)]
    entries = [entry for entry, rules in _read_entries().items() if rules & set(keys)]
    software = SOFTWARE.format(version=metadata.version("linspike"), year=YEAR)
    # Words: a session shows the text itself, without quotes and escapes.
    return Words("\n\n".join([software, *entries]))


def _check_key(rule: Any) -> str:
    """Return the name of a rule, or raise; a rule of the user's own is in no bibliography."""
    key = rule if isinstance(rule, str) else getattr(rule, "key", None)
    if key not in REGISTRY:
        raise ParameterError.of("rule", "citation", f"a rule of {tuple(REGISTRY)}", rule)
    return str(key)


def _read_entries() -> dict[str, set[str]]:
    """Return every entry of the bibliography with the rules that its keywords name."""
    text = resources.files(__package__).joinpath("references.bib").read_text("utf-8")
    found = {}
    for entry in text.strip().split("\n\n"):
        head, keywords, tail = re.split(r"\n *keywords += \{(.*)\},", entry)
        found[head + tail] = set(keywords.split(", "))
    return found
