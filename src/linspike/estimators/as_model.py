"""Weights and neuron of whatever learned them."""

from __future__ import annotations

from typing import Any

from sklearn.utils.validation import check_is_fitted

from linspike.errors import ParameterError
from linspike.estimators.base import SpikeEstimator
from linspike.training.model import Model


def as_model(model: Any, owner: str) -> Model:
    """Return a model as it is, or a fitted estimator's neuron and weights as one.

    Parameters
    ----------
    model : Model, SpikeClassifier or SpikeMapper
        What holds the weights; an estimator must be fitted.
    owner : str
        The function that asks, for messages.
    """
    if isinstance(model, Model):
        return model
    if isinstance(model, SpikeEstimator):
        check_is_fitted(model)
        return Model(model.neuron_, model.weights_, model.rule_, delays=model.delays_)
    raise ParameterError.of("model", owner, "a Model or a fitted estimator", model)
