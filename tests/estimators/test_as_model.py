"""Weights and neuron of models and estimators."""

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

import linspike as ls
from linspike.estimators.as_model import as_model


def test_a_model_stays_itself():
    model = ls.Model(ls.SRM(), [[0.5, 0.2]])
    assert as_model(model, "to_nir") is model


def test_an_estimator_gives_its_weights_and_neuron():
    numbers, labels = [[0.0], [1.0], [0.1], [0.9]], [0, 1, 0, 1]
    neuron = ls.SRM(tau_m=16.0, tau_s=4.0)
    fitted = ls.SpikeClassifier(neuron=neuron, max_iter=2, random_state=0).fit(numbers, labels)
    model = as_model(fitted, "to_nir")
    assert model.neuron == neuron
    np.testing.assert_array_equal(model.weights, fitted.weights_)


def test_what_is_not_fitted_or_no_model_is_refused():
    with pytest.raises(NotFittedError):
        as_model(ls.SpikeClassifier(), "to_nir")
    with pytest.raises(ls.ParameterError, match="'model' parameter of to_nir must be a Model or"):
        as_model(3, "to_nir")
