"""Findings of the readings that were tried for what the paper leaves open."""

from __future__ import annotations

from linspike.paper.common.methods import LINEAR_PROGRAM as LP
from linspike.paper.report.findings.finding import Check, Finding, locate, say
from linspike.study.rows import RowKey

_STEP, _OTHER = "implied step size", "the other implied step size"


def _step(task: str, method: str, quantity: str = _STEP, variant: str = "") -> RowKey:
    return RowKey(task, method, variant=variant, quantity=quantity)


STEP_SIZES = Finding(
    locate(
        "step_sizes",
        filt=_step("short", "FILT"),
        resume=_step("short", "ReSuMe"),
        filt_long=_step("long", "FILT"),
        gardner_long=_step("long", "FILT", variant="window of Gardner"),
        resume_long=_step("long", "ReSuMe"),
        psd_long=_step("long", "PSD"),
        mst=_step("counts", "MST"),
        emlc=_step("counts", "EMLC"),
        mst_low=_step("counts", "MST", _OTHER),
        emlc_low=_step("counts", "EMLC", _OTHER),
        iris_mst=_step("iris", "MST"),
        iris_emlc=_step("iris", "EMLC"),
    ),
    (
        say(
            "Agrees",
            "On one long pattern the stated 0.01 explains ReSuMe, implied {resume_long:range}, and "
            "PSD, {psd_long:range}; FILT nearly, with the window of its authors, "
            "{gardner_long:range}, but not with the printed one, {filt_long:range}. For Iris none "
            "is stated, and those of MST, {iris_mst:range}, and EMLC, {iris_emlc:range}, nearly "
            "agree.",
            Check("resume_long", "level with", "psd_long"),
            Check("gardner_long", "level with", "psd_long"),
            Check("resume_long", "ahead of", "filt_long"),
            Check("iris_mst", "level with", "iris_emlc"),
        ),
        say(
            "Differs",
            "On short patterns FILT would need {filt:range} and ReSuMe {resume:range}; in five "
            "classes MST {mst:range} and EMLC {emlc:range}, or {mst_low:range} and "
            "{emlc_low:range}. No one step size explains table 1 or table 2.",
            Check("resume", "ahead of", "filt"),
            Check("mst", "ahead of", "emlc"),
            Check("emlc_low", "ahead of", "mst_low"),
        ),
    ),
)


def _reading(name: str, ties: str = "") -> RowKey:
    return RowKey(method=LP, variant=name, quantity=f"validation{ties}")


MNIST_READINGS = Finding(
    locate(
        "mnist_readings",
        literal=_reading("as table 4"),
        among=_reading("as table 4", ", among"),
        divided=_reading("activations / largest"),
        early=_reading("activations above 1 spike before time 0"),
        small=_reading("bound 0.0003"),
        whole=_reading("bound 0.0003, all epochs"),
    ),
    (
        say(
            "Not stated",
            "No other reading raises accuracy as much as that of equal counts: {among:.2f} % where "
            "a digit among those with most spikes is right, {literal:.2f} % where the first of "
            "them wins. A bound of 0.0003 has {small:.2f} %, after all 20 epochs {whole:.2f} %. "
            "Activations divided by the largest have {divided:.2f} %, and those above 1 let "
            "through before time 0 {early:.2f} %.",
            Check("among", "ahead of", "literal"),
            Check("among", "ahead of", "whole"),
            Check("whole", "above", "small"),
            Check("literal", "above", "divided"),
            Check("divided", "above", "early"),
        ),
    ),
)


_START = "bound 0.01, fallback 0.01 per step"
_ALWAYS, _WIDE = f"{_START}, always a step", "bound 0.07, fallback 0.01 per step, always a step"
_WIDE_COUNTS = "bound 0.07, fallback 0.01 per step"  # a step for every pattern changes no count
_MAIN, _ALL = "distance, psp", "distance, all"


def _capacity(window: str, setting: str, task: str = "short") -> RowKey:
    return RowKey(task, window, variant=setting)


def _printed(window: str) -> RowKey:
    return RowKey("short", f"DTA {window} (paper's linear program)")


PROGRAM = Finding(
    {
        **locate(
            "program",
            start=RowKey(variant=_START, quantity=_MAIN),
            always=RowKey(variant=_ALWAYS, quantity=_MAIN),
            wide=RowKey(variant=_WIDE, quantity=_MAIN),
            always_all=RowKey(variant=_ALWAYS, quantity=_ALL),
            wide_all=RowKey(variant=_WIDE, quantity=_ALL),
            psp=_capacity("psp", _ALWAYS),
            wide_stdp=_capacity("stdp", _WIDE),
            wide_filt=_capacity("filt", _WIDE),
            counts=_capacity("psp", _START, "counts"),
            wide_psp=_capacity("psp", _WIDE),
            wide_counts=_capacity("psp", _WIDE_COUNTS, "counts"),
        ),
        **locate("table1", lp=_printed("psp"), stdp=_printed("stdp"), filt=_printed("filt")),
        **locate("table2", lp_counts=RowKey(method=LP)),
    },
    (
        say(
            "Agrees",
            "With a step for every pattern, as the paper's algorithm has it, the linear program "
            "comes nearer to its three printed capacities (distance {always:.2f}, else "
            "{start:.2f}): {psp:range} ms of short patterns, printed {lp:paper}. So DTA.paper() "
            "takes it.",
            Check("start", "above", "always"),
            Check("wide", "above", "always"),
            Check("psp", "meets", "lp"),
        ),
        say(
            "Differs",
            "No setting has all capacities. With a bound of 0.07 the other windows are nearer "
            "(distance of all seven {wide_all:.2f}, else {always_all:.2f}): psp with {wide_psp}, "
            "stdp with {wide_stdp} and filt with {wide_filt} ms of short patterns (printed: "
            "{lp:paper}, {stdp:paper} and {filt:paper}). But then classes fall to {wide_counts} "
            "patterns (else {counts}, printed {lp_counts:paper}).",
            Check("always_all", "above", "wide_all"),
            Check("wide_psp", "meets", "lp"),
            Check("wide_stdp", "ahead of", "wide_filt"),
            Check("counts", "ahead of", "wide_counts"),
            Check("stdp", "is", "better"),
            Check("filt", "is", "better"),
            Check("lp_counts", "is", "short"),
        ),
    ),
)
