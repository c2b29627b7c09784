"""Sigmoid outputs taught one sample at a time, beside scikit-learn's."""

import numpy as np
import pytest
from sklearn.linear_model import SGDClassifier

from linspike.kernels.training.sigmoid_outputs import learn_rates


def samples(seed, n=40, features=6, classes=3):
    rng = np.random.default_rng(seed)
    return rng.random((n, features)), rng.integers(0, classes, n)


@pytest.mark.parametrize("seed", range(3))
def test_an_epoch_is_that_of_an_independent_implementation(seed):
    X, y = samples(seed)
    order = np.random.default_rng(seed + 100).permutation(len(y))
    ours = np.zeros((3, 7))
    model = SGDClassifier(
        loss="log_loss", penalty=None, learning_rate="constant", eta0=0.1, shuffle=False
    )
    for _ in range(2):
        learn_rates(ours, X, y, order, 0.1, 0.0, 0)
        model.partial_fit(X[order], y[order], classes=range(3))
    np.testing.assert_allclose(ours[:, :-1], model.coef_, rtol=1e-9)
    np.testing.assert_allclose(ours[:, -1], model.intercept_, rtol=1e-9)


def test_noise_is_bounded_centred_and_a_function_of_its_seed():
    X, y = samples(0, n=2000)
    order = np.arange(len(y))
    quiet, noisy, again, other = (np.zeros((3, 7)) for _ in range(4))
    learn_rates(quiet, X, y, order[:1], 1.0, 0.0, 5)
    learn_rates(noisy, X, y, order[:1], 1.0, 0.1, 5)
    shift = noisy[:, -1] - quiet[:, -1]
    assert (np.abs(shift) <= 0.1).all()
    assert len(set(shift)) == 3
    learn_rates(again, X, y, order[:1], 1.0, 0.1, 5)
    learn_rates(other, X, y, order[:1], 1.0, 0.1, 6)
    np.testing.assert_array_equal(again, noisy)
    assert not np.array_equal(other, noisy)
    # With no features and steps too small to matter, what adds up is the noise alone.
    still, moved = np.zeros((3, 1)), np.zeros((3, 1))
    nothing = np.zeros((len(y), 0))
    learn_rates(still, nothing, y, order, 1e-9, 0.0, 5)
    learn_rates(moved, nothing, y, order, 1e-9, 0.1, 5)
    mean = (moved - still) / 1e-9 / len(y)
    assert (np.abs(mean) < 4 * 0.1 / np.sqrt(3 * len(y))).all()
    assert (mean != 0.0).all()
