"""Fill numbers and tables of README, docs and result pages in from published results.

python -m tools.insert_numbers           fills in
python -m tools.insert_numbers --check   lists stale and broken markers; exits 1 if there are any

`tools/inserted/markers.py` has the form of a marker, `sources.py` where numbers come from,
`*tables.py` the tables.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tools.inserted.bench_tables import BENCH_TABLES
from tools.inserted.beyond_tables import BEYOND_TABLES
from tools.inserted.markers import Makers, fill
from tools.inserted.mnist_tables import MNIST_TABLES
from tools.inserted.readings_tables import READINGS_TABLES
from tools.inserted.sources import Sources, UnknownNumberError
from tools.inserted.tables import TABLES

ROOT = Path(__file__).parents[1]
PAGES = ("README.md", "docs/**/*.md", "results/*/README.md")
REGISTRY = {**TABLES, **MNIST_TABLES, **READINGS_TABLES, **BENCH_TABLES, **BEYOND_TABLES}


def pages_of(root: Path) -> list[Path]:
    """Return the pages that may hold markers; folders like docs/_build are left out."""
    found = (path for pattern in PAGES for path in sorted(root.glob(pattern)))
    return [
        path
        for path in found
        if not any(part.startswith("_") for part in path.relative_to(root).parts)
    ]


def makers_of(root: Path) -> Makers:
    """Return what makes numbers and tables from the files under a root."""
    sources = Sources(root)

    def make_table(name: str) -> str:
        if name not in REGISTRY:
            raise UnknownNumberError(
                f"no table {name!r}: choose from {', '.join(sorted(REGISTRY))}"
            )
        return REGISTRY[name](sources)

    return Makers(sources.number, make_table)


def insert(root: Path, *, write: bool) -> list[str]:
    """Fill all pages in and return the problems as "file:line: message".

    With `write` stale markers are put right, and only broken ones are problems.
    """
    makers = makers_of(root)
    problems = []
    for path in pages_of(root):
        text = path.read_text(encoding="utf-8")
        filled = fill(text, makers)
        if write and filled.stale:
            path.write_text(filled.text, encoding="utf-8")
        wrong = filled.broken if write else sorted(filled.broken + filled.stale)
        problems += [f"{path.relative_to(root)}:{line}: {message}" for line, message in wrong]
    return problems


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m tools.insert_numbers", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--check", action="store_true", help="change nothing")
    problems = insert(ROOT, write=not parser.parse_args().check)
    sys.exit("\n".join(problems) or None)


if __name__ == "__main__":
    main()
