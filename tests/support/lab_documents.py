"""Documents of the lab, good and bad, for tests of its service."""

import copy
import json

import numpy as np
from hypothesis import strategies as st

import linspike as ls
from linspike.lab import service
from linspike.lab.document import Document
from linspike.lab.service import Clock
from linspike.rules import REGISTRY, rule_of


def toy(rule="dta", *, counts=False, **settings):
    """A document of four channels and two patterns, as plain data."""
    rng = np.random.default_rng(3)
    patterns = ls.poisson_patterns(2, n_channels=4, duration=80.0, rate=0.04, rng=rng)
    targets = ls.SpikeCounts([3, 0]) if counts else ls.SpikeTimes([[30.0, 60.0], [50.0]])
    rules = (rule_of(rule, "test", **settings),)
    return Document(ls.SRM(), patterns, targets, rng.normal(0.4, 0.3, 4), rules).to_plain("toy")


SETTINGS = ("bound", "margin", "count_target", "delays", "max_delay", "x")
numbers = st.one_of(
    st.floats(),
    st.integers(-(10**30), 10**30),
    st.sampled_from([0, 0.0, -0.0, 1e308, 1e-320, float("nan"), float("inf"), 2**63, True]),
)
scraps = st.recursive(
    st.one_of(numbers, st.none(), st.booleans(), st.text(max_size=8)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=8,
)
moments = st.floats(0.0, 60.0)


@st.composite
def good_documents(draw):
    """Plain data of documents that fit together, with nasty weights, neurons and rules."""
    n, width = draw(st.integers(1, 3)), draw(st.integers(1, 4))
    patterns = []
    for _ in range(n):
        times = draw(st.lists(moments, max_size=12))
        channels = [draw(st.integers(0, width - 1)) for _ in times]
        patterns.append({"duration": 60.0, "times": times, "channels": channels})
    counts = draw(st.booleans())
    targets = {"kind": "counts", "counts": [draw(st.integers(0, 5)) for _ in range(n)]}
    if not counts:
        trains = [draw(st.lists(moments, max_size=4)) for _ in range(n)]
        targets = {"kind": "times", "times": trains}
    weight = st.one_of(st.floats(-3.0, 3.0), st.sampled_from([0.0, 1e6, -1e6, 1e-300, 50.0]))
    tau_m = draw(st.sampled_from([20.0, 3.0, 1e3, 1e-3]))
    key, learns = draw(st.sampled_from(list(REGISTRY))), draw(st.booleans())
    settings = {"delays": True} if key == "dta" and learns else {}
    late = st.lists(st.floats(0.0, 20.0), min_size=width, max_size=width)
    return {
        "version": 1,
        "neuron": {
            "tau_m": tau_m,
            "tau_s": tau_m * draw(st.sampled_from([0.25, 0.01, 0.99])),
            "threshold": draw(st.sampled_from([1.0, 1e-3, 1e3])),
        },
        "n_channels": width,
        "patterns": patterns,
        "targets": targets,
        "weights": draw(st.lists(weight, min_size=width, max_size=width)),
        "rules": [{"key": key, "settings": settings}],
        "delays": draw(st.one_of(st.none(), late)),
        "criterion": draw(st.sampled_from(["strict", "paper"])),
        "skip_right": draw(st.booleans()),
        "seed": draw(st.integers(0, 5)),
    }


@st.composite
def broken_documents(draw):
    """Documents with one or two entries replaced by scraps, or without them."""
    document = {**copy.deepcopy(toy()), "delays": [0.0, 1.0, 2.0, 3.0]}
    places = [
        ["version"],
        ["neuron"],
        ["neuron", "tau_m"],
        ["neuron", "tau_s"],
        ["neuron", "threshold"],
        ["n_channels"],
        ["patterns"],
        ["patterns", 0],
        ["patterns", 0, "duration"],
        ["patterns", 0, "times"],
        ["patterns", 0, "times", 0],
        ["patterns", 1, "channels"],
        ["patterns", 1, "channels", 0],
        ["targets"],
        ["targets", "kind"],
        ["targets", "times"],
        ["targets", "times", 0],
        ["targets", "times", 0, 0],
        ["weights"],
        ["weights", 0],
        ["delays"],
        ["delays", 0],
        ["rules"],
        ["rules", 0],
        ["rules", 0, "key"],
        ["rules", 0, "settings"],
        ["rules", 0, "settings", draw(st.sampled_from(SETTINGS))],
        ["criterion"],
        ["skip_right"],
        ["seed"],
    ]
    *path, last = draw(st.sampled_from(places))
    inside = document
    for key in path:
        inside = inside[key]
    if draw(st.booleans()) or isinstance(last, int):
        inside[last] = draw(scraps)
    else:
        inside.pop(last, None)
    return document


def handle(what, **request):
    """Return the response of the service, which must be JSON."""
    found = service.handle(what, request, Clock(60.0))
    json.dumps(found, allow_nan=False)
    return found


def play(**request):
    """Return the frames of a chain, which must be JSON."""
    frames = list(service.play(request, Clock(60.0)))
    json.dumps(frames, allow_nan=False)
    return frames
