"""Numbers stay what they were: today's are compared with tests/golden/guards.json.

`python tools/record_guards.py --check` compares everything; here all but what needs data is.
On the processor and versions of a record, digests must agree. Elsewhere last bits may differ;
then five digits must agree; of experiments that search or learn for long, labels alone.
"""

import gzip
import json
import math
import os
from pathlib import Path

import pytest
from tests.support.guard_answers import responses
from tests.support.guard_chains import chains
from tests.support.guard_runs import FAST, listed, run_smoke
from tests.support.guard_values import host

GOLDEN = Path(__file__).parent / "golden"
RECORDS = ("guards", "guards_portable")
BITS = {"weights", "history", "predictions", "decisions", "trains", "panels", "trials", "values"}
LABELS = ("row", "paper", "unit", "claim", "where")
TOLERANCE = 1e-5
# Chains that lose their digits on other processors, and runs that keep them.
SENSITIVE = {"times: DTA, min_norm, hard", "counts: paper, critical", "classifier: rasters"}
STEADY = {"fig1", "fig2", "fig4", "figA1"}

if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
    pytest.skip("uncompiled chains take too long", allow_module_level=True)


def read_record():
    """Return the record made on a host like this one, else the first; and whether it is like."""
    found = [json.loads((GOLDEN / f"{name}.json").read_text()) for name in RECORDS]
    here = host()
    alike = [record for record in found if record["host"] == here]
    return (alike or found)[0], bool(alike)


def read_cells(name="guards"):
    """Return the cells that were recorded, by experiment."""
    return json.loads(gzip.decompress((GOLDEN / f"{name}_cells.json.gz").read_bytes()))


def differences(recorded, found, place=""):
    """Yield a line for each value that differs."""
    if isinstance(recorded, dict) and isinstance(found, dict):
        for key in {**recorded, **found}:
            here = f"{place}/{key}"
            yield from differences(recorded.get(key, "-"), found.get(key, "-"), here)
    elif isinstance(recorded, list) and isinstance(found, list) and len(recorded) == len(found):
        for i, pair in enumerate(zip(recorded, found, strict=True)):
            yield from differences(*pair, f"{place}/{i}")
    elif recorded != found and not _near(recorded, found):
        yield f"{place}: recorded {recorded!r}, found {found!r}"


def _near(recorded, found):
    both = isinstance(recorded, Rounded) and isinstance(found, float)
    return both and math.isclose(recorded, found, rel_tol=TOLERANCE, abs_tol=TOLERANCE)


class Rounded(float):
    """A recorded number of which the first digits count."""


def loosened(value):
    """Return what holds on any processor."""
    if isinstance(value, list):
        return [loosened(part) for part in value]
    if isinstance(value, float):
        return Rounded(value)
    if not isinstance(value, dict):
        return value
    return {key: loosened(part) for key, part in value.items() if key not in BITS}


def compare(name, recorded, found, exact):
    """Return the differences of one guard; of a sensitive one only where digests count."""
    if exact:
        return list(differences(recorded, found))
    if name in SENSITIVE:
        return []
    return list(differences(loosened(recorded), loosened(found)))


def compare_run(name, recorded, found, exact):
    """Return the differences of one experiment's run; on other processors often labels alone."""
    if exact:
        return list(differences(recorded, found))
    if name in STEADY:
        return list(differences(loosened(recorded), loosened(found)))
    runs = (recorded, found)
    labels = [[{key: row[key] for key in LABELS} for row in run["rows"]] for run in runs]
    return list(differences(*labels))


def compare_cells(recorded, found):
    """Return the differences of cells, in any order."""

    def ordered(cells):
        return sorted(json.dumps(cell, sort_keys=True) for cell in cells)

    then = {name: ordered(recorded[name]) for name in found}
    return list(differences(then, {name: ordered(cells) for name, cells in found.items()}))


RECORD, EXACT = read_record()
MADE = {"chains": chains(threads=2), "answers": responses(threads=2)}
NAMES = [(part, name) for part, made in MADE.items() for name in made]


def test_digests_are_compared():
    if not EXACT:
        pytest.skip("another processor or other versions: no digests are compared")


@pytest.mark.parametrize("part", MADE)
def test_nothing_is_left_unguarded(part):
    assert set(RECORD[part]) == set(MADE[part])


@pytest.mark.parametrize(("part", "name"), NAMES, ids=lambda text: text)
def test_learning_is_as_recorded(part, name):
    assert not compare(name, RECORD[part][name], MADE[part][name](), EXACT)


@pytest.mark.parametrize("name", FAST)
def test_smoke_run_is_as_recorded(name, tmp_path):
    found, cells = run_smoke(name, tmp_path)
    assert not compare_run(name, RECORD["runs"][name], found, EXACT)
    if EXACT:
        assert not compare_cells(read_cells(RECORD["name"]), cells)


def test_list_is_as_recorded():
    recorded = json.loads((GOLDEN / "guards.json").read_text())["list"]
    assert not list(differences(recorded, listed()))
