"""Tests over paired trials, against the paper, scipy, scikit-posthocs, tables and brute force."""

import itertools
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from tests.support.paths import GOLDEN

import linspike as ls
from linspike.study.analysis.statistics import friedman, nemenyi, paired_difference

POSTHOCS = json.loads((GOLDEN / "posthocs.json").read_text())
PAPER = [[3.0, 2.0, 1.0]] * 8 + [[3.0, 1.0, 2.0]] * 2  # mean ranks 1.0, 2.2, 2.8
# Critical values of Nemenyi's test at 5 % for 2 to 10 methods: Demsar 2006, table 5.
DEMSAR = [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164]


@st.composite
def tables(draw):
    """Scores with many ties: small whole numbers, 2 to 8 trials of 2 to 5 methods."""
    n_trials, n_methods = draw(st.integers(2, 8)), draw(st.integers(2, 5))
    cells = st.lists(st.integers(-2, 3), min_size=n_methods, max_size=n_methods)
    return np.array(draw(st.lists(cells, min_size=n_trials, max_size=n_trials)), dtype=float)


def test_the_papers_figures():
    found = friedman(PAPER)
    assert found.mean_ranks == (1.0, 2.2, 2.8)
    assert (found.chi2, found.f, found.f_df) == (16.8, 47.25, (2, 18))
    assert found.critical == pytest.approx(3.55, abs=0.005)
    assert found.chi2_p == pytest.approx(np.exp(-8.4), rel=1e-9)  # 2 degrees of freedom
    assert found.f_p == pytest.approx((1 + found.f / 9) ** -9, rel=1e-9)
    assert found.sentence() == (
        "Friedman over 10 trials of 3 methods: chi2(2) = 16.8 (p = 0.000225), F_F(2, 18) = 47.25 "
        "(p < 0.0001), 5 % critical value 3.55: the methods differ."
    )
    pairs = nemenyi(PAPER, names=["DTA", "EMLC", "MST"])
    assert pairs.p_values[0][1] == pytest.approx(0.0199, abs=5e-5)
    assert pairs.sentence() == (
        "Nemenyi over 10 trials: mean ranks 1.00 DTA, 2.20 EMLC, 2.80 MST; 5 % critical difference "
        "1.05; 2 of 3 pairs differ: DTA before EMLC (p = 0.0199); DTA before MST (p = 0.000168)."
    )
    assert nemenyi(PAPER).names == ("method 1", "method 2", "method 3")


@pytest.mark.parametrize("case", [pytest.param(c, id=c["name"]) for c in POSTHOCS["cases"]])
def test_posthocs_agrees(case):
    found = nemenyi(case["scores"])
    np.testing.assert_allclose(found.p_values, case["nemenyi"], rtol=0.0, atol=1e-9)
    chi2 = friedman(case["scores"]).chi2
    assert case["chi2"] is None or chi2 == pytest.approx(case["chi2"], rel=1e-9)


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("shape", [(2, 3), (5, 3), (12, 4), (50, 6)])
def test_scipy_agrees(shape, ties):
    n, k = shape
    rng = np.random.default_rng(n)
    scores = rng.integers(0, 4, shape) if ties else rng.normal(size=shape)
    found, theirs = friedman(scores), stats.friedmanchisquare(*scores.T)
    assert found.chi2 == pytest.approx(theirs.statistic, rel=1e-9)
    assert found.chi2_p == pytest.approx(theirs.pvalue, rel=1e-9)
    f = (n - 1) * theirs.statistic / (n * (k - 1) - theirs.statistic)
    assert found.f == pytest.approx(f, rel=1e-9)
    assert found.f_p == pytest.approx(stats.f.sf(f, k - 1, (k - 1) * (n - 1)), rel=1e-9)
    assert found.mean_ranks == pytest.approx(stats.rankdata(-scores, axis=1).mean(axis=0))


@pytest.mark.parametrize(("n_methods", "tabled"), list(enumerate(DEMSAR, start=2)))
def test_critical_difference_of_the_table(n_methods, tabled):
    scores = np.random.default_rng(1).normal(size=(14, n_methods))
    expected = tabled * np.sqrt(n_methods * (n_methods + 1) / (6 * 14))
    assert nemenyi(scores).critical_difference == pytest.approx(expected, rel=5e-4)


@given(tables(), st.randoms())
def test_permuting_methods_permutes_results(scores, random):
    order = random.sample(range(scores.shape[1]), scores.shape[1])
    before, after = friedman(scores), friedman(scores[:, order])
    assert after == before._replace(mean_ranks=tuple(before.mean_ranks[i] for i in order))
    pairs, permuted = nemenyi(scores), nemenyi(scores[:, order])
    assert (np.array(permuted.p_values) == np.array(pairs.p_values)[np.ix_(order, order)]).all()


@given(tables(), st.sampled_from([np.exp, lambda x: x**3 - 5, lambda x: 1e-9 * x, np.arctan]))
def test_only_the_order_within_a_trial_counts(scores, rising):
    offsets = 8.0 * np.arange(len(scores))[:, None]  # of trials: hard ones and easy ones
    for changed in (rising(scores), scores + offsets, scores[::-1]):
        assert friedman(changed) == friedman(scores)
        assert nemenyi(changed) == nemenyi(scores)


