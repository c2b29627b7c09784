"""Reading of classes: scores, labels and probabilities from the responses of neurons."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.base import ClassifierMixin

from linspike._typing import Floats
from linspike._validation import check_real
from linspike.estimators.base import SpikeEstimator
from linspike.estimators.classes.readout import Code, Reader, log_probabilities, restore_code
from linspike.estimators.classes.samples import Samples
from linspike.neuron.decay_tables import iter_blocks
from linspike.spikes.pattern_set import PatternSet


class ClassReader(ClassifierMixin, SpikeEstimator):  # type: ignore[misc]
    """Neurons whose responses name a class; how they learn is left to the subclass."""

    classes_: Any
    code_: Code
    temperature_: float

    def decision_function(self, X: Any) -> Floats:
        """Return a score for each class.

        Returns
        -------
        array of float, (n_samples, n_classes)
            Counts of spikes, graded or bare, or minus the distance of each neuron's response to
            its train. For two classes (n_samples,), positive for the second.
        """
        scores = self._class_scores(X)
        return scores[:, 1] - scores[:, 0] if len(self.classes_) == 2 else scores

    def predict(self, X: Any) -> Any:
        """Return the label of each sample."""
        patterns = self._patterns(X)
        return self.classes_[self._read(self.code_.decide, patterns)]

    def predict_proba(self, X: Any) -> Floats:
        """Return a probability for each class: the softmax of the scores over `temperature_`.

        `fit` chooses the temperature with the least log loss on the samples that were learned, so
        it is too low, and the probabilities too sure, where others are classified worse than
        these. `CalibratedClassifierCV` fits them to samples that were not learned.

        Returns
        -------
        array of float, (n_samples, n_classes)
            Columns in the order of `classes_`. The largest is the class of `predict`.
        """
        return np.exp(self.predict_log_proba(X))

    def predict_log_proba(self, X: Any) -> Floats:
        """Return the logarithms of `predict_proba`."""
        return log_probabilities(self._class_scores(X), self.temperature_)

    def _class_scores(self, X: Any) -> Floats:
        """Return a score for each class, for two classes too."""
        patterns = self._patterns(X)
        return np.asarray(self._read(self.code_.scores, patterns))

    def _accuracy(self, samples: Samples) -> float:
        """Return the share of encoded samples that are classified right, by their weights."""
        right = self._read(self.code_.decide, samples.values) == samples.indices
        return float(np.average(right, weights=samples.weights))

    def _state(self) -> tuple[dict[str, Any], Any]:
        """Return what a file holds besides that of every estimator."""
        return {"code": self.code_.settings(), "temperature": self.temperature_}, self.classes_

    def _restore(self, about: dict[str, Any], classes: Any) -> None:
        """Take over what `_state` returned, if it makes sense."""
        self.code_, self.classes_ = restore_code(about["code"]), classes
        temperature = about["temperature"]
        self.temperature_ = check_real(temperature, "temperature", "load_model", above=0.0)
        if classes.ndim != 1 or not np.array_equal(np.unique(classes), classes):
            raise ValueError("classes are not in order")
        if not len(self.weights_) == self.code_.n_neurons == len(classes) >= 2:
            raise ValueError("weights, code and classes do not fit")

    def _read(self, read: Callable[[Reader, PatternSet], Any], patterns: PatternSet) -> Any:
        """Return what is read from the responses to all patterns; of a large set in blocks."""
        blocks = iter_blocks(patterns._ragged, self.neuron_._membrane)
        parts = [read(self._reader(), PatternSet._view(part)) for _, _, part in blocks]
        return np.concatenate(parts)

    def _reader(self) -> Reader:
        return Reader(self.neuron_, self.weights_, self.until, self._threads(), self.delays_)
