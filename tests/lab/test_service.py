"""The lab's service: plain data in, plain data out."""

import re

import numpy as np
import pytest
from tests.support.lab_documents import handle, play, toy

from linspike.errors import LinspikeError
from linspike.lab.examples import EXAMPLES
from linspike.lab.rule_list import list_rules
from linspike.lab.words.hints import SETTINGS, WINDOWS
from linspike.rules import REGISTRY

CODE = re.compile(r"[`_]|As for|\.py\b")


def test_every_hint_is_of_a_setting_that_is_shown():
    shown = {(rule["key"], each["name"]) for rule in list_rules() for each in rule["settings"]}
    assert set(SETTINGS) <= {name for _, name in shown}
    assert {(key, "window") for key in WINDOWS} <= shown


def test_about_tells_of_all_rules_and_examples():
    about = handle("about")
    assert [rule["key"] for rule in about["rules"]] == list(REGISTRY)
    for rule in about["rules"]:
        assert rule["equation"]
        assert rule["summary"].endswith(".")
        for setting in rule["settings"]:
            assert setting["help"], (rule["key"], setting["name"])
            assert not CODE.search(setting["help"]), (rule["key"], setting["name"])
    assert [each["name"] for each in about["examples"]] == list(EXAMPLES)
    (dta,) = (rule for rule in about["rules"] if rule["key"] == "dta")
    (target,) = (each for each in dta["settings"] if each["name"] == "count_target")
    assert target["choices"] == ["auto", "halving", "critical", "gradient", "whitened"]


def test_solve_keeps_the_delays():
    document = handle("example", name="interference")["document"]
    document["delays"] = [4.0, 0.0, 1.5, 0.0]
    found = handle("solve", document=document)
    assert found["solvable"] is True
    frames = play(document={**document, "weights": found["weights"]}, steps=0)
    assert all(frames[0]["right"])


def test_potentials_meet_the_threshold_at_spikes():
    seen = handle("look", document=toy("psd"))
    assert seen["spikes"]
    t, v = (np.array(seen["curves"][name]) for name in ("t", "v"))
    at = np.abs(t[:, np.newaxis] - seen["spikes"]).argmin(axis=0)
    assert np.allclose(v[at], 1.0, atol=1e-4)
    assert np.allclose(v[at + 1], 0.0, atol=1e-4)


def test_solve_returns_weights_or_a_proof():
    document = handle("example", name="interference")["document"]
    found = handle("solve", document=document)
    assert found["solvable"] is True
    frames = play(document={**document, "weights": found["weights"]}, steps=0)
    assert all(frames[0]["right"])
    document["targets"] = {"kind": "times", "times": [[0.001, 50.0]]}
    found = handle("solve", document=document)
    assert found["solvable"] is False
    assert found["reason"] == "No weights can meet this constraint of pattern 1."
    (sentence, *_) = handle("check", document=document)["sentences"]
    assert sentence.startswith("impossible: pattern 1 has a desired spike at 0.001 ms")
    with pytest.raises(LinspikeError, match="a count leaves open where the spikes are"):
        handle("solve", document=toy(counts=True))


def test_patterns_are_counted_from_one_as_on_the_page():
    document = toy()
    document["patterns"] = [document["patterns"][0]] * 2
    document["targets"] = {"kind": "times", "times": [[30.0], [40.0]]}
    found = handle("solve", document=document)
    assert found["solvable"] is False
    assert found["reason"].startswith(
        "No weights can do this: patterns 1 and 2 are equal, but only"
    )
    document["targets"] = {"kind": "times", "times": [[30.0], [30.0, 31.0]]}
    found = handle("solve", document=document)
    assert "patterns 1 and 2" in found["reason"]
    assert not any("pattern 0" in each for each in handle("check", document=document)["sentences"])


def test_contradictions_of_a_step_are_named():
    pytest.importorskip("highspy", reason="the extra solvers is not installed")
    document = toy()
    document |= {"n_channels": 1, "weights": [1.0]}
    document["patterns"] = [{"duration": 80.0, "times": [5.0], "channels": [0]}]
    document["targets"] = {"kind": "times", "times": [[8.0, 30.0]]}
    (sentence,) = handle("check", document=document)["sentences"]
    assert sentence == (
        "no multipliers within the bounds meet the constraints at 8, 30 ms together"
    )


def test_draw_is_reproducible():
    asked = {"n_channels": 5, "duration": 100.0, "rate": 0.02, "seed": 4}
    first, again = handle("draw", kind="spikes", **asked), handle("draw", kind="spikes", **asked)
    assert first == again
    assert first["times"]
    moved = handle("draw", kind="jitter", pattern=first, sd=1.0, n_channels=5)
    assert len(moved["times"]) == len(first["times"])
    assert moved["times"] != first["times"]
    desired = handle("draw", kind="desired", duration=400.0, rate=0.02)["times"]
    assert np.diff(desired).min() >= 5.0
    zero = handle("draw", kind="weights", how="zero", document=toy())
    assert zero["weights"] == [0.0] * 4
    for how in ("small", "driven"):
        assert any(handle("draw", kind="weights", how=how, document=toy())["weights"])
