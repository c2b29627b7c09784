"""Saved models."""

import json

import numpy as np
import pytest

import linspike as ls
from linspike import _files as files


def test_round_trip(tmp_path):
    path = tmp_path / "model.npz"
    model = ls.Model(ls.SRM(10.0, 2.0, 0.5), [[0.1, 0.2], [0.3, 0.4]], ls.DTA(bound=0.2), {"a": 1})
    model.save(path)
    back = ls.load_model(path)
    assert back.neuron == model.neuron
    assert back.rule == model.rule
    assert back.notes == {"a": 1}
    assert np.array_equal(back.weights, model.weights)
    patterns = ls.poisson_patterns(3, n_channels=2, duration=50.0, rate=0.3, rng=0)
    assert back.respond(patterns).times.tobytes() == model.respond(patterns).times.tobytes()


def test_a_short_repr():
    neuron = ls.SRM(10.0, 2.0, 0.5)
    notes = {"seed": 7, "values": list(range(1000))}
    model = ls.Model(neuron, np.ones((50, 800)), ls.DTA(bound=0.25), notes)
    start = "Model(SRM(tau_m=10.0, tau_s=2.0, threshold=0.5), weights of shape "
    assert repr(model) == f"{start}(50, 800), rule=DTA, notes=2)"
    assert repr(ls.Model(neuron, np.ones(3))) == f"{start}(1, 3), rule=None)"


def test_other_inputs_than_it_learned_from():
    model = ls.Model(ls.SRM(), np.ones(2))
    trial = ls.Pattern([1.0], [2], n_channels=3, duration=10.0)
    with pytest.raises(ls.ParameterError, match=r"a PatternSet.*from_patterns\(\[pattern\]\)"):
        model.respond(trial)
    message = r"'patterns' parameter of Model.respond must be over the 2 channels.*3 channels"
    with pytest.raises(ls.ParameterError, match=message):
        model.respond(ls.PatternSet.from_patterns([trial]))


def test_without_a_rule(tmp_path):
    ls.Model(ls.SRM(), np.ones(3)).save(tmp_path / "m.npz")
    assert ls.load_model(tmp_path / "m.npz").rule is None


def test_a_rule_of_ones_own_cannot_be_saved(tmp_path):
    with pytest.raises(ls.ParameterError, match="save with rule=None"):
        ls.Model(ls.SRM(), np.ones(3), ls.Rule()).save(tmp_path / "m.npz")
    with pytest.raises(ls.ParameterError, match="save with rule=None"):
        ls.Model(ls.SRM(), np.ones(3), type("Mine", (ls.DTA,), {})()).save(tmp_path / "m.npz")


def test_numbers_of_numpy_in_a_rule(tmp_path):
    rule = ls.rules.PSD(eta=np.float32(0.25))
    ls.Model(ls.SRM(), np.ones(3), rule).save(tmp_path / "m.npz")
    assert ls.load_model(tmp_path / "m.npz").rule == ls.rules.PSD(eta=0.25)


def test_a_rule_by_name(tmp_path):
    ls.Model(ls.SRM(), np.ones(3), "dta").save(tmp_path / "m.npz")
    assert ls.load_model(tmp_path / "m.npz").rule == ls.DTA()


def test_notes_that_json_cannot_hold(tmp_path):
    with pytest.raises(ls.ParameterError, match="'notes' parameter of Model must be a dict of"):
        ls.Model(ls.SRM(), np.ones(3), notes={"x": np.ones(2)}).save(tmp_path / "m.npz")
    assert not (tmp_path / "m.npz").exists()


def test_bad_models():
    with pytest.raises(ls.ParameterError, match="'weights' parameter of Model must be finite"):
        ls.Model(ls.SRM(), [np.nan])
    with pytest.raises(ls.ParameterError, match="'neuron' parameter of Model"):
        ls.Model("SRM", [1.0])


def test_newer_damaged_and_foreign_files(tmp_path):
    path = tmp_path / "m.npz"
    files.save_arrays(path, "linspike.Model", 4, weights=np.ones(1), about=np.str_("{}"))
    with pytest.raises(ls.FileFormatError, match="newer linspike"):
        ls.load_model(path)
    files.save_arrays(path, "linspike.Model", 1, weights=np.ones(1), about=np.str_("{}"))
    message = r"older linspike \(format 1, this one reads from 2 on\). Make it again"
    with pytest.raises(ls.FileFormatError, match=message):
        ls.load_model(path)
    files.save_arrays(path, "linspike.Model", 2, weights=np.ones((1, 1)), about=np.str_("{"))
    with pytest.raises(ls.FileFormatError, match="is damaged"):
        ls.load_model(path)
    about = {"neuron": {}, "rule": {"key": "other", "settings": {}}, "notes": {}}
    text = np.str_(json.dumps(about))
    files.save_arrays(path, "linspike.Model", 2, weights=np.ones((1, 1)), about=text)
    with pytest.raises(ls.FileFormatError, match="learned with the rule 'other'"):
        ls.load_model(path)
    ls.poisson_patterns(1, n_channels=1, duration=5.0, rate=0.1, rng=0).save(path)
    with pytest.raises(ls.FileFormatError, match="is not a model that linspike saved"):
        ls.load_model(path)
