"""The tolerances of the strict criterion and of DTA, and their defaults by time constants."""

import numpy as np
import pytest
from tests.support.tasks import NEURON, encoding

import linspike as ls
from linspike.neuron.time_scale import scale_tolerance
from linspike.rules import dta

# tau_s and the tolerance of a neuron, in shares of that of a usual one
SCALES = [(5.0, 1.0), (1.0, 1.0), (20.0, 1.0), (0.1, 0.1), (0.5, 0.5), (40.0, 2.0), (200.0, 10.0)]


@pytest.mark.parametrize(("tau_s", "share"), SCALES)
def test_defaults_follow_the_time_constants_where_they_are_unusual(tau_s, share):
    assert scale_tolerance(1.0, tau_s) == pytest.approx(share, rel=1e-15)
    neuron = ls.SRM(tau_m=4.0 * tau_s, tau_s=tau_s)
    trainer = ls.Trainer(neuron, criterion="strict")
    assert trainer._strict_tolerance == pytest.approx(share)
    rule = ls.DTA().adapt(neuron)
    assert rule.match_tolerance == pytest.approx(0.5 * share, rel=1e-15)
    assert rule.hold_tolerance == pytest.approx(share, rel=1e-15)
    assert trainer._parameters[0].tolist() == rule.parameters(counts=False).tolist()


def test_for_usual_time_constants_they_are_exact():
    assert scale_tolerance(1.0, 5.0) == 1.0
    usual = ls.DTA(match_tolerance=0.5, hold_tolerance=1.0)
    assert ls.DTA().adapt(NEURON) == usual
    assert ls.DTA().options(counts=False) == usual.options(counts=False)


def test_spikes_are_held_within_the_tolerance_of_the_criterion():
    assert ls.DTA().adapt(NEURON, 0.2).hold_tolerance == 0.2
    trainer = ls.Trainer(NEURON, criterion="strict", tolerance=0.2)
    times, counts = (dta.unpack(each) for each in trainer._parameters)
    assert times.hold_tolerance == 0.2
    assert counts.hold_tolerance == 0.0
    trainer = ls.Trainer(NEURON, ls.DTA(hold_tolerance=0.0), criterion="strict", tolerance=0.2)
    assert dta.unpack(trainer._parameters[0]).hold_tolerance == 0.0


def test_what_was_given_stays():
    neuron = ls.SRM(tau_m=0.4, tau_s=0.1)
    given = ls.DTA(match_tolerance=0.3, hold_tolerance=0.2)
    assert given.adapt(neuron) is given
    assert ls.rules.MST().adapt(neuron) == ls.rules.MST()
    trainer = ls.Trainer(neuron, given, criterion="strict", tolerance=0.7)
    assert trainer._strict_tolerance == 0.7
    assert trainer.rule is given


def test_the_default_is_not_written_into_the_rule():
    trainer = ls.Trainer(ls.SRM(tau_m=0.4, tau_s=0.1), ls.DTA())
    assert trainer.rule == ls.DTA()
    assert trainer.rule.settings()["match_tolerance"] is None


def shifted(targets, shift):
    return ls.SpikeTimes([np.array(train.times) + shift for train in targets])


@pytest.mark.parametrize(("tolerance", "right"), [(0.6, True), (0.4, False), (None, True)])
def test_spikes_within_the_tolerance_are_right(tolerance, right):
    weights, patterns, targets = encoding(3, 2)
    trainer = ls.Trainer(NEURON, criterion="strict", tolerance=1e-6)
    learned = trainer.fit(weights, patterns, targets)
    assert learned.converged
    trainer = ls.Trainer(NEURON, max_epochs=1, criterion="strict", tolerance=tolerance)
    result = trainer.fit(learned.weights, patterns, shifted(targets, 0.5))
    assert (result.epochs == 0) == right


def test_the_mapper_has_it_too():
    _, patterns, targets = encoding(3, 2)
    how = {"init": (0.01, 0.01), "random_state": 0}
    mapper = ls.SpikeMapper(criterion="strict", tolerance=1e-6, **how)
    mapper.fit(patterns, targets)
    assert mapper.converged_
    assert mapper.score(patterns, targets) == 1.0
    for tolerance, score in ((0.6, 1.0), (0.4, 0.5), (None, 1.0)):  # one train has no spikes
        mapper.set_params(tolerance=tolerance)
        assert mapper.score(patterns, shifted(targets, 0.5)) == score


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"tolerance": 0.0}, r"'tolerance' parameter of Trainer must be None, or positive and fin"),
        ({"tolerance": np.inf}, r"must be None, or positive and finite"),
        ({"tolerance": "1"}, r"must be None, or positive and finite"),
        ({"tolerance": 1.0, "criterion": "paper"}, r"None for this criterion.*criterion='strict'"),
    ],
)
def test_bad_tolerances(settings, message):
    with pytest.raises(ls.ParameterError, match=message):
        ls.Trainer(NEURON, **{"criterion": "strict", **settings})
    patterns = ls.poisson_patterns(1, n_channels=2, duration=50.0, rate=0.1, rng=0)
    mapper = ls.SpikeMapper(**{"criterion": "strict", **settings})
    with pytest.raises(ls.ParameterError, match=message.replace("Trainer", "SpikeMapper")):
        mapper.fit(patterns, [[20.0]])


def test_other_settings_of_a_rule_may_not_be_none():
    with pytest.raises(ls.ParameterError, match="'margin' parameter of DTA must be finite and at"):
        ls.DTA(margin=None)
    with pytest.raises(ls.ParameterError, match="'match_tolerance' parameter of DTALinearProgram"):
        ls.DTA.paper(match_tolerance=None)
