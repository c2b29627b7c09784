"""Settings of settings, as a search gives them, and what is said where they cannot be."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from tests.support.estimator_kinds import X, Y, made

import linspike as ls
from linspike.rules import REGISTRY, rule_of


@pytest.mark.parametrize(
    ("settings", "grid", "message"),
    [
        (
            {},
            {"rule__eta": [0.1]},
            r"^SpikeClassifier: cannot set 'rule__eta' because DTA has no 'eta'. Its settings are "
            r"bound, .*, max_delay. "
            r"Pass a rule that has it, such as rule=ls.rules.MST\(eta=...\).$",
        ),
        (
            {},
            {"rule__nonsense": [0.1]},
            "DTA has no 'nonsense'. Its settings are bound, .*max_delay.$",
        ),
        ({"rule": "mst"}, {"rule__eta__x": [0.1]}, "MST has no 'eta__x'. Its settings are eta, "),
        ({"rule": "mst"}, {"rule__eta": [-0.1]}, "'eta' parameter of MST .* positive. Got -0.1"),
        (
            {"rule": "nonsense"},
            {"rule__eta": [0.1]},
            "'rule' parameter of SpikeClassifier must be a Rule or one of",
        ),
        (
            {},
            {"encoder__beta": [1.0, 2.0]},
            r"cannot set 'encoder__beta' because encoder=None. Pass encoder=ls.PopulationEncoder",
        ),
        (
            {},
            {"neuron__tau": [10.0]},
            "cannot set 'neuron__tau' because SRM has no 'tau'. Its settings are tau_m, tau_s, "
            "threshold.$",
        ),
        ({}, {"neuron__tau_m": [4.0]}, r"'tau_s' parameter of SRM must be in \(0, tau_m\). Got 5"),
        (
            {"neuron": "SRM"},
            {"neuron__tau_m": [10.0]},
            "because 'neuron' has no parameters of its own",
        ),
        (
            {},
            {"spikes__most": [3]},
            "cannot set 'spikes__most' because 'spikes' has no parameters of its own",
        ),
    ],
)
def test_what_cannot_be_set(settings, grid, message):
    search = GridSearchCV(made(**settings), grid, cv=2)
    with pytest.raises(ls.ParameterError, match=message):
        search.fit(X, Y)


def test_settings_of_rule_and_neuron_in_a_grid():
    grid = {"rule__eta": [0.01, 0.02], "neuron__tau_m": [10.0, 20.0]}
    search = GridSearchCV(made(rule="mst"), grid, cv=2).fit(X, Y)
    best = search.best_params_
    assert search.best_estimator_.rule_ == ls.rules.MST(eta=best["rule__eta"])
    assert search.best_estimator_.neuron_ == ls.SRM(tau_m=best["neuron__tau_m"])
    for params, score in zip(
        search.cv_results_["params"], search.cv_results_["mean_test_score"], strict=True
    ):
        whole = made(
            rule=ls.rules.MST(eta=params["rule__eta"]),
            neuron=ls.SRM(tau_m=params["neuron__tau_m"]),
        )
        assert cross_val_score(whole, X, Y, cv=2).mean() == score
    pipeline = make_pipeline(StandardScaler(), made())
    search = GridSearchCV(pipeline, {"spikeclassifier__rule__bound": [0.5, 1.0]}, cv=2).fit(X, Y)
    assert search.best_estimator_[-1].rule_.bound in (0.5, 1.0)


@pytest.mark.parametrize("key", REGISTRY)
def test_all_settings_of_a_rule_are_listed(key):
    rule = rule_of(key, "rule")
    for held in (key, rule):
        params = made(rule=held).get_params()
        for name in rule.settings():
            assert params[f"rule__{name}"] == getattr(rule, name)
        nested = {name for name in params if name.startswith("rule__")}
        assert len(nested) == len(rule.settings())
    assert params["neuron__tau_m"] == 20.0
    assert made(neuron=ls.SRM(9.0)).get_params()["neuron__tau_m"] == 9.0


@pytest.mark.parametrize("kind", [ls.SpikeClassifier, ls.SpikeMapper])
def test_what_was_got_can_be_set(kind):
    for settings in (
        {},
        {"rule": ls.DTA(bound=0.5), "neuron": ls.SRM(10.0), "encoder": ls.LatencyEncoder()},
    ):
        one = kind(**settings)
        shallow = one.get_params(deep=False)
        again = one.set_params(**one.get_params()).get_params(deep=False)
        assert all(again[name] is shallow[name] for name in shallow)
        assert clone(one).get_params(deep=False) | {"encoder": 0} == shallow | {"encoder": 0}
        copy = clone(one).set_params(rule__bound=0.25)
        assert copy.rule == replace(rule_of(one.rule, "rule"), bound=0.25)
        assert one.get_params(deep=False) == shallow  # a copy's setting is its own
        assert "rule__" not in repr(one)
        assert "tau_m" in copy._repr_html_()


def test_settings_and_their_value_at_once():
    rule = ls.rules.EMLC(eta=0.5)
    for params in ({"rule": "emlc", "rule__eta": 0.5}, {"rule__eta": 0.5, "rule": "emlc"}):
        assert made().set_params(**params).rule == rule
    assert made(rule="mst").set_params(rule__eta=0.3, rule__momentum=0.1).rule == ls.rules.MST(
        eta=0.3, momentum=0.1
    )
    # Two that are possible together only.
    clf = made().set_params(neuron__tau_m=4.0, neuron__tau_s=2.0)
    assert clf.neuron == ls.SRM(4.0, 2.0)
    assert clf.set_params(neuron=None).neuron is None
    assert clf.set_params(rule=rule, rule__eta=0.25).rule == ls.rules.EMLC(eta=0.25)
    assert rule.eta == 0.5


def test_what_is_no_rule_or_neuron_has_no_settings():
    params = ls.SpikeClassifier(rule="nonsense", neuron=3).get_params()
    assert not [name for name in params if "__" in name]


class Plain(ls.rules.Rule):
    """A rule that is no dataclass."""


def test_a_rule_without_settings():
    with pytest.raises(ls.ParameterError, match="Plain has no 'x'. It has no settings.$"):
        made(rule=Plain()).set_params(rule__x=1)


def test_what_the_messages_advise():
    rules = [ls.rules.MST(eta=eta) for eta in (0.01, 0.02)]
    grid = {"rule": rules, "encoder__beta": [1.0, 2.0], "neuron": [ls.SRM(10.0)]}
    search = GridSearchCV(made(encoder=ls.PopulationEncoder()), grid, cv=2).fit(X, Y)
    best = search.best_estimator_
    assert best.rule_ in rules
    assert best.encoder_.beta == search.best_params_["encoder__beta"]


def test_an_encoder_and_its_setting_at_once():
    clf = made().set_params(encoder=ls.PopulationEncoder(), encoder__beta=2.0, spikes=3)
    assert (clf.encoder.beta, clf.spikes) == (2.0, 3)
    assert clf.set_params() is clf
    with pytest.raises(ValueError, match="Invalid parameter 'nonsense'"):
        clf.set_params(nonsense__beta=2.0)
    with pytest.raises(ls.ParameterError, match="SpikeMapper: cannot set 'rule__eta'"):
        ls.SpikeMapper().set_params(rule__eta=2.0)


def test_nothing_is_set_where_something_cannot_be():
    clf = made()
    with pytest.raises(ls.ParameterError, match="'rule__eta'"):
        clf.set_params(spikes=3, rule__eta=0.1)
    assert clf.spikes == 10


def test_what_acts_at_the_next_fit():
    clf = made(warm_start=True).fit(X, Y)
    scores = clf.decision_function(X)
    clf.set_params(code="times", spikes=2, target="exact", ties="paper")
    assert np.array_equal(clf.decision_function(X), scores)
    anew = made(code="times", spikes=2, target="exact", ties="paper").fit(X, Y)
    assert np.array_equal(clf.set_params(warm_start=False).fit(X, Y).weights_, anew.weights_)
