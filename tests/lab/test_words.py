"""What the lab says in words about a step: the harm, what stands in its way, what comes after it."""

import re
from pathlib import Path

import numpy as np
import pytest
from tests.support.lab_documents import toy

from linspike.lab import service
from linspike.lab.rule_list import list_rules
from linspike.lab.service import Clock
from linspike.lab.words.goals import describe_response, name_times, show
from linspike.lab.words.interference import describe_interference, list_effects

STILL = (
    "This step changes nothing: these goals contradict each other. Press Solve to see whether any "
    "weights meet them."
)


def look(document, **request):
    return service.handle("look", {"document": document, **request}, Clock(60.0))


def example(name):
    return service.handle("example", {"name": name}, Clock(60.0))["document"]


def one_desired():
    """Two inputs, and one spike that is desired after the peak of the first: V must fall there."""
    return {
        "version": 1,
        "neuron": {"tau_m": 20, "tau_s": 5, "threshold": 1},
        "n_channels": 4,
        "patterns": [{"duration": 100, "times": [10, 30], "channels": [0, 1]}],
        "targets": {"kind": "times", "times": [[20.0]]},
        "weights": [0.5] * 4,
        "rules": [{"key": "dta", "settings": {}}],
    }


def states_of(document, steps, rule=0):
    request = {"document": document, "steps": steps, "rule": rule}
    frames = service.play(request, Clock(60.0))
    return [{"weights": frame["weights"], "step": frame["step"]} for frame in frames]


def sentences(said):
    return [sentence for sentence, _ in said]


def test_the_victim_is_the_spike_that_is_harmed():
    said = sentences(look(example("figure-2"))["verdicts"])
    assert said == [
        "The correction at 22.7 ms moves V0 at the right spike at 10.0 ms by \u22120.092, where none "
        "is needed. That is interference."
    ]
    (said,) = sentences(look(example("interference"))["verdicts"])
    assert "the right spike at 21.0 ms" in said


def test_help_is_not_called_harm():
    row = {"kind": "missing", "time": 9.0, "equal": True, "now": 1.0, "goal": 0.6, "left": -0.2}
    other = {**row, "time": 30.0, "goal": 1.0, "now": 0.8, "left": 0.1}
    by = {"time": 30.0, "row": 1, "multiplier": 1.0}
    cases = (
        (-0.2, "also moves V0 at the missing spike at 9.0 ms by \u22120.200, in the direction"),
        (0.2, "by 0.200, away from what is needed there (\u22120.400). That is interference."),
        (-0.9, "by \u22120.900, farther than is needed there (\u22120.400). That is interference."),
        (0.001, "The corrections hardly touch each other here"),
    )
    for value, expected in cases:
        seen = {
            "rows": [row, other],
            "corrections": [by],
            "matrix": [[value], [0.5]],
            "stands_still": False,
        }
        assert expected in describe_interference(seen, "wrong")[0][0]


def test_harm_brings_v0_farther_from_its_goal():
    for key in ("psd", "dta", "first_error", "resume"):
        seen = look(toy(key))
        effects = list_effects(seen)
        assert effects
        for each in effects:
            row = each.row
            if row["goal"] is None:
                continue
            before, after = row["now"] - row["goal"], row["now"] + each.value - row["goal"]
            sides = (abs(before), abs(after)) if row["equal"] else (max(0, before), max(0, after))
            assert each.harm == pytest.approx(max(0.0, sides[1] - sides[0]), abs=1e-12)


def test_a_step_that_stands_still_says_so():
    document = one_desired()
    start, _, stuck, later = states_of(document, 3)
    assert look(document, state=start)["stands_still"] is False
    seen = look(document, state=stuck)
    assert seen["stands_still"] is True
    assert seen["goals"] == [[STILL, "left-over"]]
    assert not any("is needed there" in each for each in sentences(seen["verdicts"]))
    assert np.allclose(stuck["weights"], later["weights"])


def test_goals_that_are_met_are_no_praise_where_the_response_stays_wrong():
    document = one_desired()
    _, first, second = states_of(document, 2)
    seen = look(document, state=first)
    assert seen["goals"] == [
        [
            "All goals are met at once after this step, but then no spike comes at 20 ms; there is "
            "another spike, at 18.5 ms.",
            "",
        ]
    ]
    assert seen["spikes_after"] == look(document, state=second)["spikes"]
    right = example("interference")
    for state in states_of(right, 3, rule=1):
        seen = look(right, state=state, rule=1)
        if seen["goals"] and seen["goals"][0][1] == "met":
            assert np.allclose(seen["spikes_after"], right["targets"]["times"][0], atol=1.0)


def test_responses_are_compared_in_words():
    desired = np.array([50.0, 200.0])
    for spikes, expected in (
        ([50.3, 200.0], ""),
        ([50.0, 128.0, 200.0, 328.0], "there are other spikes, at 128 and 328 ms"),
        ([50.0], "no spike comes at 200 ms"),
        ([50.0, 50.4, 200.0], "there is another spike, at 50.4 ms"),
        ([], "no spike comes at 50 and 200 ms"),
    ):
        assert describe_response(spikes, desired, 1.0) == expected
    assert describe_response([1.0], 3, 1.0) == "there is 1 of 3 spikes"
    assert describe_response([1.0, 2.0], 2, 1.0) == ""
    assert name_times([1.0, 2.0, 3.0, 4.0, 5.0]) == "1, 2, 3, 4 ms and more"
    assert show(-1e-5) == "0.000"


@pytest.mark.parametrize("rule", [0, 1])
def test_nothing_is_left_to_correct_after_solve(rule):
    document = example("interference")
    found = service.handle("solve", {"document": document}, Clock(60.0))
    seen = look({**document, "weights": found["weights"]}, rule=rule)
    assert seen["verdicts"] == [["Nothing is left to correct.", "met"]]
    assert seen["corrections"] == []


def test_hints_are_no_code():
    for rule in list_rules():
        texts = [rule["summary"], *(each["help"] for each in rule["settings"])]
        for text in texts:
            assert not set("`^*[]=") & set(text), (rule["key"], text)
            assert "_" not in text.replace("tau_m", "").replace("tau_s", ""), (rule["key"], text)


STATIC = Path(service.__file__).parent / "static"
COUNTED = {"counted", "found", "kept", "moved", "critical"}  # while a count is not right


@pytest.mark.parametrize("counts", [False, True])
def test_every_kind_of_row_has_a_name_and_a_mark(counts):
    named = (STATIC / "lab.js").read_text().partition("const KINDS = {")[2].partition("};")[0]
    marked = re.findall(r"\.kind\.(\w+)::before", (STATIC / "lab.css").read_text())
    for rule in ("dta", "dta_lp", "first_error", "htp", "mst", "emlc"):
        if not counts and rule in ("mst", "emlc"):
            continue
        for frame in service.play(
            {"document": toy(rule, counts=counts), "steps": 6, "looks": True}, Clock(60.0)
        ):
            kinds = {row["kind"] for row in frame["look"]["rows"]}
            assert kinds <= set(re.findall(r"^  (\w+): \[", named, re.MULTILINE))
            assert kinds <= set(marked)
            if counts:
                p = frame["look"]["pattern"]
                assert kinds <= ({"spike"} if frame["right"][p] else COUNTED)
