"""The lab's service: plain data in, plain data out, or a refusal of its own."""

import base64
import io
import json
import subprocess
import sys
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.lab_documents import broken_documents, good_documents, scraps, toy

import linspike as ls
from linspike.errors import LinspikeError
from linspike.lab import service
from linspike.lab.document import read_document
from linspike.lab.examples import EXAMPLES
from linspike.lab.service import Clock, TooLongError
from linspike.rules import REGISTRY


def handle(what, **request):
    found = service.handle(what, request, Clock(60.0))
    json.dumps(found, allow_nan=False)
    return found


def play(**request):
    frames = list(service.play(request, Clock(60.0)))
    json.dumps(frames, allow_nan=False)
    return frames


def test_about_tells_of_all_rules_and_examples():
    about = handle("about")
    assert [rule["key"] for rule in about["rules"]] == list(REGISTRY)
    for rule in about["rules"]:
        assert rule["equation"]
        assert rule["summary"].endswith(".")
        for setting in rule["settings"]:
            assert setting["help"], (rule["key"], setting["name"])
    assert [each["name"] for each in about["examples"]] == list(EXAMPLES)
    (dta,) = (rule for rule in about["rules"] if rule["key"] == "dta")
    (target,) = (each for each in dta["settings"] if each["name"] == "count_target")
    assert target["choices"] == ["auto", "halving", "critical", "gradient", "whitened"]


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


def test_solve_keeps_the_delays():
    document = handle("example", name="interference")["document"]
    document["delays"] = [4.0, 0.0, 1.5, 0.0]
    found = handle("solve", document=document)
    assert found["solvable"] is True
    frames = play(document={**document, "weights": found["weights"]}, steps=0)
    assert all(frames[0]["right"])


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


def test_potentials_meet_the_threshold_at_spikes():
    seen = handle("look", document=toy("psd"))
    assert seen["spikes"]
    t, v = (np.array(seen["curves"][name]) for name in ("t", "v"))
    at = np.abs(t[:, np.newaxis] - seen["spikes"]).argmin(axis=0)
    assert np.allclose(v[at], 1.0, atol=1e-4)
    assert np.allclose(v[at + 1], 0.0, atol=1e-4)


def test_weights_that_run_away_end_play():
    document = toy("psd", eta=1e6)
    assert play(document=document, steps=50)[-1]["outcome"] == "runaway"


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


@pytest.mark.parametrize(
    ("counts", "delays"), [(False, False), (True, False), (False, True), (True, True)]
)
def test_the_exported_script_does_the_same(tmp_path, counts, delays):
    document = toy("dta", counts=counts, delays=delays)
    if delays:
        document["delays"] = [0.0, 2.0, 0.0, 1.0]
    frames = play(document=document, steps=5)
    state = {"weights": frames[-1]["weights"], "step": 5}
    if delays:
        state["delays"] = frames[-1]["delays"]
    made = handle("export", document=document, state=state, kind="script")
    path = tmp_path / made["name"]
    path.write_bytes(base64.b64decode(made["base64"]))
    done = subprocess.run([sys.executable, path], capture_output=True, text=True, check=True)
    first, *responses = done.stdout.splitlines()
    assert first == f"weights after 5 steps: {np.round(frames[-1]['weights'], 6).tolist()}"
    for p, line in enumerate(responses):
        spikes = handle("look", document=document, pattern=p, state=state)["spikes"]
        assert line == f"pattern {p}: spikes at {np.round(spikes, 3).tolist()}"


def test_exported_files_open_again(tmp_path):
    document = toy()
    table = handle("export", document=document, kind="csv")
    opened = handle("open", name="x.csv", base64=table["base64"], document=toy("psd"))["document"]
    for name in ("patterns", "targets", "n_channels"):
        assert opened[name] == document[name]
    made = handle("export", document=document, state={"weights": [1, 2, 3, 4.5]}, kind="model")
    path = tmp_path / made["name"]
    path.write_bytes(base64.b64decode(made["base64"]))
    assert ls.load_model(path).weights.tolist() == [[1, 2, 3, 4.5]]
    opened = handle("open", name="m.npz", base64=made["base64"], document=document)["document"]
    assert opened["weights"] == [1, 2, 3, 4.5]
    assert "delays" not in opened
    state = {"weights": [1, 2, 3, 4], "delays": [0.5, 0, 3, 1]}
    made = handle("export", document=document, state=state, kind="model")
    path.write_bytes(base64.b64decode(made["base64"]))
    assert ls.load_model(path).delays.tolist() == [[0.5, 0, 3, 1]]
    opened = handle("open", name="m.npz", base64=made["base64"], document=document)["document"]
    assert opened["delays"] == [0.5, 0, 3, 1]
    text = base64.b64encode(json.dumps(document).encode()).decode()
    assert handle("open", name="d.json", base64=text, document=toy("mst", counts=True)) == {
        "document": document
    }


