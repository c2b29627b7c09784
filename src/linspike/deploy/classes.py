"""Classes that responses name, by the code of a classifier or by most spikes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from linspike._typing import Ints
from linspike._validation import check_int_array, describe_value
from linspike.errors import ParameterError, SpikeDataError, Words
from linspike.neuron.responses import Responses
from linspike.neuron.srm import SRM
from linspike.spikes.pattern_set import PatternSet
from linspike.training.model import Model

if TYPE_CHECKING:
    from linspike.estimators.classifier import SpikeClassifier

OWNER = "deploy_check"
Accuracy = Callable[[Responses], float | None]


class _KnownResponses:
    """Neuron for a `Reader` that returns responses computed before."""

    def __init__(self, responses: Responses) -> None:
        self._responses = responses

    def respond_many(self, *arguments: Any, **options: Any) -> Responses:
        """Return the known responses."""
        return self._responses


def make_accuracy(model: Any, plain: Model, patterns: PatternSet, labels: Any) -> Accuracy:
    """Return the function that gives the accuracy of responses; None without labels.

    A grid has no graded counts, so counts are bare in every row, and the first of the largest
    names the class.
    """
    if labels is None:
        return lambda responses: None
    if isinstance(model, Model):
        return _make_by_counts(plain, len(patterns), labels)
    if not hasattr(model, "code_"):
        remedy = "Its neurons name no classes."
        got = describe_value(labels)
        raise ParameterError.of("labels", OWNER, "None for a SpikeMapper", got, remedy)
    return _make_by_code(model, patterns, labels)


def _make_by_counts(model: Model, n_patterns: int, labels: Any) -> Accuracy:
    truth = check_int_array(labels, "labels", OWNER)
    _check_length(truth, n_patterns)
    n_neurons = len(model.weights)
    domain = f"from 0 to {n_neurons - 1}, one number for each neuron of the Model"
    outside = truth[(truth < 0) | (truth >= n_neurons)]
    if n_neurons < 2:
        got = Words(f"a Model of {n_neurons} neuron")
        raise ParameterError.of("labels", OWNER, "None for a single neuron", got)
    if outside.size:
        raise ParameterError.of("labels", OWNER, domain, int(outside[0]))
    return lambda responses: _share_right(responses.counts.argmax(axis=0), truth)


def _make_by_code(model: SpikeClassifier, patterns: PatternSet, labels: Any) -> Accuracy:
    from linspike.estimators.classes.readout import CountCode, Reader

    places = {label: place for place, label in enumerate(model.classes_.tolist())}
    try:
        listed = np.asarray(labels).ravel().tolist()
    except ValueError:
        got = describe_value(labels)
        raise ParameterError.of("labels", OWNER, "one label per pattern", got) from None
    _check_length(listed, len(patterns))
    unknown = [label for label in listed if label not in places]
    if unknown:
        raise ParameterError.of("labels", OWNER, f"among {list(places)}", unknown[0])
    truth = np.array([places[label] for label in listed], np.int64)
    code = model.code_
    if isinstance(code, CountCode):
        code = replace(code, graded=False)

    def find_accuracy(responses: Responses) -> float:
        reader = Reader(cast(SRM, _KnownResponses(responses)), model.weights_, None, 1)
        return _share_right(code.decide(reader, patterns), truth)

    return find_accuracy


def _check_length(labels: Any, n_patterns: int) -> None:
    if len(labels) != n_patterns:
        raise SpikeDataError(
            f"{OWNER} needs a label for each of the {n_patterns} patterns. "
            f"Got {len(labels)} instead."
        )


def _share_right(named: Ints, truth: Ints) -> float:
    return float((named == truth).mean())
