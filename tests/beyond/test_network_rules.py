"""Rules for networks to compare with: they learn small tasks, in units that scale."""

import numpy as np
import pytest

import linspike as ls
from linspike.beyond.network_rules import JointAdam, LayerwiseJitter

RNG = np.random.default_rng(1)
PATTERNS = ls.PatternSet.from_latencies(RNG.uniform(0.0, 100.0, (4, 40)), 100.0)
TARGETS = ls.SpikeTimes([[40.0, 70.0], [50.0], [45.0, 80.0], [60.0]])
NETWORK = ls.Network([ls.Layer(40), ls.Layer(1)])
RULES = [JointAdam(), LayerwiseJitter()]
of_each = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.key)


@of_each
def test_it_learns_a_small_task_with_both_layers(rule):
    weights = NETWORK.initial_weights(PATTERNS, 0)
    trainer = ls.Trainer(NETWORK, rule, max_epochs=400, criterion="strict")
    result = trainer.fit(weights, PATTERNS, TARGETS, seed=0)
    assert result.converged
    assert (result.weights.hidden != weights.hidden).any()
    responses = NETWORK.respond(result.weights, PATTERNS)
    for p, train in enumerate(TARGETS.trains):
        np.testing.assert_allclose(responses[0, p].times, train.times, atol=1.0)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: JointAdam(eta=0.0),
            "'eta' parameter of JointAdam .* finite and positive. Got 0.0",
        ),
        (lambda: JointAdam(hidden_eta=-1.0), "'hidden_eta' .* finite and positive. Got -1.0"),
        (lambda: JointAdam(least_slope=0.0), "'least_slope' .* finite and positive. Got 0.0"),
        (lambda: ls.rules.JointDTA(bound=0.0), "'bound' parameter of JointDTA .* positive and fin"),
        (lambda: ls.rules.JointDTA(share=-1.0), "'share' .* finite and at least 0. Got -1.0"),
        (lambda: ls.rules.JointDTA(max_shift=0.0), "'max_shift' .* positive and finite. Got 0.0"),
        (lambda: ls.rules.JointDTA(least_rate=-1.0), "'least_rate' .* at least 0. Got -1.0"),
        (lambda: ls.rules.JointDTA(schedule=(1.0,)), "'schedule' .* a pair of factors"),
    ],
)
def test_refusals(make, message):
    with pytest.raises(ls.ParameterError, match=message):
        make()
