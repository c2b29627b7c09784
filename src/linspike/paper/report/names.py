"""Names as the page and its figures write them; labels of results keep their own form."""

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
    "epochs to 1 % of the last": "epochs to within 1 % of the last accuracy",
    "below CNN, last epoch": "below the CNN, last epoch",
}


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