def packed(save):
    stream = io.BytesIO()
    save(stream)
    return base64.b64encode(stream.getvalue()).decode()


def saved(thing, tmp_path):
    path = tmp_path / "saved.npz"
    thing.save(path)
    return base64.b64encode(path.read_bytes()).decode()


def test_patterns_targets_and_events_open(tmp_path):
    document = toy()
    patterns = ls.poisson_patterns(3, n_channels=7, duration=50.0, rate=0.01, rng=1)
    opened = handle("open", name="p.npz", base64=saved(patterns, tmp_path), document=document)
    assert opened["document"]["patterns"][1]["times"] == patterns[1].times.tolist()
    assert len(opened["document"]["weights"]) == 7
    counts = saved(ls.SpikeCounts([1, 2, 3]), tmp_path)
    opened = handle("open", name="c.npz", base64=counts, document=opened["document"])
    assert opened["document"]["targets"] == {"kind": "counts", "counts": [1, 2, 3]}
    kind = [("t", "<i8"), ("x", "<i4"), ("p", "?")]
    events = np.array([(2000, 1, True), (1000, 0, False)], dtype=kind)
    content = packed(lambda stream: np.save(stream, events))
    opened = handle("open", name="e.npy", base64=content, document=document)["document"]
    assert opened["patterns"][0]["times"] == [0.0, 1.0]
    assert opened["n_channels"] == 4


REFUSED = [
    ("x.png", b"", "the lab reads json, npz, npy, csv and txt"),
    ("x.json", b"{", "is no JSON file"),
    ("x.json", b"[" * 100000, "is no JSON file"),
    ("bad.json", b"[]", "'bad.json' is not a lab document: it lacks the entry 'version'"),
    ("bad.json", b'{"a": 1}', "'bad.json' is not a lab document"),
    ("x.json", b'{"version": "x"}', "'version' .* must be a whole number from 1"),
    ("x.npz", b"PK", "is no file of patterns, targets or a model"),
    ("x.npy", b"\x93NUMPY", "is damaged and cannot be read"),
    ("x.csv", b"\xff\xfe", "is no text in UTF-8"),
    ("x.csv", b"a,b\n1,2\n", "needs the columns time and channel"),
    ("x.csv", b"time,channel\n", "must have a header and 1 to"),
    ("x.csv", b"time,channel\n1,x\n", "row 1: 1, x is no spike"),
    ("x.csv", b"time,channel\n-1,0\n", "must have patterns below 200 and times up to"),
    ("x.csv", b"time,channel\n1,99999\n", "must have channels from 0 to 1999"),
    ("x.csv", b"# duration: x\ntime,channel\n1,0\n", "must be followed by one number"),
    ("x.csv", b'time,channel\n"' + b"a" * 200_000 + b'",0\n', "x.csv is no table .field larger"),
]


@pytest.mark.parametrize(("name", "content", "message"), REFUSED)
def test_files_that_cannot_be_opened_are_refused(name, content, message):
    with pytest.raises(LinspikeError, match=message):
        handle("open", name=name, base64=base64.b64encode(content).decode(), document=toy())


def test_files_with_pickle_or_of_the_wrong_size_are_refused(tmp_path):
    content = packed(lambda stream: np.save(stream, np.array([{}], dtype=object)))
    with pytest.raises(LinspikeError, match="does not hold the array"):
        handle("open", name="x.npy", base64=content, document=toy())
    plain = packed(lambda stream: np.save(stream, np.zeros(3)))
    with pytest.raises(LinspikeError, match="holds no events"):
        handle("open", name="x.npy", base64=plain, document=toy())
    wide = np.array([(1, 5000)], dtype=[("t", "<i8"), ("x", "<i4")])
    content = packed(lambda stream: np.save(stream, wide))
    with pytest.raises(LinspikeError, match="Pool them first"):
        handle("open", name="x.npy", base64=content, document=toy())
    for kind in (
        [("t", "U3"), ("x", "<i4")],
        [("t", "<M8[us]"), ("x", "<i4")],
        [("t", "<i8"), ("x", "U3")],
    ):
        content = packed(lambda stream, kind=kind: np.save(stream, np.zeros(2, dtype=kind)))
        with pytest.raises(LinspikeError, match="must have numbers in t, and whole ones in x"):
            handle("open", name="x.npy", base64=content, document=toy())
    with pytest.raises(LinspikeError, match="did not arrive whole"):
        handle("open", name="x.npy", base64="*", document=toy())
    for thing, message in (
        (ls.SpikeCounts([1]), "Open their patterns first"),
        (ls.Model(ls.SRM(), [1.0]), "Open its patterns first"),
        (ls.poisson_patterns(1, n_channels=3000, duration=9.0, rate=0.1, rng=0), "takes up to"),
    ):
        with pytest.raises(LinspikeError, match=message):
            handle("open", name="x.npz", base64=saved(thing, tmp_path), document=toy())


