"""Tables of events: fit --spikes, then predict and evaluate."""

import json

import numpy as np
import pytest
from tests.support.flowers import refused, run, write

import linspike as ls

COLUMNS = ["time", "channel", "sample", "label"]
SETTINGS = ("--target", "label", "--time-unit", "s", "--epochs", 5)


def make_events(n_samples=12, names="abc"):
    """Events of samples whose class is the channel that fires most, in no order."""
    rng = np.random.default_rng(3)
    rows = []
    for sample in range(n_samples):
        kind = sample % len(names)
        for channel in range(6):
            n = rng.poisson(6 if channel // 2 == kind else 1)
            times = rng.uniform(0.0, 0.1, n)
            rows += [[t, f"e{channel}", f"s{sample}", names[kind]] for t in times.tolist()]
    return [rows[at] for at in rng.permutation(len(rows))]


def by_hand(rows, duration=None):
    """The same samples as patterns, in order of appearance, with their names and labels."""
    names = list(dict.fromkeys(row[2] for row in rows))
    labels = {row[2]: row[3] for row in rows}
    patterns = ls.PatternSet.from_events(
        [row[0] for row in rows],
        [int(row[1][1:]) for row in rows],
        [names.index(row[2]) for row in rows],
        time_unit="s",
        window=duration,
        n_channels=6,
    )
    return patterns, names, [labels[name] for name in names]


@pytest.fixture(scope="module")
def events(tmp_path_factory):
    return write(tmp_path_factory.mktemp("events") / "e.csv", COLUMNS, make_events())


@pytest.fixture(scope="module")
def spike_model(events):
    path = events.with_name("e.npz")
    done = run("fit", "--spikes", events, *SETTINGS, "-o", path)
    assert done.code == 0, done.err
    n = len(make_events())
    assert done.err == f"learning from 12 samples, {n} spikes on 6 channels\n"
    facts = dict(line.split(maxsplit=1) for line in done.out.splitlines())
    assert (facts["samples"], facts["channels"]) == ("12", "6 (48 with delay lines)")
    assert facts["classes"] == "3 (a 4, b 4, c 4)"
    assert "features" not in facts
    return path


def test_the_model_is_that_of_the_estimator(events, spike_model):
    patterns, names, labels = by_hand(make_events())
    classifier = ls.make_event_classifier(patterns.durations[0], max_iter=5, random_state=0)
    classifier.fit(patterns, labels)
    loaded = ls.load_model(spike_model)
    assert np.array_equal(loaded.weights_, classifier.weights_)
    notes = loaded.notes_["events"]
    assert notes["channels"] == [f"e{i}" for i in range(6)]
    assert notes["window"] == [0.0, patterns.durations[0]]
    assert (notes["unit"], loaded.notes_["target"]) == ("s", "label")
    lines = [f"{n},{k}" for n, k in zip(names, classifier.predict(patterns), strict=True)]
    assert run("predict", spike_model, events).out.splitlines() == ["sample,label", *lines]


@pytest.mark.parametrize(
    ("options", "changes"),
    [
        (["--folds", 2], {"folds": 2}),
        (["--spike-count", 10], {"spikes": 10}),
        (["--decay", 0.0], {"schedule": None}),
        (["--decay", 0.1], {"schedule": ls.training.Inverse(0.1)}),
        (["--rule", "dta"], {"rule": ls.rules.DTA()}),
        (["--bound", 0.01], {"rule": ls.rules.DTA(bound=0.01, count_target="gradient")}),
        (["--exact-counts"], {"target": "exact"}),
        (["--code", "times"], {"code": "times"}),
    ],
)
def test_options_go_before_the_defaults_of_events(events, tmp_path, options, changes):
    done = run("fit", "--spikes", events, *SETTINGS, "-o", tmp_path / "m.npz", *options)
    assert done.code == 0, done.err
    patterns, _, labels = by_hand(make_events())
    how = {"max_iter": 5, "random_state": 0, **changes}
    classifier = ls.make_event_classifier(patterns.durations[0], **how).fit(patterns, labels)
    loaded = ls.load_model(tmp_path / "m.npz")
    assert np.array_equal(loaded.weights_, classifier.weights_)
    assert str(loaded.schedule) == str(classifier.schedule)


def test_times_need_two_spikes(events, tmp_path):
    options = ("--code", "times", "--spike-count", 1, "-o", tmp_path / "m.npz")
    message = "--code times needs --spike-count 2 or more."
    refused(message, "fit", "--spikes", events, *SETTINGS, *options, code=2)


def test_other_events_are_cut_to_the_window_of_fit(spike_model, tmp_path):
    rows = make_events(5)
    rows += [[0.3, "e1", "s2", "a"], [0.01, "e9", "s3", "a"], [0.02, "e8", "late", "a"]]
    data = write(tmp_path / "d.csv", ["depth", *COLUMNS[:3]], [[1, *row[:3]] for row in rows])
    done = run("predict", spike_model, data, "--scores")
    start, end = ls.load_model(spike_model).notes_["events"]["window"]
    assert done.err.splitlines() == [
        "column not known to the model, ignored: depth",
        "2 events of channels not known to the model, ignored: e9, e8",
        f"1 event outside the window from {start:g} to {end:g} ms, ignored",
        "1 sample without any event left, of no certain class: late",
    ]
    kept = [row for row in rows if row[0] < 0.2 and row[1] < "e6"]
    patterns, names, _ = by_hand(kept, end)
    scores = ls.load_model(spike_model).decision_function(patterns)
    lines = done.out.splitlines()
    assert lines[0] == "sample,label,score_a,score_b,score_c"
    assert [line.split(",")[0] for line in lines[1:]] == [*names, "late"]
    found = np.array([line.split(",")[2:] for line in lines[1:-1]], float)
    assert np.array_equal(found, scores)
    assert not np.array(lines[-1].split(",")[2:], float).any()


def test_evaluate_counts_samples(events, spike_model):
    done = run("evaluate", spike_model, events)
    row = json.loads(run("evaluate", spike_model, "-", "--json", stdin=events.read_bytes()).out)
    patterns, _, labels = by_hand(make_events())
    score = ls.load_model(spike_model).score(patterns, labels)
    assert done.out.startswith(f"accuracy {score:.3f} (")
    assert (row["rows"][0]["samples"], row["rows"][0]["accuracy"]) == (12, score)
    assert row["provenance"]["file"] == "standard input"


def test_accuracy_on_other_events(events, tmp_path):
    other = tmp_path / "other.csv"
    other.write_bytes(events.read_bytes())
    options = ("--cv", 2, "--test", other, "--json")
    done = run("fit", "--spikes", events, *SETTINGS, "-o", tmp_path / "m.npz", *options)
    (row,) = json.loads(done.out)["rows"]
    assert row["test"]["samples"] == 12
    assert len(row["cross_validation"]["scores"]) == 2
    done = run(
        "fit", "--spikes", events, *SETTINGS, "-o", tmp_path / "m.npz", "--test", 0.25, "--json"
    )
    (row,) = json.loads(done.out)["rows"]
    assert (row["samples"], row["test"]["samples"]) == (9, 3)


def test_columns_of_other_names_and_a_window(tmp_path):
    rows = [[kind, trial, 1000 * t, unit] for t, unit, trial, kind in make_events()]
    data = write(tmp_path / "d.csv", ["cue", "trial", "ms", "unit"], rows)
    path = tmp_path / "m.npz"
    names = ("--time", "ms", "--channel", "unit", "--sample", "trial", "--target", "cue")
    options = ("--time-unit", "ms", "--window", "20:60", "--epochs", 1)
    done = run("fit", data, "--spikes", *names, *options, "-o", path)
    outside = sum(not 20 <= row[2] <= 60 for row in rows)
    first = done.err.splitlines()[0]
    assert first == f"{outside} events outside the window from 20 to 60 ms, ignored"
    notes = ls.load_model(path).notes_["events"]
    assert (notes["window"], notes["sample"]) == ([20.0, 60.0], "trial")
    assert run("predict", path, data).out.startswith("trial,cue\ns")


def test_channels_in_order_of_their_numbers(tmp_path):
    rows = [[1, "10", 0, "x"], [2, "9.0", 1, "y"], [3, "+2", 0, "x"], [4, "2", 1, "y"]]
    data = write(tmp_path / "d.csv", COLUMNS, rows)
    options = ("--target", "label", "--time-unit", "ms", "--epochs", 1)
    assert run("fit", "--spikes", data, *options, "-o", tmp_path / "m.npz").code == 0
    assert ls.load_model(tmp_path / "m.npz").notes_["events"]["channels"] == ["2", "9", "10"]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (
            [1, "e1", "s1", "c"],
            "sample 's1' has the label 'c' here and 'a' in line 2. A sample has",
        ),
        ([-1, "e1", "s1", "a"], "line 4, column 'time': the time is below 0. Times count from the"),
        (["", "e1", "s1", "a"], "line 4, column 'time': the cell has no value."),
        (["x", "e1", "s1", "a"], "line 4, column 'time': 'x' is not a number."),
        (["inf", "e1", "s1", "a"], "line 4, column 'time': inf is not finite."),
        ([1, "", "s1", "a"], "line 4, column 'channel': the cell has no value."),
        ([1, "e1", "", "a"], "line 4, column 'sample': the cell has no value."),
        ([1, "e1", "s1", ""], "line 4, column 'label': the cell has no value."),
        ([1, "e1", "s1", "a"], None),
    ],
)
def test_events_that_cannot_be(tmp_path, row, message):
    rows = [[1, "e1", "s1", "a"], [2, "e2", "s2", "b"], row]
    data = write(tmp_path / "d.csv", COLUMNS, rows)
    arguments = ("fit", "--spikes", data, *SETTINGS, "-o", tmp_path / "m.npz")
    if message is None:
        assert run(*arguments).code == 0
        return
    done = refused(message, *arguments)
    assert "--drop" not in done.err
    assert not (tmp_path / "m.npz").exists()


