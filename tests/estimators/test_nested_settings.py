"""Settings of settings, as a search gives them, and what is said where they cannot be."""

import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV
from tests.support.estimator_kinds import X, Y, made

import linspike as ls


@pytest.mark.parametrize(
    ("settings", "grid", "message"),
    [
        (
            {"rule": "mst"},
            {"rule__eta": [0.1]},
            r"^SpikeClassifier: cannot set 'rule__eta' because a rule cannot be changed. "
            r"Pass rule=ls.rules.MST\(eta=...\).$",
        ),
        ({"rule": ls.rules.EMLC()}, {"rule__eta": [0.1]}, r"Pass rule=ls.rules.EMLC\(eta=...\)"),
        (
            {},
            {"rule__eta": [0.1]},
            r"and DTA has no 'eta'. Its settings are bound, .*, schedule. "
            r"Pass a rule that has it, such as rule=ls.rules.MST\(eta=...\).$",
        ),
        (
            {},
            {"rule__nonsense": [0.1]},
            "DTA has no 'nonsense'. Its settings are bound, .*schedule.$",
        ),
        ({}, {"rule": ["mst"], "rule__eta": [0.1]}, r"Pass rule=ls.rules.MST\(eta=...\)"),
        (
            {},
            {"encoder__beta": [1.0, 2.0]},
            r"cannot set 'encoder__beta' because encoder=None. Pass encoder=ls.PopulationEncoder",
        ),
        ({}, {"neuron__tau_m": [10.0]}, r"because neuron=None. Pass neuron=ls.SRM\(tau_m=...\)"),
        (
            {"neuron": ls.SRM()},
            {"neuron__tau_m": [10.0]},
            r"because a neuron cannot be changed. Pass neuron=ls.SRM\(tau_m=...\)",
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
    with pytest.raises(ls.ParameterError, match="SpikeMapper: cannot set 'rule__bound'"):
        ls.SpikeMapper().set_params(rule__bound=2.0)


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
