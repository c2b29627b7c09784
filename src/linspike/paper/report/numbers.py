"""Every number the paper prints, once: Nguyen and Chu, arXiv 2103.12564.

Experiments know nothing of this file; a row of a summary finds its number here by its name. A row
called "name, variant" is set beside the number of "name"; rows of our own that stand beside
another row's number are listed in `COMPARED`.
"""

from __future__ import annotations

from typing import NamedTuple

HIGHER = "higher"  # is better
LOWER = "lower"  # is better
EQUAL = "equal"  # neither: a number to be met
BESIDE = "beside"  # neither: a statistic that depends on the number of trials, shown for the reader


class Printed(NamedTuple):
    """One number of the paper.

    Attributes
    ----------
    experiment, row : where it belongs; the key
    value : as printed; the lower end where the paper prints a range
    spread : standard deviation, where printed
    unit : of value and spread
    where : place in the paper
    relation : what the paper says of it, a key of `RELATIONS`
    aim : which way is better
    upto : upper end of a printed range
    rounding : half a unit of the last printed digit; what `EQUAL` allows on either side
    note : slip or ambiguity
    """

    experiment: str
    row: str
    value: float
    spread: float | None = None
    unit: str = ""
    where: str = ""
    relation: str = "is"
    aim: str = HIGHER
    upto: float | None = None
    rounding: float = 0.0
    note: str = ""


class Compared(NamedTuple):
    """A row without a printed number of its own, and the number it stands beside."""

    experiment: str
    row: str
    compared_with: tuple[str, str]  # experiment and row of a Printed


# What each relation puts before the number, and whether the number is only an end of what is
# claimed: whoever passes such an end does what the paper says, and no better.
RELATIONS = {
    "is": ("", False),
    "about": ("about ", False),
    "at least": ("at least ", True),
    "at most": ("at most ", True),
    "above": ("> ", True),
    "below": ("< ", True),
}

_LP = "DTA (paper's LP)"
_PSP = "DTA psp (paper's LP)"
_ENCODING = "Capacity in the Encoding task"
_DECODING = "Capacity in the Decoding task"

_OFF_GRID = "No multiple of the pattern's 400 ms; interpolated, presumably."
_PSD = "The method is printed as PSP; the text makes it the PSD rule."
_LONG = "The text ends the search when half the trials have converged; failed is meant."
_BOUND = "Estimate of Memmesheimer et al. (2014), rounded; no hard limit."
_WORDS = "Said in words."
_QUOTED = "Quoted by the paper from other work."
_BOTH = "Table 3 gives 11.3 over EMLC and 9.8 over MST."
_MNISTS = "Ten trials of MNIST give this chi2 exactly; it does not fit the p-values of the pairs."
_ONE_P = "One value is printed for both pairs."
_FREEDOM = (
    "Printed for 3 and 18 degrees of freedom; three methods in ten trials have 2 and 18, and "
    "then it is 3.55."
)
_LAG = (
    "20 to 30 ms against above 50 ms. The introduction says up to ten. All depends on the lag, "
    "which is not stated."
)
_DISPLACEMENT = "Factor of the displacement; whether that is its sd or its mean is ambiguous."
_EPOCHS = "The protocol of the same section allows 500."
_TWICE = "Said of PSD and FILT at once. Table 1 gives 3.4, 1.4 (short) and 2.5, 3.6 (long)."
_WORSE = "Each of the three stays below this for short patterns or for the long one."
_REGION = f"{_WORDS} Half of the region is asked for."
_AT_BOUND = "within 100 epochs at the bound"
_HALF = "at half of DTA's capacity, eta 0.01"
_THIRD = "at a third of DTA's capacity, eta 0.01"


def _capacity(row: str, value: float, note: str = "") -> Printed:
    return Printed("table1", row, value, unit="ms", where="Table 1", note=note)


def _accuracy(table: str, row: str, value: float, spread: float) -> Printed:
    where = table.replace("table", "Table ")
    return Printed(table, row, value, spread, unit="%", where=where)


def _met(
    experiment: str, row: str, value: float, rounding: float, unit: str, where: str, note: str = ""
) -> Printed:
    """A number with no better side."""
    return Printed(
        experiment, row, value, None, unit, where, "about", EQUAL, rounding=rounding, note=note
    )


