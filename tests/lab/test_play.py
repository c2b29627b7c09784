"""Learning in the lab: its steps are those of a trajectory, wherever they start."""

from itertools import pairwise

import numpy as np
import pytest
from tests.support.lab_documents import handle, play, toy

import linspike as ls
from linspike.errors import LinspikeError
from linspike.lab.document import read_document
from linspike.lab.examples import EXAMPLES


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_can_be_learned(name):
    document = handle("example", name=name)["document"]
    assert document["title"]
    assert document["text"]
    steps = 60 * len(document["patterns"])
    keys = [rule["key"] for rule in document["rules"]]
    last = play(document=document, rule=keys.index("dta"), steps=steps)[-1]
    assert all(last["right"])


def test_the_same_steps_as_a_trajectory():
    document = toy("resume", eta=0.05)
    frames = play(document=document, steps=7)
    patterns = ls.PatternSet.sorted(
        np.concatenate([p["times"] for p in document["patterns"]]),
        np.concatenate([p["channels"] for p in document["patterns"]]),
        np.cumsum([0, *(len(p["times"]) for p in document["patterns"])]),
        4,
        80.0,
    )
    targets = ls.SpikeTimes(document["targets"]["times"])
    trainer = ls.Trainer(ls.SRM(), ls.rules.ReSuMe(eta=0.05), criterion="strict")
    path = trainer.trajectory(document["weights"], patterns, targets, steps=7, skip_right=True)
    assert [frame["weights"] for frame in frames] == path.tolist()
    assert [frame["step"] for frame in frames] == list(range(8))


def test_play_goes_on_where_it_stopped():
    document = toy("psd", eta=0.05, momentum=0.5)
    whole = play(document=document, steps=6)
    state = {key: whole[3][key] for key in ("weights", "velocity", "step")}
    rest = play(document=document, state=state, steps=3)
    assert rest[1:] == whole[4:]


def test_a_look_shows_what_play_does():
    for counts in (False, True):
        document = toy("dta", counts=counts)
        frames = play(document=document, steps=4, looks=True)
        for before, after in pairwise(frames):
            state = {key: before[key] for key in ("weights", "step")}
            seen = handle("look", document=document, pattern=after["pattern"], state=state)
            if after["outcome"] != "unchanged":
                moved = np.array(before["weights"]) + seen["change"]
                assert moved.tolist() == after["weights"]
                assert seen["spikes_after"] == after["look"]["spikes"]


@pytest.mark.parametrize("counts", [False, True])
def test_learned_delays_go_on_where_they_stopped(counts):
    document = toy("dta", counts=counts, delays=True)
    frames = play(document=document, steps=6, looks=True)
    assert frames[0]["delays"] == [0.0] * 4
    assert max(frames[-1]["delays"]) > 0.0
    for before, after in pairwise(frames):
        state = {key: before[key] for key in ("weights", "step", "delays")}
        again = play(document=document, state=state, steps=1)[1]
        assert again == {key: value for key, value in after.items() if key != "look"}
        if after["outcome"] != "unchanged":
            seen = handle("look", document=document, pattern=after["pattern"], state=state)
            assert seen["delays_after"] == after["delays"]
            assert seen["spikes_after"] == after["look"]["spikes"]


def test_learned_delays_are_those_of_the_walk():
    document = toy("dta", delays=True, max_delay=2.5)
    frames = play(document=document, steps=9)
    given = read_document(document)
    late = np.array([frame["delays"] for frame in frames])
    assert late.max() <= 2.5
    path = given.trainer(0).trajectory(
        given.weights, given.patterns, given.targets, steps=9, skip_right=True
    )
    assert [frame["weights"] for frame in frames] == path.tolist()
    for p, pattern in enumerate(given.patterns):
        response = ls.SRM().respond(path[-1], pattern, delays=late[-1])
        state = {key: frames[-1][key] for key in ("weights", "delays", "step")}
        seen = handle("look", document=document, pattern=p, state=state)
        assert seen["spikes"] == response.times.tolist()


def test_rules_with_and_without_delays_learn_side_by_side():
    document = toy("dta")
    document["rules"].append({"key": "dta", "settings": {"delays": True}})
    plain, delayed = (play(document=document, rule=i, steps=4) for i in range(2))
    assert "delays" not in plain[-1]
    assert plain[0]["weights"] == delayed[0]["weights"]
    assert plain == play(document=toy("dta"), steps=4)
    assert delayed == play(document=toy("dta", delays=True), steps=4)


@pytest.mark.parametrize("rule", ["dta", "resume"])
def test_delays_that_are_given_stay_as_they_are(rule):
    document = {**toy(rule), "delays": [3.0, 0.0, 7.5, 1.0]}
    frames = play(document=document, steps=5)
    assert all(frame["delays"] == document["delays"] for frame in frames)
    given = read_document(document)
    assert given.to_plain("toy")["delays"] == document["delays"]
    path = given.trainer(0).trajectory(
        given.weights, given.patterns, given.targets, delays=given.delays, steps=5, skip_right=True
    )
    assert [frame["weights"] for frame in frames] == path.tolist()


WRONG_DELAYS = [
    ([1.0], r"'state.delays' .* must be one number per channel \(4\). Got 1"),
    ([0.0, -1.0, 0.0, 0.0], "'state.delays' .* must be numbers from 0 to .*Got -1.0"),
    ([float("nan")] * 4, "'state.delays' .* must be numbers from 0"),
    (["x"] * 4, "'state.delays' .* must be a list of numbers"),
    ([0.0, 21.0, 0.0, 0.0], "at most max_delay = 20 ms. Got 21.0 for channel 1"),
]


@pytest.mark.parametrize(("delays", "message"), WRONG_DELAYS)
def test_delays_out_of_range_are_refused(delays, message):
    document = toy("dta", delays=True)
    with pytest.raises(LinspikeError, match=message):
        handle("look", document=document, state={"weights": document["weights"], "delays": delays})
    with pytest.raises(LinspikeError, match=message.replace("state.", "")):
        handle("look", document={**document, "delays": delays})


def test_weights_that_run_away_end_play():
    document = toy("psd", eta=1e6)
    assert play(document=document, steps=50)[-1]["outcome"] == "runaway"
