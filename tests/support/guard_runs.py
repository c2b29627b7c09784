"""Smoke runs of all experiments, as frozen in tests/golden/guards.json; by the command line."""

from __future__ import annotations

import json
import os
import warnings
from dataclasses import fields, is_dataclass

from tests.support.guard_values import canonical, digest_text
from tests.support.shell import run

FAST = (
    "fig1",
    "fig2",
    "fig3",
    "fig4",
    "table1",
    "fig5",
    "table2",
    "fig6",
    "fig7",
    "table3",
    "fig8",
    "figA1",
    "claims",
    "ablation",
)
SLOW = ("table4", "fig9", "fig10", "realdata")  # these need data as well
LEFT_OUT = ("id", "scale")  # of a row
# What can be learned at all is no rule's number: as its solver decides more, it changes.
SOLVED = ("exact limit", "found within 1 ms")


def called(*arguments):
    """What a command printed; it must succeed."""
    done = run(*arguments)
    if done.code:
        raise RuntimeError(f"{arguments}: {done.err}")
    return done.out


def listed():
    """Every row of `linspike list --json`, without provenance."""
    return json.loads(called("list", "--json"))["rows"]


def run_smoke(name, folder, jobs=1):
    """Run one experiment at smoke scale; return its rows, trials, pictures and cells."""
    store = folder / "smoke.sqlite"
    desired = ("reproduce", name, "--scale", "smoke", "--store", store, "--jobs", jobs, "--json")
    rows = json.loads(called(*desired))["rows"]
    trials = exported(store)
    found = {
        "rows": [
            {key: row[key] for key in row if key not in LEFT_OUT}
            for row in rows
            if not is_solved(row["row"])
        ],
        "panels": digest_text(*map(repr, numbers(panels_of(name, store)))),
        "trials": {
            shelf: {"number": len(held), "values": values_of(held)}
            for shelf, held in trials.items()
        },
    }
    return found, {shelf: cells_of(held) for shelf, held in trials.items()}


def is_solved(name):
    """Whether a row or picture is of tasks that were solved, not learned."""
    return any(words in name for words in SOLVED)


def exported(store):
    """Trials of a store by experiment."""
    found = {}
    for line in called("store", "export", "--store", store).splitlines():
        trial = json.loads(line)
        if not is_solved(trial["cell"].get("row", {}).get("method", "")):
            found.setdefault(trial["experiment"], []).append(trial)
    return found


def values_of(trials):
    """Digest of what trials found, whatever cells and results are called."""
    return digest_text(*sorted(map(_values, trials)))


def _values(trial):
    return canonical([trial["seed"], *sorted(map(canonical, trial["record"].values()))])


def cells_of(trials):
    """Every cell, with its seeds and the digest of what its trials found."""
    held = {}
    for trial in trials:
        held.setdefault(canonical(trial["cell"]), []).append(trial)
    return [
        {
            "cell": json.loads(cell),
            "seeds": sorted(trial["seed"] for trial in mine),
            "values": values_of(mine),
        }
        for cell, mine in sorted(held.items())
    ]


def panels_of(name, store):
    """The pictures of an experiment, those in details last."""
    from linspike.cli.experiments import REGISTRY
    from linspike.study.runner import select_current
    from linspike.study.store import Store

    found = REGISTRY.load(name)
    with Store(store, write=False) as opened:
        trials, _ = select_current(found, "smoke", opened.trials(found, "smoke"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # statistics of few trials
        summary = found.summarise("smoke", trials)
    guarded = [panel for panel in summary.panels if not is_solved(panel.title)]
    return tuple(guarded), summary.details


def numbers(value):
    """Every number in nested pictures, in order, whatever they are called."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return
    if isinstance(value, (int, float)):
        yield float(value)
    elif is_dataclass(value):
        for field in fields(value):
            yield from numbers(getattr(value, field.name))
    else:
        for part in value:
            yield from numbers(part)


def has_data():
    """Whether the environment names a folder with MNIST and the Braille recordings."""
    folder = os.environ.get("LINSPIKE_DATA_DIR", "")
    return all(os.path.isdir(os.path.join(folder, part)) for part in ("mnist", "braille7"))