def _claim(
    experiment: str, row: str, relation: str, value: float, unit: str, where: str, note: str = ""
) -> Printed:
    """A number that is better if higher."""
    return Printed(experiment, row, value, None, unit, where, relation, HIGHER, note=note)


def _cost(
    experiment: str, row: str, relation: str, value: float, unit: str, where: str, note: str = ""
) -> Printed:
    """A number that is better if lower."""
    return Printed(experiment, row, value, None, unit, where, relation, LOWER, note=note)


def _statistic(experiment: str, row: str, value: float, where: str, note: str = "") -> Printed:
    """A test's outcome: it grows with the number of trials and is no goal."""
    return Printed(experiment, row, value, where=where, aim=BESIDE, note=note)


_TABLE1 = (
    _met("table1", "bound", 17200.0, 50.0, "ms", "Table 1", _BOUND),
    _capacity("short, DTA stdp (paper's LP)", 9000.0, _OFF_GRID),
    _capacity(f"short, {_PSP}", 18100.0, _OFF_GRID),
    _capacity("short, DTA filt (paper's LP)", 6000.0),
    _capacity("short, ReSuMe", 7500.0, _OFF_GRID),
    _capacity("short, PSD", 5400.0, f"{_PSD} {_OFF_GRID}"),
    _capacity("short, FILT", 13000.0, _OFF_GRID),
    _capacity("long, DTA stdp (paper's LP)", 15000.0, _LONG),
    _capacity(f"long, {_PSP}", 17300.0, _LONG),
    _capacity("long, DTA filt (paper's LP)", 6200.0, _LONG),
    _capacity("long, ReSuMe", 10900.0, _LONG),
    _capacity("long, PSD", 7000.0, f"{_PSD} {_LONG}"),
    _capacity("long, FILT", 4800.0, _LONG),
)

_TABLE2 = (
    _claim("table2", "MST", "is", 110.0, "patterns", "Table 2"),
    _claim("table2", "EMLC", "is", 165.0, "patterns", "Table 2"),
    _claim("table2", _LP, "is", 355.0, "patterns", "Table 2"),
)

_TABLE3 = (
    _accuracy("table3", f"{_LP}, train", 96.8, 2.03),
    _accuracy("table3", f"{_LP}, test", 96.1, 2.61),
    _accuracy("table3", "EMLC, train", 89.6, 6.91),
    _accuracy("table3", "EMLC, test", 84.8, 6.10),
    _accuracy("table3", "MST, train", 89.4, 2.62),
    _accuracy("table3", "MST, test", 86.3, 4.98),
    _claim("table3", "Bohte et al. 2002, test", "is", 96.1, "%", "Iris, text", _QUOTED),
    _claim("table3", "Sporea and Gruening 2013, test", "is", 94.0, "%", "Iris, text", _QUOTED),
    _claim("table3", "Gardner and Gruening 2021, test", "is", 95.2, "%", "Iris, text", _QUOTED),
    _claim("table3", "gain over EMLC and MST, train", "about", 7.0, "points", "Iris, text"),
    _claim("table3", "gain over EMLC and MST, test", "about", 10.0, "points", "Iris, text", _BOTH),
    _statistic("table3", "Friedman Q", 16.8, "Iris, text", _MNISTS),
    _statistic("table3", "Friedman p", 0.0002, "Iris, text", _MNISTS),
    _statistic("table3", "Nemenyi p, DTA to EMLC and MST", 0.001, "Iris, text", _ONE_P),
    _statistic("table3", "Nemenyi p, EMLC to MST", 0.425, "Iris, text"),
)

_TABLE4 = (
    _accuracy("table4", f"{_LP}, train", 97.57, 0.82),
    _accuracy("table4", f"{_LP}, test", 97.54, 0.44),
    _accuracy("table4", "EMLC, train", 94.15, 0.26),
    _accuracy("table4", "EMLC, test", 92.27, 0.26),
    _accuracy("table4", "MST, train", 89.98, 4.61),
    _accuracy("table4", "MST, test", 86.91, 4.26),
    _claim("table4", "gain over EMLC, test", "about", 5.0, "points", "MNIST, text"),
    _claim("table4", "gain over MST, test", "about", 10.0, "points", "MNIST, text"),
    _statistic("table4", "Friedman F", 47.25, "MNIST, text"),
    _met("table4", "Friedman critical value", 3.16, 0.005, "", "MNIST, text", _FREEDOM),
    _statistic("table4", "Nemenyi p, DTA to EMLC", 0.0199, "MNIST, text"),
    _statistic("table4", "Nemenyi p, DTA to MST", 0.001, "MNIST, text"),
    _statistic("table4", "p, DTA to CNN", 0.507, "MNIST, text", "The test is not named."),
)