def test_time_is_limited():
    clock = Clock(-1.0)
    with pytest.raises(TooLongError, match="took longer than the -1 seconds allowed"):
        list(service.play({"document": toy(), "steps": 5}, clock))
    with pytest.raises(TooLongError):
        service.handle("solve", {"document": toy()}, clock)


MESSAGES = [
    ({"version": 99}, "The 'version' parameter of the document must be at most 1"),
    ({"n_channels": 0}, "'n_channels' .* must be a whole number from 1 to 2000. Got 0"),
    ({"weights": [1.0]}, r"'weights' .* must be one number per channel \(4\)"),
    ({"weights": [True] * 4}, "'weights' .* must be a list of numbers. Got True"),
    ({"weights": [10**400] * 4}, "'weights' .* must be numbers from"),
    ({"patterns": []}, "'patterns' .* must be a list of 1 to 200 entries. Got 0 entries"),
    ({"targets": {"kind": "x"}}, "'targets.kind' .* must be one of times, counts"),
    ({"targets": {"kind": "counts", "counts": [1]}}, r"'targets.counts' .* one per pattern \(2\)"),
    ({"rules": [{"key": "x"}]}, r"'rules\[0\].key' .* must be one of dta"),
    ({"rules": [{"key": "psd", "settings": {"x": 1}}]}, r"must be settings of psd \(eta"),
    ({"rules": [{"key": "psd", "settings": {"eta": -1}}]}, "'eta' parameter of PSD"),
    ({"rules": [{"key": "mst"}]}, "SpikeCounts for MST, which cannot learn times"),
    ({"neuron": {"tau_m": 5, "tau_s": 20, "threshold": 1}}, r"must be in \(0, tau_m\)"),
    ({"skip_right": 1}, "must be true or false"),
    ({"criterion": "lax"}, "must be one of paper, strict"),
]


def test_desired_spikes_are_limited_in_all():
    pattern = {"duration": 100.0, "times": [], "channels": []}
    many = {"patterns": [pattern] * 11, "targets": {"kind": "times", "times": [[1.0] * 200] * 11}}
    with pytest.raises(LinspikeError, match=r"'targets.times\[10\]' .* a list of 0 to 0 entries"):
        handle("look", document={**toy(), **many})


@pytest.mark.parametrize(("change", "message"), MESSAGES)
def test_refusals_name_the_entry(change, message):
    with pytest.raises(LinspikeError, match=message):
        handle("look", document={**toy(), **change})


REQUESTS = ("look", "check", "solve", "export", "play")


def ask(name, request):
    """Return whether a request was handled; only the service's own refusals may pass."""
    try:
        if name == "play":
            list(service.play({**request, "steps": 2, "looks": True}, Clock(60.0)))
        else:
            json.dumps(service.handle(name, request, Clock(60.0)), allow_nan=False)
    except LinspikeError:
        return False
    return True


@given(broken_documents(), st.sampled_from(REQUESTS))
def test_broken_documents_are_refused(document, name):
    ask(name, {"document": document, "kind": "script"})


@settings(max_examples=60)
@given(good_documents(), st.sampled_from(REQUESTS))
def test_nasty_documents_do_no_harm(document, name):
    ask(name, {"document": document, "kind": "csv"})


@given(scraps, st.sampled_from([*service.HANDLERS, "play"]))
def test_scraps_are_refused(scrap, name):
    ask(name, scrap if isinstance(scrap, dict) else {"document": scrap, "name": scrap})


@given(st.binary(max_size=200), st.sampled_from(["json", "npz", "npy", "csv", "txt"]))
def test_no_file_does_harm(content, kind):
    request = {"name": f"x.{kind}", "base64": base64.b64encode(content).decode()}
    ask("open", {**request, "document": toy()})