@pytest.mark.parametrize(
    ("options", "message", "code"),
    [
        (["--sample", "smple"], "has no column 'smple'. Did you mean 'sample'?", 1),
        (["--sample", "label"], "Time, channel, sample and target must be four different colu", 2),
        (["--window", "1e-9"], "no event is in the window from 0 to 1e-09 ms. Check the unit", 1),
        (["--window", "9:3"], "'9:3' is empty or without end: START must be below END.", 2),
        (["--window", "inf"], "'inf' is empty or without end", 2),
        (["--window", "long"], "'long' is not a length in milliseconds such as 200, nor START:", 2),
        (["--id", "label"], "--id is for tables of numbers: leave it out with --spikes.", 2),
        (["--drop", "label"], "--drop is for tables of numbers: leave it out with --spikes.", 2),
        (["--folds", 0], "0 is not in the range x>=1", 2),
        (["--fields", 10], "--fields is for tables of numbers: leave it out with --spikes.", 2),
    ],
)
def test_options_of_events(events, tmp_path, options, message, code):
    arguments = ("--spikes", events, *SETTINGS, "-o", tmp_path / "m.npz", *options)
    refused(message, "fit", *arguments, code=code)
    assert not list(tmp_path.iterdir())


def test_the_unit_must_be_given(events, table, tmp_path):
    output = ("-o", tmp_path / "m.npz")
    message = "--spikes needs --time-unit, one of s, ms, us, ns."
    refused(message, "fit", "--spikes", events, "--target", "label", *output, code=2)
    message = "--time-unit is for events: give --spikes, too."
    refused(message, "fit", events, "--target", "label", "--time-unit", "s", *output, code=2)
    message = "Got unexpected extra argument (3). --spikes has no value; a number of spikes is --sp"
    refused(message, "fit", table, "--target", "species", *output, "--spikes", 3, code=2)