@given(tables())
def test_results_are_sound(scores):
    found, pairs = friedman(scores), nemenyi(scores)
    k = scores.shape[1]
    assert sum(found.mean_ranks) == pytest.approx(k * (k + 1) / 2)
    assert 0.0 <= found.chi2 <= len(scores) * (k - 1)
    assert (found.f > found.critical) == (found.f_p < 0.05)
    p = np.array(pairs.p_values)
    assert (p == p.T).all()
    assert (np.diag(p) == 1.0).all()
    apart = np.abs(np.subtract.outer(pairs.mean_ranks, pairs.mean_ranks))
    assert ((p < 0.05) == (apart > pairs.critical_difference)).all()


def test_all_equal_and_all_agreed():
    equal = friedman(np.ones((5, 3)))
    assert (equal.chi2, equal.chi2_p, equal.f, equal.f_p) == (0.0, 1.0, 0.0, 1.0)
    assert equal.sentence().endswith("the methods are not distinguished.")
    assert nemenyi(np.ones((5, 3))).sentence().endswith("0 of 3 pairs differ.")
    agreed = friedman([[0.1, 0.3, np.inf]] * 4)
    assert (agreed.chi2, agreed.f, agreed.f_p) == (8.0, np.inf, 0.0)
    assert agreed.mean_ranks == (3.0, 2.0, 1.0)


def test_two_methods_are_a_sign_test():
    scores = [[1.0, 0.0]] * 9 + [[0.0, 1.0]]
    assert friedman(scores).chi2 == pytest.approx((9 - 1) ** 2 / 10)
    assert nemenyi(scores).p_values[0][1] == pytest.approx(friedman(scores).chi2_p)


def brute_wilcoxon(differences):
    """The share of all signs with a rank sum as far from the middle as the one found."""
    ranks = stats.rankdata(np.abs(differences))
    sums = np.array([np.dot(s, ranks) for s in itertools.product([-1, 1], repeat=ranks.size)])
    return np.mean(np.abs(sums) >= abs(np.dot(np.sign(differences), ranks)) - 1e-9)


def test_paired_difference_against_scipy():
    rng = np.random.default_rng(3)
    a, b = rng.normal(0.4, 1.0, 30), rng.normal(size=30)
    found, theirs = paired_difference(a, b), stats.ttest_rel(a, b).confidence_interval(0.95)
    assert found[1:4] == pytest.approx((np.mean(a - b), theirs.low, theirs.high))
    assert found.p == pytest.approx(stats.wilcoxon(a, b).pvalue)
    assert paired_difference([*a, 0.5], [*b, 0.5]).p == found.p  # equal scores are left out
    back = paired_difference(b, a)
    assert (back.lo, back.hi, back.p) == pytest.approx((-found.hi, -found.lo, found.p))


@pytest.mark.parametrize("scale", [1.0, 1 / 75, 1e-6, 3e8])
def test_wilcoxon_with_ties_and_equal_scores(scale):
    gains = np.array([1, 1, 2, -1, 0, 3, 1, 0, 2, 1])  # in samples; as shares they round
    b = np.array([70, 69, 71, 74, 70, 68, 73, 72, 65, 71])
    found = paired_difference((b + gains) * scale, b * scale)
    assert found.p == pytest.approx(brute_wilcoxon(gains[gains != 0]))


@pytest.mark.parametrize("score", [0.0, 0.7])
def test_equal_scores_do_not_differ(score):
    found = paired_difference([score] * 3, [score] * 3)
    assert found == (3, 0.0, 0.0, 0.0, 1.0)
    assert found.sentence().startswith("Mean difference over 3 paired trials 0, 95 % interval 0 to")
    assert found.sentence().endswith(" 0 to 0; Wilcoxon signed-rank p = 1.")


ARRAY = r"must be an array \(trials, methods\) of numbers, two or more each way, without NaN. Got "
ROW = "parameter of paired_difference must be two or more finite numbers. Got "


@pytest.mark.parametrize("test", [friedman, nemenyi])
@pytest.mark.parametrize(
    ("scores", "got"),
    [
        ([[1.0, 2.0, 3.0]], r"shape \(1, 3\) instead"),
        ([[1.0], [2.0]], r"shape \(2, 1\) instead"),
        ([1.0, 2.0], r"shape \(2,\) instead"),
        (1.0, r"shape \(\) instead"),
        ([[1.0, 2.0], [3.0, np.nan]], r"nan at \[1, 1\] instead"),
        ([[1.0, 2.0], [3.0]], r"\[\[1.0, 2.0\], \[3.0\]\] instead"),
        ([["a", "b"]] * 2, r"\[\['a', 'b'\], \['a', 'b'\]\] instead"),
    ],
)
def test_bad_scores(test, scores, got):
    message = f"'scores' parameter of {test.__name__} {ARRAY}{got}"
    with pytest.raises(ls.ParameterError, match=message):
        test(scores)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: nemenyi(PAPER, names=["a"]), r"'names' parameter of nemenyi must be 3 names, one a method. Got \('a',\) "),
        (lambda: paired_difference([1.0], [2.0]), rf"'a' {ROW}shape \(1,\) "),
        (lambda: paired_difference([1.0, 2.0], [1.0, np.inf]), rf"'b' {ROW}inf at \[1\] "),
        (lambda: paired_difference([1.0, 2.0], [1.0] * 3), "'b' parameter of paired_difference must be of 2 trials, as a is. Got 3 "),
    ],
)  # fmt: skip
def test_bad_calls(call, message):
    with pytest.raises(ls.ParameterError, match=message):
        call()