_FIG3 = (
    Printed(
        "fig3",
        "slow/fast",
        5.0,
        unit="times",
        where="Learning interference",
        aim=EQUAL,
        upto=10.0,
        note=_LAG,
    ),
    _met("fig3", "share fluctuating, below 20 ms", 1.0, 0.5, "", "Figure 3", _REGION),
    _met("fig3", "share away, 30 to 40 ms", 1.0, 0.5, "", "Figure 3", _REGION),
)

_FIGURES = (
    _claim("fig5", "stdp minus psp", "above", 0.0, "spikes", "Figure 5", _WORDS),
    _claim("fig5", "filt minus psp", "above", 0.0, "spikes", "Figure 5", _WORDS),
    _met(
        "fig6", "exponent, DTA paper", 0.0, 0.1, "", "Figure 6", f"{_WORDS} Constant in threshold."
    ),
    _met("fig6", "exponent, EMLC", 1.0, 0.1, "", "Figure 6", f"{_WORDS} Linear in threshold."),
    _claim("fig8", "epochs of EMLC and MST to DTA's first", "about", 7.0, "epochs", "Iris, text"),
    _cost("fig8", "epochs of DTA to their last", "about", 4.0, "epochs", "Iris, text"),
    _cost("fig8", "epochs to 94 %, DTA", "about", 8.0, "epochs", "Iris, text"),
    _cost("fig8", "epochs to 94 %, Gardner 2021", "is", 30.0, "epochs", "Iris, text", _QUOTED),
    _cost("fig8", "epochs to 94 %, Tavanaei 2019", "is", 120.0, "epochs", "Iris, text", _QUOTED),
    _cost("fig8", "epochs to 94 %, Taherkhani 2018", "is", 100.0, "epochs", "Iris, text", _QUOTED),
    _cost("fig10", "epochs to 1 % of the last, DTA", "about", 6.0, "epochs", "MNIST, text"),
    _cost("fig10", "epochs to 1 % of the last, EMLC", "is", 10.0, "epochs", "MNIST, text"),
    _cost("fig10", "epochs to 1 % of the last, MST", "is", 18.0, "epochs", "MNIST, text"),
    _cost("fig10", "epochs to 90 %, DTA", "is", 1.0, "epochs", "MNIST, text"),
    _cost("fig10", "epochs to 90 %, EMLC", "is", 7.0, "epochs", "MNIST, text"),
    _claim("fig10", "epochs to 90 %, MST", "above", 20.0, "epochs", "MNIST, text", "Not reached."),
    _cost("fig10", "CNN over DTA, first epoch", "about", 2.0, "points", "MNIST, text"),
    _cost("fig10", "CNN over DTA, last epoch", "about", 1.0, "points", "MNIST, text"),
    _cost("fig10", "CNN over EMLC, last epoch", "about", 6.0, "points", "MNIST, text"),
    _cost("fig10", "CNN over MST, last epoch", "about", 11.0, "points", "MNIST, text"),
    _met("figA1", "a (sd)", 0.08, 0.005, "1/ms", "Appendix A", _DISPLACEMENT),
    _met("figA1", "b (sd)", 0.0001, 0.00005, "1/ms", "Appendix A", "Factor of the duration."),
    _met("figA1", "vRD* at T = 1000", 0.18, 0.005, "", "Appendix A", "Follows from a and b."),
)

