"""Shapes of the tables of the paper, and of what its text leaves open."""

from __future__ import annotations

from linspike.paper.common.methods import LINEAR_PROGRAM as LP
from linspike.paper.common.methods import PROJECTION
from linspike.paper.report.layout.shapes import (
    HERE,
    LIMIT,
    PLAIN,
    Column,
    Group,
    Layout,
    list_methods,
)
from linspike.paper.report.printed import PSP_PROGRAM
from linspike.study.methods import TUNED
from linspike.study.rows import RowKey


def _with_tuned(title: str, unit: str, fields: RowKey) -> Group:
    """Return a group with the common setting and the best one."""
    columns = (Column("here", fields), Column(TUNED, fields.but(variant=TUNED)))
    return Group(title, columns, unit)


def _quantities(*names: str) -> tuple[RowKey, ...]:
    return tuple(RowKey(quantity=name) for name in names)


def _groups(*quantities: tuple[str, str]) -> tuple[Group, ...]:
    """Return a group for each quantity and its unit."""
    return tuple(
        Group(name, (Column("here", RowKey(quantity=name)),), unit) for name, unit in quantities
    )


def _windows(task: str) -> tuple[Column, ...]:
    return tuple(Column(name, RowKey(task, name)) for name in ("psp", "stdp", "filt"))


SHORT = _with_tuned("short patterns", "ms", RowKey("short"))
LONG = _with_tuned("one long pattern", "ms", RowKey("long"))
SHORT_STRICT = _with_tuned("short patterns, strict", "ms", RowKey("short", criterion="strict"))
STRICT = _with_tuned("one long pattern, strict", "ms", RowKey("long", criterion="strict"))
COUNTS = _with_tuned("five classes", "patterns", RowKey())
TIMES_RULES = list_methods(
    PROJECTION, PSP_PROGRAM, "HTP", "E-learning", "FP", "FILT", "ReSuMe", "first error", "PSD"
)
FOUND = list_methods("found within 1 ms (lower bound)")  # by solving whole tasks
# Columns for what the rules reach at best; strict rows are as they are, unless they were tuned.
SHARES = Group(
    "share of the exact limit",
    tuple(
        Column(title, RowKey(task, "", criterion, variant, "share of the exact limit"))
        for title, task, criterion, variant in (
            ("short, tuned", "short", "", TUNED),
            ("short, strict", "short", "strict", ""),
            ("long, tuned", "long", "", TUNED),
            ("long, strict", "long", "strict", ""),
            ("long, strict, tuned", "long", "strict", TUNED),
        )
    ),
    "%",
)
WINDOWS = list_methods("DTA stdp (paper's linear program)", "DTA filt (paper's linear program)")
COUNT_RULES = (
    RowKey(method=PROJECTION),
    RowKey(method=PROJECTION, variant="gradient"),
    RowKey(method=PROJECTION, variant="halving"),
    *list_methods(LP, "MST", "EMLC", "EML", "EMLC by peak"),
)
_PARTS = tuple(
    _with_tuned(name, "%", RowKey(quantity=part))
    for name, part in (("training", "train"), ("testing", "test"))
)
_FOUR = list_methods(LP, PROJECTION, "EMLC", "MST")
_LATER = "two steps or more"
_RATES = ("0.005", "0.01", "0.025", "0.05", "0.1", "0.2", "0.4")

_TUNED = (
    "here: the setting common to all rules, as in the paper. tuned: the best of fourteen settings, "
    "on other seeds."
)
_STRICT = (
    "strict: every spike within 1 ms, none left over. stdp, filt: other learning windows than psp."
)
_LIMIT = (
    "exact limit: what any weights can learn with spikes at the desired times. The paper's "
    "criterion lets spikes be elsewhere, so that shares above 100 % are possible under it."
)
_GRADIENT = (
    "DTA (projection): in the metric of the patterns, as these are random. gradient: along the "
    "gradient of the critical threshold. halving: with desired times from another threshold."
)
_IRIS = (
    "here: the paper's protocol. tuned: the best of fourteen settings, on other seeds, and at "
    "least ten spikes of the own species, with ties decided by graded counts."
)
_MNIST = (
    "here: the paper's protocol. tuned: the best of three codings and five step sizes, chosen on "
    "training images that are held out."
)

