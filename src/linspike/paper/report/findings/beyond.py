"""Findings of studies beyond the paper."""

from __future__ import annotations

from linspike.paper.common.methods import PROJECTION as DTA
from linspike.paper.report.findings.finding import Check, Finding, locate, say
from linspike.study.rows import RowKey

_FOUND, _LIMITS = "Found", "Limits"


def _counts(variant: str) -> RowKey:
    return RowKey("counts", variant=variant)


ABLATION = Finding(
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
        say(
            _FOUND,
            "At the paper's capacity each objective, bound and schedule has settings that learn "
            "all trials; aiming counts at the critical threshold itself learns {critical:share}, "
            "because its spikes only graze the threshold.",
            Check("times", "level with", "counts"),
            Check("times", "level with", "steady"),
            Check("counts", "level with", "gradient"),
            Check("counts", "above", "critical"),
        ),
        say(
            _LIMITS,
            "Three trials a point tell regions apart, not neighbours; a ramp of loads with warm "
            "starts ends where one with fresh starts does ({warm:.0f} and {fresh:.0f} patterns "
            "with 100 inputs).",
            Check("warm", "level with", "fresh"),
        ),
    ),
    "laptop",
)

REALDATA = Finding(
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
        say(
            _FOUND,
            "On wine and breast cancer DTA is level with an RBF SVM ({wine} and {cancer} %; the "
            "SVM {wine_svm} and {cancer_svm} %), and it is above EMLC on digits and Braille "
            "letters ({digits} and {braille} against {digits_emlc} and {braille_emlc} %).",
            Check("wine", "level with", "wine_svm"),
            Check("cancer", "level with", "cancer_svm"),
            Check("digits", "ahead of", "digits_emlc"),
            Check("braille", "above", "braille_emlc"),
        ),
        say(
            _LIMITS,
            "On digits an SVM is better ({digits_svm} against {digits} %): for these tables of "
            "numbers spikes bring no accuracy. It is also better on Braille letters, which are "
            "recorded spikes ({braille_svm} against {braille} %).",
            Check("digits_svm", "ahead of", "digits"),
            Check("braille_svm", "ahead of", "braille"),
            Check("wine", "level with", "wine_svm"),
            Check("cancer", "level with", "cancer_svm"),
        ),
    ),
    "laptop",
)


def _events(data: str, method: str = DTA, variant: str = "") -> RowKey:
    return RowKey(data, method, variant=variant)


_LOGISTIC, _STRETCHES = "logistic regression", "8 stretches"
EVENTS = Finding(
    locate(
        "events",
        small=_events("digits, 4 x 4"),
        small_counts=_events("digits, 4 x 4", _LOGISTIC),
        small_timed=_events("digits, 4 x 4", _LOGISTIC, _STRETCHES),
        raw=_events("digits, raw"),
        raw_counts=_events("digits, raw", _LOGISTIC),
        raw_plain=_events("digits, raw", variant="no delay lines"),
        braille=_events("braille7"),
        braille_counts=_events("braille7", _LOGISTIC),
        braille_timed=_events("braille7", _LOGISTIC, _STRETCHES),
    ),
    (
        say(
            _FOUND,
            "With its defaults the classifier of events is ahead of logistic regression on spike "
            "counts: {small} against {small_counts} % on events of 4 x 4 pixels, {raw} against "
            "{raw_counts} % on raw ones, {braille} against {braille_counts} % on Braille letters. "
            "Delay lines make much of the difference ({raw_plain} % without, raw).",
            Check("small", "ahead of", "small_counts"),
            Check("raw", "ahead of", "raw_counts"),
            Check("raw", "ahead of", "raw_plain"),
            Check("braille", "ahead of", "braille_counts"),
        ),
        say(
            _LIMITS,
            "Logistic regression on counts in eight stretches of time is level with it on 4 x 4 "
            "pixels ({small_timed} %) and better on Braille letters ({braille_timed} %).",
            Check("small", "level with", "small_timed"),
            Check("braille_timed", "ahead of", "braille"),
        ),
    ),
)


def _signs(task: str, division: str, limit: bool = False) -> RowKey:
    scenario = f"{task}, {division} excitatory"
    return RowKey(scenario, "exact limit") if limit else RowKey(scenario, DTA, "strict")


SIGNS = Finding(
    {
        **locate(
            "signs",
            half=_signs("short", "half"),
            half_limit=_signs("short", "half", limit=True),
            most=_signs("short", "80 %"),
            most_limit=_signs("short", "80 %", limit=True),
            half_long=_signs("long", "half"),
            half_long_limit=_signs("long", "half", limit=True),
        ),
        **locate("table1", free_limit=RowKey("short", "exact limit")),
    },
    (
        say(
            _FOUND,
            "Fixed signs cost about half of what can be learned: with half of the channels "
            "excitatory the exact limit of short patterns is {half_limit:range} ms, with free "
            "signs {free_limit:range} ms. DTA learns {half:range} ms of it within the bounds.",
            Check("free_limit", "ahead of", "half_limit", times=1.5),
            Check("half_limit", "above", "half"),
        ),
        say(
            _LIMITS,
            "DTA, whose spikes may be 1 ms off, comes to the limit of its bounds: {most:range} ms "
            "beside {most_limit:range} ms with 80 % of the channels excitatory, {half_long:range} "
            "beside {half_long_limit:range} ms in one long pattern with half of them.",
            Check("most", "level with", "most_limit"),
            Check("half_long", "level with", "half_long_limit"),
        ),
    ),
)
