"""Names as the page and its figures write them, and words that it uses in a sense of its own.

Labels of results keep their own form.
"""

from __future__ import annotations

_PROGRAM = "(paper's linear program)"
# Labels that need a second reading.
_PLAIN = {
    "slow/fast": "epochs at 20 to 30 ms over those above 50 ms",
    "fast epochs": "epochs, spikes above 50 ms apart",
    "slow epochs": "epochs, spikes 20 to 30 ms apart",
    "share away, 30 to 40 ms": "share ending away from the optimum, 30 to 40 ms",
    "dta, most epochs": "DTA, most epochs at any distance",
    "epochs of EMLC and MST to its first accuracy": "EMLC and MST: epochs until DTA's first "
    "accuracy",
    "epochs to the last accuracy of EMLC and MST": "epochs until the last accuracy of EMLC and MST",
    "epochs to 1 % of the last": "epochs to within 1 % of the last accuracy",
    "below CNN, last epoch": "below the CNN, last epoch",
}

TERMS = (
    ("capacity", "the load at which half of the trials fail"),
    ("here, common setting", "the setting that all rules share, as in the paper"),
    ("tuned", "each rule at the best of fourteen settings, found on other seeds"),
    ("strict", "learned only if every spike is within 1 ms and none is left over"),
    ("exact limit", "the load at which half of the tasks have any weights that solve them"),
    ("projection", "linspike's default DTA: the smallest weight change that meets all constraints"),
    ("linear program", "DTA as in the paper"),
    ("psp, stdp, filt", "learning windows, see figure 1; psp where none is named"),
    ("bound", "an estimate of the capacity of any rule, after Memmesheimer et al. (2014)"),
)


def show_name(label: str) -> str:
    """Return a label as readers see it: one name for the linear program with its usual window.

    Examples
    --------
    >>> show_name("DTA psp (paper's linear program), tuned")
    'DTA (linear program), tuned'
    >>> show_name("DTA filt (paper's linear program)")
    'DTA filt (linear program)'
    """
    name = _PLAIN.get(label, label).replace(f"psp {_PROGRAM}", _PROGRAM)
    return name.replace(_PROGRAM, "(linear program)")


def is_dta(method: str) -> bool:
    """Return whether a method is a form of DTA, or a comparison with it."""
    return method.lower().startswith("dta") or method.endswith(" over DTA")
