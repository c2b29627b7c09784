"""Findings of the paper's text, and of studies beyond the paper."""

from __future__ import annotations

from linspike.paper.common.methods import LINEAR_PROGRAM as LP
from linspike.paper.common.methods import PROJECTION as DTA
from linspike.paper.report.findings.finding import Check, Finding, locate
from linspike.study.rows import RowKey

_AT_BOUND = "within 100 epochs at the bound, short"


def _share(scenario: str, variant: str = "eta 0.01") -> RowKey:
    return RowKey(f"{scenario} of DTA's capacity", variant=variant)


CLAIMS = Finding(
    (
        "At the capacity bound the projection learns {dta:share} of the trials within 100 epochs, "
        "and PSD learns {psd:share} at half of DTA's capacity, as the paper says.",
        "At the bound the linear program learns {lp:share} of the trials. MST and EMLC learn "
        "{mst:share} and {emlc:share} at loads where the paper has them fail, and MST takes "
        "{speed:.1f} times the epochs of DTA, not {speed:paper}. At a step size of 0.001 EMLC "
        "fails as claimed ({emlc_low:share} learned).",
    ),
    locate(
        "claims",
        dta=RowKey(_AT_BOUND, DTA),
        lp=RowKey(_AT_BOUND, LP),
        psd=_share("PSD at half"),
        mst=_share("MST at a third"),
        emlc=_share("EMLC at half"),
        emlc_low=_share("EMLC at half", "eta 0.001"),
        speed=RowKey("epochs at P = 110", "MST over DTA"),
    ),
    (
        Check("dta", "is", "reproduced"),
        Check("psd", "is", "reproduced"),
        Check("lp", "is", "short"),
        Check("mst", "is", "differs"),
        Check("emlc", "is", "differs"),
        Check("emlc", "ahead of", "emlc_low"),
        Check("speed", "is", "short"),
    ),
)

_BEYOND = ("Found", "Limits")


def _counts(variant: str) -> RowKey:
    return RowKey("counts", variant=variant)


ABLATION = Finding(
    (
        "At the paper's capacity each objective, bound and schedule has settings that learn all "
        "trials; aiming counts at the critical threshold itself learns {critical:share}, because "
        "its spikes only graze the threshold.",
        "Three trials a point tell regions apart, not neighbours; a ramp of loads with warm starts "
        "ends where one with fresh starts does ({warm:.0f} and {fresh:.0f} patterns with 100 "
        "inputs).",
    ),
    locate(
        "ablation",
        times=RowKey("times"),
        steady=RowKey("times", variant="steady"),
        counts=RowKey("counts"),
        gradient=_counts("gradient"),
        critical=_counts("critical threshold"),
        warm=RowKey("ramp", variant="warm"),
        fresh=RowKey("ramp", variant="fresh"),
    ),
    (
        Check("times", "level with", "counts"),
        Check("times", "level with", "steady"),
        Check("counts", "level with", "gradient"),
        Check("counts", "above", "critical"),
        Check("warm", "level with", "fresh"),
    ),
    _BEYOND,
)

REALDATA = Finding(
    (
        "On wine and breast cancer DTA is level with the usual classifiers ({wine} and {cancer} %; "
        "an RBF SVM {wine_svm} and {cancer_svm} %), and it is above EMLC on digits and Braille "
        "letters ({digits} and {braille} against {digits_emlc} and {braille_emlc} %).",
        "On digits and Braille letters an SVM is better ({digits_svm} against {digits} %, and "
        "{braille_svm} against {braille} %): for tables of numbers spikes bring no accuracy.",
    ),
    locate(
        "realdata",
        wine=RowKey("wine", DTA),
        wine_svm=RowKey("wine", "RBF SVM"),
        cancer=RowKey("breast cancer", DTA),
        cancer_svm=RowKey("breast cancer", "RBF SVM"),
        digits=RowKey("digits", DTA),
        digits_svm=RowKey("digits", "RBF SVM"),
        digits_emlc=RowKey("digits", "EMLC"),
        braille=RowKey("braille7", DTA),
        braille_svm=RowKey("braille7", "RBF SVM"),
        braille_emlc=RowKey("braille7", "EMLC"),
    ),
    (
        Check("wine", "level with", "wine_svm"),
        Check("cancer", "level with", "cancer_svm"),
        Check("digits", "ahead of", "digits_emlc"),
        Check("braille", "above", "braille_emlc"),
        Check("digits_svm", "ahead of", "digits"),
        Check("braille_svm", "ahead of", "braille"),
    ),
    _BEYOND,
)
