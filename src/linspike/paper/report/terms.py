"""Words that the page uses in a sense of its own."""

from __future__ import annotations

TERMS = (
    ("capacity", "the load at which half of the trials fail"),
    ("here, common setting", "the setting that all rules share, as in the paper"),
    ("tuned", "each rule at the best of fourteen settings, found on other seeds"),
    ("strict", "learned only if every spike is within 1 ms and none is left over"),
    ("projection", "linspike's default DTA: the smallest weight change that meets all constraints"),
    ("linear program", "DTA as in the paper"),
    ("psp, stdp, filt", "learning windows, see figure 1; psp where none is named"),
    ("bound", "an estimate of the capacity of any rule, after Memmesheimer et al. (2014)"),
)
