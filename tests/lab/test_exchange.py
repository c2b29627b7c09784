"""Files of the lab: what it exports runs and opens again; what it cannot open is refused."""

import base64
import io
import json
import subprocess
import sys

import numpy as np
import pytest
from tests.support.lab_documents import handle, play, toy

import linspike as ls
from linspike.errors import LinspikeError


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
    with pytest.raises(LinspikeError, match="holds pickled objects, which the lab does not read"):
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


def test_a_document_is_completed_and_else_stays_as_it_is():
    given = {name: toy()[name] for name in ("version", "neuron", "n_channels", "targets")}
    given |= {"weights": [0, 1, 2, 3], "rules": [{"key": "fp"}], "text": "x" * 5000, "other": 1}
    pattern = {"duration": 80, "times": [20, 10], "channels": [0, 3]}
    given["patterns"] = [pattern, pattern]
    found = handle("read", document=given)["document"]
    assert found["patterns"] == given["patterns"]
    assert found["rules"] == [{"key": "fp", "settings": {}}]
    assert set(found) == set(toy())
    assert len(found["text"]) == 2000
    with pytest.raises(LinspikeError, match="'title' .* must be a text of at most 200"):
        handle("read", document={**given, "title": "x" * 201})
