"""Hints of the page in plain words, where a docstring would speak of code."""

from __future__ import annotations

SETTINGS = {
    "bound_per": "What the bound is measured against: each correction by itself (row), or all "
    "patterns together (set). Task takes rows; for counts, all patterns together.",
    "count_target": "How a count is learned: by desired times that are found by lowering the "
    "threshold (halving, critical), or along the gradient of the critical threshold, as it is or "
    "in a metric that spares other patterns (whitened). Auto chooses by the patterns.",
    "delays": "Whether the delays of the inputs are learned too. A delayed input arrives so many "
    "milliseconds after it was sent.",
    "fallback_per": "Whether the whole fallback step has that size, or each of its corrections.",
    "gamma_r": "How much moving a spike counts against adding or removing one, in milliseconds; "
    "the neuron's membrane time unless given.",
    "hold_tolerance": "Spikes so many milliseconds from their desired times may stay there; 0 asks "
    "all spikes to be at their desired times. Unless given, that of the strict criterion.",
    "match_tolerance": "An actual spike so many milliseconds from a desired time is no constraint. "
    "Unless given, 0.5 ms for usual synapse times.",
    "momentum": "Share of the last change that is added to the next.",
    "tau_q": "Time scale of moving a spike; the neuron's membrane time unless given.",
    "weakest": "Which spike is taken as the weakest: the one at which V crosses the threshold most "
    "slowly (slope), or the one with the lowest maximum of V without its own reset (peak).",
}
WINDOWS = {
    "dta_lp": "Which inputs a correction changes: those that raise V at its time (psp), or by "
    "spike-timing-dependent plasticity (stdp).",
    "filt": "The paper's window, or that of the rule's authors (filt-gardner), which reaches 10 ms "
    "beyond the spike.",
}


def hint_of(key: str, name: str, text: str) -> str:
    """Return the hint for a setting of a rule; text is what its docstring says."""
    if name == "window":
        return WINDOWS.get(key, text)
    return SETTINGS.get(name, text)
