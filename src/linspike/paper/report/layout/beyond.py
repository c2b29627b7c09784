"""Shapes of the tables of studies beyond the paper."""

from __future__ import annotations

from linspike.paper.common.methods import PROJECTION
from linspike.paper.report.layout.shapes import LIMIT, PLAIN, Column, Group, Layout, list_methods
from linspike.study.rows import RowKey

_EVENTS = ("digits, 4 x 4", "digits, 2 x 2", "digits, raw", "braille7")
_DATA = ("wine", "breast cancer", "digits", "braille7")
_DIVISIONS = ("half excitatory", "80 % excitatory")
_DELAYS = ("", "delays", "random delays")
_INPUTS = ("50 inputs", "100 inputs")
_TASKS = ("short", "long")
_HIDDEN = {"none": "no layer", **{str(size): f"{size} hidden" for size in (100, 200, 400, 800)}}
_LEARNERS = (
    (PROJECTION, ""),
    (PROJECTION, "delays"),
    (PROJECTION, "margin 0.3"),
    ("random layer", "100 hidden"),
    ("random layer", "400 hidden"),
    ("joint layers", "100 hidden"),
)
_DELAY_DATA = ("Iris", "digits", "digits, latencies", "events", "braille7")
_DELAY_CAPTION = (
    "delays: learned together with the weights, from 0. random delays: uniform in 20 ms, they stay "
    "as they are."
)
_LAYER_CAPTION = (
    "random layer: it stays as it is, DTA learns behind it; delays: with delays of its spikes "
    "learned too. joint layers, Adam and spike jitter learn both layers, from the same start."
)

BEYOND = {
    "ablation": Layout(
        (
            RowKey("times"),
            *(RowKey("times", variant=name) for name in ("steady", "no gap", "objective feasible")),
            RowKey("counts"),
            *(RowKey("counts", variant=name) for name in ("gradient", "critical threshold")),
            *(RowKey("ramp", variant=name) for name in ("fresh", "warm")),
        ),
        PLAIN,
        "best of its map",
    ),
    "realdata": Layout(
        list_methods(PROJECTION, "EMLC", "logistic regression", "RBF SVM", "random forest"),
        (Group("test accuracy", tuple(Column(name, RowKey(name)) for name in _DATA), "%"),),
        "method",
    ),
    "events": Layout(
        (
            RowKey(method=PROJECTION),
            *(RowKey(method=PROJECTION, variant=name) for name in ("no delay lines", "all events")),
            RowKey(method="logistic regression"),
            RowKey(method="logistic regression", variant="8 stretches"),
        ),
        (Group("test accuracy", tuple(Column(name, RowKey(name)) for name in _EVENTS), "%"),),
        "method",
    ),
    "signs": Layout(
        (RowKey(method=PROJECTION, criterion="strict"), *LIMIT),
        tuple(
            Group(
                title,
                tuple(Column(name, RowKey(f"{task}, {name}")) for name in _DIVISIONS),
                "ms",
            )
            for title, task in (("short patterns", "short"), ("one long pattern", "long"))
        ),
        "method",
    ),
    "delays": Layout(
        tuple(RowKey(method=PROJECTION, variant=name) for name in _DELAYS),
        (
            Group(
                "one spike per input",
                tuple(Column(name, RowKey(name, criterion="strict")) for name in _INPUTS),
                "patterns",
            ),
            Group(
                "times weights alone",
                tuple(
                    Column(name, RowKey(name, criterion="strict", quantity="times weights"))
                    for name in _INPUTS
                ),
            ),
            Group(
                "N = 500, strict",
                tuple(Column(name, RowKey(name, criterion="strict")) for name in _TASKS),
                "ms",
            ),
            Group("five classes", (Column("here", RowKey("five classes")),), "patterns"),
            Group(
                "at 45 short patterns",
                (Column("median", RowKey("short", criterion="strict", quantity="epochs")),),
                "epochs",
            ),
        ),
        "delays",
        caption=_DELAY_CAPTION,
    ),
    "layers": Layout(
        (
            RowKey(method=PROJECTION),
            RowKey(method="random layer"),
            RowKey(method="random layer", variant="delays"),
            *list_methods("joint layers", "Adam", "spike jitter"),
        ),
        (
            Group(
                "hidden neurons",
                tuple(
                    Column(title, RowKey(scenario, criterion="strict"))
                    for title, scenario in _HIDDEN.items()
                ),
                "patterns",
            ),
            Group("temporal XOR", (Column("here", RowKey("temporal XOR", criterion="strict")),)),
        ),
        "method",
        caption=_LAYER_CAPTION,
    ),
    "jitter": Layout(
        tuple(
            RowKey(method=name, criterion="strict", variant=variant) for name, variant in _LEARNERS
        ),
        tuple(
            Group(
                f"{scenario}, right within 1 ms",
                tuple(
                    Column(
                        f"jitter {jitter}",
                        RowKey(scenario, quantity=f"responses within 1 ms, jitter {jitter}"),
                    )
                    for jitter in ("0.5 ms", "1 ms")
                ),
                "%",
            )
            for scenario in ("same load", "own load", "500 inputs")
        ),
        "method",
    ),
    "delay_data": Layout(
        tuple(RowKey(method=PROJECTION, variant=name) for name in ("", "delays")),
        (Group("test accuracy", tuple(Column(name, RowKey(name)) for name in _DELAY_DATA), "%"),),
        "delays",
    ),
}