def test_events_of_no_length(tmp_path):
    data = write(tmp_path / "d.csv", COLUMNS, [[0, 1, "s", "a"], [0, 1, "t", "b"]])
    message = "d.csv, column 'time': all times are 0. Give --window."
    refused(message, "fit", "--spikes", data, *SETTINGS, "-o", tmp_path / "m.npz")


def test_events_in_another_unit_are_warned_of(events, tmp_path):
    options = ("--target", "label", "--time-unit", "ns", "--epochs", 1)
    done = run("fit", "--spikes", events, *options, "-o", tmp_path / "m.npz")
    assert "ms long. Check --time-unit, which is 'ns'." in done.err


def test_events_that_the_model_does_not_know(spike_model, model, events, tmp_path):
    data = write(tmp_path / "d.csv", COLUMNS[:3], [[0.01, "x1", "s"]])
    message = "column 'channel': the model knows none of the channels. It knows: e0, e1, e2,"
    refused(message, "predict", spike_model, data)
    data = write(tmp_path / "d.csv", COLUMNS[:3], [[10, "e1", "s"]])
    message = "ms. Check the unit of the times, which is 's'."
    refused(message, "predict", spike_model, data)
    data = write(tmp_path / "d.csv", COLUMNS[:3], [[0.01, "e1", "s"]])
    refused("d.csv has no column 'label'.", "evaluate", spike_model, data)
    refused("lacks the columns 'sepal_length', 'sepal", "predict", model, events)
    message = "--id is for tables of numbers; samples of events have names."
    refused(message, "predict", spike_model, events, "--id", "sample", code=2)


@pytest.mark.parametrize(
    "change",
    [{"channels": ["a"]}, {"window": [3, 1]}, {"unit": 7}, {"more": "x"}, {"window": None}],
)
def test_notes_that_were_tampered_with(spike_model, events, tmp_path, change):
    loaded = ls.load_model(spike_model)
    notes = {**loaded.notes_, "events": {**loaded.notes_["events"], **change}}
    loaded.save(tmp_path / "m.npz", notes=notes)
    refused("is damaged and cannot be read", "predict", tmp_path / "m.npz", events)