_TASKS = {
    "short patterns": "short",
    "one long pattern": "long",
    "five classes": "counts",
    "Iris": "iris",
    "MNIST": "mnist",
}
_STATED = (
    "Step size nearest to the stated one at which half of the trials learn the printed load, or "
    "the accuracy is the printed one. Stated: 0.01 for tables 1 and 2, none for Iris, 0.001 for "
    "MNIST."
)
_SETTINGS = (
    "bound 0.01, fallback 0.01 per step",
    "bound 0.01, fallback 0.01 per step, always a step",
    "bound 0.01, fallback 0.01 per step, no gap",
    "bound 0.01, fallback 0.01 per row",
    "bound 0.01, fallback 0.001 per row",
    "bound 0.03, fallback 0.01 per step",
    "bound 0.1, fallback 0.01 per step",
    "bound 0.1, fallback 0.01 per step, always a step",
)
_MNIST_READINGS = (
    "as table 4",
    "activations / largest",
    "activations / largest of the image",
    "activations above 1 spike before time 0",
    "network with sigmoid",
    "network with tanh",
    "network trained by SGD",
    "10 ms more to respond",
    "bound 0.0003",
    "bound 0.003",
    "bound 0.01",
    "margin 0.1",
)
_AMONG = (
    "Five epochs, images held out of training. among: right where the own digit is among those "
    "with most spikes; else the first of them wins."
)

PAPER = {
    "table1": Layout(
        (*TIMES_RULES[:2], *WINDOWS, *TIMES_RULES[2:], *FOUND, *LIMIT),
        (SHORT, SHORT_STRICT, LONG, STRICT, SHARES),
        caption=f"{_TUNED} {_STRICT} {_LIMIT}",
    ),
    "table2": Layout((*COUNT_RULES, *LIMIT), (COUNTS,), caption=f"{_TUNED} {_GRADIENT}"),
    "table3": Layout(
        (
            *_FOUR,
            *list_methods(
                "Bohte et al. 2002", "Sporea and Gruening 2013", "Gardner and Gruening 2021"
            ),
        ),
        _PARTS,
        caption=_IRIS,
    ),
    "table4": Layout((*_FOUR, RowKey(method="CNN")), _PARTS, caption=_MNIST),
    "fig3": Layout(
        (
            *_quantities(
                "slow/fast",
                "share away, 30 to 40 ms",
                "share fluctuating, below 20 ms",
                "fast epochs",
                "slow epochs",
            ),
            RowKey(method="dta", quantity="most epochs"),
        ),
        PLAIN,
        "quantity",
    ),
    "fig5": Layout(
        (
            *list_methods("psp", "stdp", "filt", PROJECTION),
            *_quantities("stdp minus psp", "filt minus psp"),
        ),
        (
            Group("all runs", (HERE,), "spikes"),
            Group(_LATER, (Column("here", RowKey(variant=_LATER)),), "spikes"),
        ),
        "window",
    ),
    "fig6": Layout(
        (
            RowKey(method=PROJECTION),
            RowKey(method=PROJECTION, variant="absolute bounds"),
            RowKey(method=PROJECTION, variant="no bounds"),
            *list_methods(LP, "EMLC", "MST"),
        ),
        _groups(("exponent", ""), ("growth", "")),
    ),
    "fig7": Layout(
        tuple(RowKey(f"N 500, tau_m {tau}") for tau in (10, 20, 40)),
        (
            Group(
                "classes, by nu tau",
                tuple(Column(rate, RowKey(f"nu tau {rate}")) for rate in _RATES),
                "classes",
            ),
        ),
        "neuron",
    ),
    "fig8": Layout(
        _FOUR,
        _groups(
            ("epochs to 94 %", "epochs"),
            ("epochs of EMLC and MST to its first accuracy", "epochs"),
            ("epochs to the last accuracy of EMLC and MST", "epochs"),
        ),
    ),
    "fig10": Layout(
        (*_FOUR, RowKey(method="CNN")),
        _groups(
            ("epochs to 90 %", "epochs"),
            ("epochs to 1 % of the last", "epochs"),
            ("below CNN, last epoch", "points"),
            ("first epoch", "%"),
        ),
    ),
    "figA1": Layout(
        _quantities(
            "a (sd)",
            "b (sd)",
            "a (sd, dt its deviation)",
            "b (sd, dt its deviation)",
            "vRD* at T = 1000",
        ),
        PLAIN,
        "quantity",
    ),
    "step_sizes": Layout(
        (
            *list_methods("FILT"),
            RowKey(method="FILT", variant="window of Gardner"),
            *list_methods("ReSuMe", "PSD", "MST", "EMLC"),
        ),
        (
            Group(
                "",  # sizes of several magnitudes: each with digits of its own
                tuple(
                    Column(name, RowKey(task, quantity="implied step size"))
                    for name, task in _TASKS.items()
                ),
            ),
        ),
        caption=_STATED,
    ),
    "program": Layout(
        tuple(RowKey(variant=name) for name in _SETTINGS),
        (
            Group("short patterns", _windows("short"), "ms"),
            Group("one long pattern", _windows("long"), "ms"),
            Group("five classes", (Column("psp", RowKey("counts", "psp")),), "patterns"),
        ),
        "setting",
    ),
    "mnist_readings": Layout(
        tuple(RowKey(method=LP, variant=name) for name in _MNIST_READINGS),
        _groups(("validation", "%"), ("validation, among", "%")),
        "reading",
        caption=_AMONG,
    ),
}