# A capacity is a load at which half of the trials fail: at least half learn below it, at most half
# of those of a rule that is said to have less.
_CLAIMS = (
    _claim("claims", f"{_AT_BOUND}, short, paper's LP", "at least", 0.5, "", _ENCODING, _EPOCHS),
    _cost("claims", f"PSD {_HALF}", "at most", 0.5, "", "Introduction", _TWICE),
    _cost("claims", f"EMLC {_HALF}", "at most", 0.5, "", _DECODING, "Said: about twice EMLC's."),
    _cost("claims", f"MST {_THIRD}", "at most", 0.5, "", _DECODING, "Said: three times MST's."),
    _claim("claims", "epochs at P = 110, MST over DTA", "about", 10.0, "times", "Introduction"),
    _cost("table1", "lower capacity of other rules", "below", 10000.0, "ms", _ENCODING, _WORSE),
    _cost("claims", "epochs of PSD", "below", 500.0, "epochs", "Introduction", _QUOTED),
    _cost("claims", "epochs of FP and HTP", "is", 5e7, "epochs", _ENCODING, _QUOTED),
)

PRINTED = _TABLE1 + _TABLE2 + _FIG3 + _FIGURES + _TABLE3 + _TABLE4 + _CLAIMS

COMPARED = (
    Compared("table1", "short, DTA (ours)", ("table1", f"short, {_PSP}")),
    Compared("table1", "long, DTA (ours)", ("table1", f"long, {_PSP}")),
    Compared("table2", "DTA (ours)", ("table2", _LP)),
    Compared("table3", "DTA (ours), train", ("table3", f"{_LP}, train")),
    Compared("table3", "DTA (ours), test", ("table3", f"{_LP}, test")),
    Compared("table4", "DTA (ours), train", ("table4", f"{_LP}, train")),
    Compared("table4", "DTA (ours), test", ("table4", f"{_LP}, test")),
    *(
        Compared("table4", f"{ours}, {part}", ("table4", f"{theirs}, {part}"))
        for ours, theirs in (
            (f"best: {_LP}", _LP),
            ("best: DTA (ours)", _LP),
            ("kept: DTA (ours)", _LP),
            ("best: EMLC", "EMLC"),
            ("best: MST", "MST"),
        )
        for part in ("train", "test")
    ),
    Compared("fig6", "exponent, DTA relative", ("fig6", "exponent, DTA paper")),
    Compared("figA1", "a (sd, dt its deviation)", ("figA1", "a (sd)")),
    Compared("figA1", "b (sd, dt its deviation)", ("figA1", "b (sd)")),
    Compared("figA1", "a (variance)", ("figA1", "a (sd)")),
    Compared("figA1", "b (variance)", ("figA1", "b (sd)")),
    Compared("figA1", "a (variance, dt its deviation)", ("figA1", "a (sd)")),
    Compared("figA1", "b (variance, dt its deviation)", ("figA1", "b (sd)")),
    *(
        Compared("claims", f"{_AT_BOUND}, {who}", ("claims", f"{_AT_BOUND}, short, paper's LP"))
        for who in ("short, ours", "long, ours")
    ),
    Compared("claims", f"FILT {_HALF}", ("claims", f"PSD {_HALF}")),
)

_NUMBERS = {(item.experiment, item.row): item for item in PRINTED}
_BESIDE = {(item.experiment, item.row): item.compared_with for item in COMPARED}


def number_for(experiment: str, row: str) -> Printed | None:
    """The printed number a row is set beside, or None if the paper has none.

    A variant, as in "short, FILT, best", stands beside the number of its row; not so under the
    strict criterion, as the paper's numbers come from another.
    """
    key = (experiment, row)
    found = _NUMBERS.get(_BESIDE.get(key, key))
    shorter, comma, variant = row.rpartition(", ")
    if found is not None or not comma or variant == "strict":
        return found
    return number_for(experiment, shorter)


def is_quoted(item: Printed) -> bool:
    """Whether the paper has the number from elsewhere: nothing of its own to reproduce."""
    return item.note == _QUOTED


def rows_of(experiment: str) -> list[str]:
    """Rows that an experiment should have: the paper's, and ours that stand beside them."""
    return [row for name, row in (*_NUMBERS, *_BESIDE) if name == experiment]


def as_printed(item: Printed) -> str:
    """The number as the paper states it: "about 2", "5 to 10", "96.1 ± 2.61"."""
    text = RELATIONS[item.relation][0] + f"{item.value:.10g}"
    if item.upto is not None:
        text += f" to {item.upto:.10g}"
    return text if item.spread is None else f"{text} ± {item.spread:.10g}"
