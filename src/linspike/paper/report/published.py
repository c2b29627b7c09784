"""Results that come with the package."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib import resources
from typing import Any

from linspike.paper.report.verdicts import Result, Verdict, compare

FILE = "published.json"


def read_published() -> dict[str, Any]:
    """Return {"schema", "rows", "provenance"} of the published results; no rows if none are."""
    source = resources.files("linspike.paper.report") / FILE
    if not source.is_file():
        return {"schema": 1, "rows": [], "provenance": {}}
    found: dict[str, Any] = json.loads(source.read_text())
    return found


def published_results(ids: Sequence[str]) -> list[Result]:
    """Return the published rows of these experiments; those without any say "not run"."""
    verdicts = {verdict.value: verdict for verdict in Verdict}
    rows: dict[str, list[Result]] = {}
    for row in read_published()["rows"]:
        result = Result(**{**row, "verdict": verdicts[row["verdict"]]})
        rows.setdefault(result.id, []).append(result)
    return [result for name in ids for result in rows.get(name) or compare(name, "paper", None)]
