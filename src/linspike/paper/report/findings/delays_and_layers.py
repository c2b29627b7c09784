"""Findings of studies of delays and layers."""

from __future__ import annotations

from linspike.paper.common.methods import PROJECTION as DTA
from linspike.paper.report.findings.finding import Check, Finding, locate, say
from linspike.study.rows import RowKey

_FOUND, _LIMITS = "Found", "Limits"
_DELAYS, _RANDOM = "delays", "random delays"
_TIMES_WEIGHTS = "times weights"


def _times(task: str, variant: str = "", quantity: str = "") -> RowKey:
    return RowKey(task, DTA, "strict", variant, quantity)


DELAYS = Finding(
    {
        **locate(
            "delays",
            few=_times("50 inputs", _DELAYS),
            few_alone=_times("50 inputs"),
            gain=_times("100 inputs", _DELAYS, _TIMES_WEIGHTS),
            fixed=_times("100 inputs", _RANDOM, _TIMES_WEIGHTS),
            short=_times("short", _DELAYS),
            short_alone=_times("short"),
            epochs=_times("short", _DELAYS, "epochs"),
            epochs_alone=_times("short", "", "epochs"),
            long=_times("long", _DELAYS),
            long_alone=_times("long"),
            classes=RowKey("five classes", DTA, variant=_DELAYS),
            classes_alone=RowKey("five classes", DTA),
        ),
        **locate("table1", limit=RowKey("short", "exact limit")),
    },
    (
        say(
            _FOUND,
            "With delays that are learned too, half of the trials learn {short:range} ms of short "
            "patterns, half as much again as any weights alone can ({limit:range} ms; DTA "
            "{short_alone:range} ms). With 50 inputs of one spike each it is {few:range} patterns "
            "instead of {few_alone:range}; with 100 it is {gain:range} times as much of the same "
            "tasks. 45 short patterns take {epochs:.0f} epochs instead of {epochs_alone:.0f}. One "
            "long pattern may have {long:range} ms instead of {long_alone:range}, and "
            "{classes:range} patterns are sorted into five classes instead of "
            "{classes_alone:range}.",
            Check("long", "ahead of", "long_alone", times=1.5),
            Check("classes", "ahead of", "classes_alone"),
            Check("short", "ahead of", "limit", times=1.5),
            Check("short", "ahead of", "short_alone", times=1.5),
            Check("few", "ahead of", "few_alone", times=1.5),
            Check("gain", "at least", value=1.5),
            Check("epochs_alone", "ahead of", "epochs"),
        ),
        say(
            _LIMITS,
            "Delays must be learned: random ones that stay as they are make it {fixed:range} times "
            "as much with 100 inputs.",
            Check("fixed", "at most", value=1.0),
        ),
    ),
)


def _hidden(size: int, method: str, quantity: str = "") -> RowKey:
    return RowKey(f"{size} hidden" if size else "no layer", method, "strict", quantity=quantity)


_FIXED, _JOINT, _XOR = "random layer", "joint layers", "temporal XOR"
_GAIN = "times the fixed layer"

LAYERS = Finding(
    locate(
        "layers",
        none=_hidden(0, DTA),
        h100=_hidden(100, _FIXED),
        h400=_hidden(400, _FIXED),
        joint_load=_hidden(100, _JOINT),
        joint=_hidden(100, _JOINT, _GAIN),
        joint_200=_hidden(200, _JOINT, _GAIN),
        adam=_hidden(100, "Adam", _GAIN),
        jitter=_hidden(100, "spike jitter", _GAIN),
        xor=RowKey(_XOR, _JOINT, "strict"),
        xor_fixed=RowKey(_XOR, _FIXED, "strict"),
        xor_jitter=RowKey(_XOR, "spike jitter", "strict"),
    ),
    (
        say(
            _FOUND,
            "Behind random layers of 100 and 400 neurons a neuron learns {h100:range} and "
            "{h400:range} patterns, without a layer {none:range}. Constraints on both layers learn "
            "{joint:range} times as much of the same tasks as the layer of 100 as it is, and "
            "{joint_200:range} times as much as that of 200.",
            Check("h100", "ahead of", "none"),
            Check("h400", "ahead of", "h100", times=2.0),
            Check("joint", "at least", value=1.6),
            Check("joint_200", "at least", value=1.6),
        ),
        say(
            _LIMITS,
            "A fixed layer of 400 learns more than a joint one of 100, {h400:.0f} patterns against "
            "{joint_load:.0f}. Adam on the same gradients and the paper's spike jitter are level "
            "with the fixed layer, {adam:range} and {jitter:range} times as much. Joint layers "
            "learn temporal XOR in {xor:.0f} % of the trials, the fixed layer in "
            "{xor_fixed:range} %, spike jitter in {xor_jitter:range} %.",
            Check("h400", "ahead of", "joint_load"),
            Check("adam", "holds", value=1.0),
            Check("jitter", "holds", value=1.0),
            Check("joint", "ahead of", "adam"),
            Check("xor", "above", "xor_fixed"),
            Check("xor", "above", "xor_jitter"),
        ),
    ),
)


def _stays(scenario: str, method: str = DTA, variant: str = "", jitter: str = "0.5 ms") -> RowKey:
    quantity = f"responses within 1 ms, jitter {jitter}"
    return RowKey(scenario, method, "strict", variant, quantity)


def _accuracy(data: str, variant: str = "", quantity: str = "") -> RowKey:
    return RowKey(data, DTA, variant=variant, quantity=quantity)


_GAIN_OVER_WEIGHTS = "gain over weights"

DELAY_DATA = Finding(
    locate(
        "delay_data",
        latencies=_accuracy("digits, latencies", _DELAYS, _GAIN_OVER_WEIGHTS),
        digits=_accuracy("digits", _DELAYS, _GAIN_OVER_WEIGHTS),
        events=_accuracy("events", _DELAYS, _GAIN_OVER_WEIGHTS),
        braille=_accuracy("braille7", _DELAYS, _GAIN_OVER_WEIGHTS),
    ),
    (
        say(
            _LIMITS,
            "Delays hardly help to classify: {latencies:range} points more on digits as latencies, "
            "{digits:range} with a population code, {events:range} on events of a moving sensor, "
            "{braille:range} on Braille letters.",
            Check("latencies", "at most", value=1.0),
            Check("digits", "at most", value=1.0),
            Check("events", "holds", value=0.0),
            Check("braille", "at most", value=0.0),
        ),
    ),
)

JITTER = Finding(
    locate(
        "jitter",
        delays=_stays("500 inputs", variant=_DELAYS),
        weights=_stays("500 inputs"),
        wide=_stays("500 inputs", variant="margin 0.3"),
        few=_stays("same load"),
        random=_stays("same load", _FIXED, "400 hidden"),
        joint=_stays("same load", _JOINT, "100 hidden"),
    ),
    (
        say(
            _FOUND,
            "Responses that were learned with delays stand jitter of the input better: of 45 short "
            "patterns {delays:range} % stay right within 1 ms when spikes move by 0.5 ms, with "
            "weights alone {weights:range} %. That is not the larger margin, with which weights "
            "alone have {wide:range} %.",
            Check("delays", "ahead of", "weights"),
            Check("delays", "ahead of", "wide"),
        ),
        say(
            _LIMITS,
            "Layers multiply jitter: of six patterns of 50 inputs {few:range} % stay right with "
            "weights alone, {random:range} % behind a random layer of 400 and {joint:range} % "
            "through joint layers.",
            Check("few", "ahead of", "random"),
            Check("few", "ahead of", "joint"),
        ),
    ),
)
