"""Tables of studies of delays and layers, by the name of their marker."""

from __future__ import annotations

from tools.inserted.cells import NONE, PROJECTION, our_cell
from tools.inserted.formats import format_table
from tools.inserted.sources import Sources, format_field

STRICT = f"{PROJECTION}, strict"
FIXED, JOINT, ADAM, JITTER = "random layer", "joint layers", "Adam", "spike jitter"
DIGITS = 3  # of small numbers of patterns
JITTERS = ("0.5 ms", "1 ms")


def delays(sources: Sources) -> str:
    """Return capacities of weights alone and with learned delays."""
    tasks = {
        "50 inputs, patterns": f"50 inputs, {STRICT}",
        "100 inputs, patterns": f"100 inputs, {STRICT}",
        "500 inputs, short patterns, ms": f"short, {STRICT}",
        "500 inputs, one long pattern, ms": f"long, {STRICT}",
        "500 inputs, five classes, patterns": f"five classes, {PROJECTION}",
    }
    rows = [
        [name, *(_cell(sources, "delays", each) for each in (label, f"{label}, delays"))]
        for name, label in tasks.items()
    ]
    epochs = (f"short, {STRICT}{late}, epochs" for late in ("", ", delays"))
    rows.append(["epochs for 45 short patterns", *(_cell(sources, "delays", e) for e in epochs)])
    return format_table(["", "weights alone", "with delays"], rows)


def layers(sources: Sources) -> str:
    """Return capacities of 50 inputs behind layers, by the number of hidden neurons."""
    rows = [["none", _cell(sources, "layers", f"no layer, {STRICT}"), *[NONE] * 3]]
    for hidden in (100, 200, 400, 800):
        labels = (f"{hidden} hidden, {method}, strict" for method in (FIXED, JOINT, ADAM, JITTER))
        rows.append([str(hidden), *(_cell(sources, "layers", label) for label in labels)])
    heads = ["hidden neurons", "random, fixed", "joint constraints", ADAM, JITTER]
    return format_table(heads, rows)


def jitter(sources: Sources) -> str:
    """Return the share of responses that stay right when inputs are jittered."""
    learners = {
        "weights alone": STRICT,
        "with delays": f"{STRICT}, delays",
        "weights alone, margin 0.3": f"{STRICT}, margin 0.3",
        "random layer of 400": f"{FIXED}, strict, 400 hidden",
        "joint layer of 100": f"{JOINT}, strict, 100 hidden",
    }
    tasks = ("same load", "own load", "500 inputs")
    rows = []
    for name, label in learners.items():
        labels = [
            f"{task}, {label}, responses within 1 ms, jitter {size}"
            for task in tasks
            for size in JITTERS
        ]
        rows.append([name, *(_cell(sources, "jitter", each) for each in labels)])
    heads = [f"{name}, jitter {size}, %" for name in tasks for size in JITTERS]
    return format_table(["", *heads], rows)


def delay_data(sources: Sources) -> str:
    """Return test accuracies with and without learned delays."""
    names = {
        "Iris": "Iris",
        "digits": "digits, population code",
        "digits, latencies": "digits, latencies",
        "events": "digits seen by a moving sensor",
        "braille7": "Braille letters, tactile spikes",
    }
    rows = [
        [
            name,
            *(_cell(sources, "delay_data", f"{data}, {PROJECTION}{x}") for x in ("", ", delays")),
        ]
        for data, name in names.items()
    ]
    return format_table(["test, %", "weights alone", "with delays"], rows)


def _cell(sources: Sources, experiment: str, label: str) -> str:
    """Return a number with its interval; "-" where none is published."""
    row = sources.published.get(experiment, {}).get(label)
    if row is None or row["ours"] is None:
        return NONE
    if row["lo"] is None or row["hi"] is None:
        return format_field(row, "ours")
    return our_cell(sources, experiment, label, DIGITS if row["unit"] == "patterns" else None)


BEYOND_TABLES = {
    "delays": delays,
    "layers": layers,
    "jitter": jitter,
    "delay-data": delay_data,
}
