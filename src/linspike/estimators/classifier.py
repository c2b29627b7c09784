"""A layer of spiking neurons as a scikit-learn classifier."""

from __future__ import annotations

from typing import Any, Self, final

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.model_selection import train_test_split
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_consistent_length, column_or_1d

from linspike import checks
from linspike.errors import ParameterError, SpikeDataError
from linspike.estimators.codes import Code, CountCode, Reader, TimeCode, class_trains
from linspike.estimators.estimator import SpikeEstimator
from linspike.estimators.inputs import accepts_rasters
from linspike.estimators.layer import BestSoFar
from linspike.neuron.srm import SRM
from linspike.spikes.patternset import PatternSet
from linspike.spikes.ragged import Floats, Ints

CODES = ("counts", "times")
TARGETS = ("at_least", "exact")
TIES = ("graded", "paper")


@final
class SpikeClassifier(ClassifierMixin, SpikeEstimator):  # type: ignore[misc]
    """Classify numbers or spikes with neurons that learn to answer with spikes.

    There is one neuron per class. With `code="counts"` it learns to answer patterns of its own
    class with `spikes` spikes and all others with none; the neuron with most spikes names the
    class. With `code="times"` it learns to answer its own class with a given spike train; the
    neuron whose answer is nearest to its train, by van Rossum's distance, names the class.

    Parameters
    ----------
    encoder : transformer, optional
        Turns X into a `PatternSet`. Unless given, `PopulationEncoder()` for numbers; none is
        needed, or allowed, if X is spikes already.
    rule : str or Rule
        The learning rule, such as "dta", "emlc", "mst", or an object with settings of its own.
    spikes : int
        Wanted number of spikes for a neuron's own class; with times, two at least.
    code : {"counts", "times"}
        How classes are named.
    target : {"at_least", "exact"}
        Counts: whether more spikes than wanted are right too for a neuron's own class, or, as in
        the paper, wrong.
    ties : {"graded", "paper"}
        Counts: whether `decision_function` adds to each count how near the neuron is to one spike
        more (see `graded_counts`), so that equal counts are told apart, or returns the bare
        counts, of which the first of the largest wins.
    neuron : SRM, optional
        The neuron; `SRM()` unless given.
    until : float, optional
        Until when spikes count, in milliseconds; the duration of the patterns unless given.
    max_iter : int
        Epochs, at most. Learning ends earlier when every answer is right.
    early_stopping : bool
        Whether to set a part of the training data aside, to stop when the accuracy on it no
        longer grows, and to keep the weights that did best on it.
    validation_fraction : float
        Share of the samples that is set aside.
    n_iter_no_change : int
        How many epochs without a better accuracy end learning.
    class_weight : dict or "balanced", optional
        Weights of the classes. They scale the steps on patterns of a class: the heaviest class
        takes whole steps, the others shorter ones in proportion.
    warm_start : bool
        Whether `fit` goes on from where it was, with up to `max_iter` more epochs.
    n_jobs : int, optional
        Threads, as scikit-learn counts them; the results do not depend on it.
    random_state : int, RandomState, optional
        Decides initial weights, order of presentation and what is set aside.
    verbose : int
        Whether to print a line per epoch.

    Attributes
    ----------
    classes_ : array
        The labels.
    weights_ : array of float, (neurons, channels)
        What was learned.
    n_iter_ : int
        Epochs done.
    converged_ : bool
        Whether every answer was right in the end.
    history_ : dict of arrays
        For each epoch of the last call: "accuracy" on the training data, and
        "validation_accuracy" with early stopping.
    encoder_, neuron_, rule_, code_
        What is in use; encoder_ is None for spikes.
    n_features_in_ : int
        Number of features, or of channels.

    Examples
    --------
    >>> import linspike as ls
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> clf = ls.SpikeClassifier(random_state=0).fit(X[::2], y[::2])
    >>> clf.score(X[1::2], y[1::2]) > 0.9
    True
    """

    classes_: Any
    code_: Code
    converged_: bool
    history_: dict[str, Floats]

    def __init__(
        self,
        encoder: Any = None,
        rule: Any = "dta",
        *,
        spikes: int = 10,
        code: str = "counts",
        target: str = "at_least",
        ties: str = "graded",
        neuron: SRM | None = None,
        until: float | None = None,
        max_iter: int = 20,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 5,
        class_weight: Any = None,
        warm_start: bool = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
    ) -> None:
        self.encoder = encoder
        self.rule = rule
        self.spikes = spikes
        self.code = code
        self.target = target
        self.ties = ties
        self.neuron = neuron
        self.until = until
        self.max_iter = max_iter
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.class_weight = class_weight
        self.warm_start = warm_start
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def fit(self, X: Any, y: Any) -> Self:
        """Learn from samples, numbers (n_samples, n_features) or patterns, and their labels."""
        self._check_parameters()
        going_on = self.warm_start and hasattr(self, "weights_")
        values = self._values(X, fitting=not going_on)
        labels = self._labels(values, y)
        if not going_on:
            self.classes_ = _distinct(labels)
        numbers, held_out = self._numbers(labels), None
        if self.early_stopping:
            kept, aside = self._split(numbers)
            held_out = values[aside], numbers[aside]
            values, numbers = values[kept], numbers[kept]
        patterns = self._encoded(values) if going_on else self._start(values)
        self._learn(patterns, numbers, held_out, self.max_iter)
        return self

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:
        """Learn one epoch of these samples.

        Parameters
        ----------
        X, y
            Samples and labels, as for `fit`.
        classes : array, optional
            All labels there will be; needed at the first call. The encoder learns its ranges
            from the samples of the first call.
        """
        self._check_parameters()
        first = not hasattr(self, "weights_")
        if first and classes is None:
            domain = "all labels there will be, at the first call"
            raise ParameterError.of("classes", "partial_fit", domain, classes)
        values = self._values(X, fitting=first)
        labels = self._labels(values, y)
        if first:
            self.classes_ = _distinct(column_or_1d(classes))
        elif classes is not None and not np.array_equal(np.unique(classes), self.classes_):
            domain = f"those of the first call, {self.classes_.tolist()}"
            raise ParameterError.of("classes", "partial_fit", domain, classes)
        numbers = self._numbers(labels)
        patterns = self._start(values) if first else self._encoded(values)
        self._learn(patterns, numbers, None, 1)
        return self

    def decision_function(self, X: Any) -> Floats:
        """How much speaks for each class.

        Returns
        -------
        array of float
            (n_samples, n_classes); for two classes (n_samples,), positive for the second. Counts
            of spikes, graded or bare, or minus the distance of each neuron's answer to its train.
        """
        patterns = self._patterns(X)
        scores = self.code_.scores(self._reader(), patterns)
        return scores[:, 1] - scores[:, 0] if len(self.classes_) == 2 else scores

    def predict(self, X: Any) -> Any:
        """The label of each sample."""
        patterns = self._patterns(X)
        return self.classes_[self.code_.decide(self._reader(), patterns)]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.three_d_array = self.encoder is not None and accepts_rasters(self.encoder)
        return tags

    def _check_parameters(self) -> None:
        owner = "SpikeClassifier"
        self._check_common()
        checks.whole(self.spikes, "spikes", owner, least=1, most=1000)
        checks.choice(self.code, "code", owner, CODES)
        checks.choice(self.target, "target", owner, TARGETS)
        checks.choice(self.ties, "ties", owner, TIES)
        checks.flag(self.early_stopping, "early_stopping", owner)
        share = {"above": 0.0, "below": 1.0, "domain": "in (0, 1)"}
        checks.real(self.validation_fraction, "validation_fraction", owner, **share)  # type: ignore[arg-type]
        checks.whole(self.n_iter_no_change, "n_iter_no_change", owner, least=1)

    def _start(self, values: Any) -> PatternSet:
        """Patterns to learn from, and neurons that have learned nothing yet."""
        patterns = self._fit_encoder(values)
        self.code_ = self._new_code(patterns)
        layer = self._new_layer(
            self.code_.n_neurons, patterns.n_channels, at_least=self.code_.at_least
        )
        self._keep(layer)
        return patterns

    def _new_code(self, patterns: PatternSet) -> Code:
        n_classes, spikes = len(self.classes_), int(self.spikes)
        if self.code == "counts":
            return CountCode(n_classes, spikes, self.target == "at_least", self.ties == "graded")
        end = float(patterns.durations.min()) if self.until is None else float(self.until)
        return TimeCode(class_trains(n_classes, spikes, end))

    def _labels(self, values: Any, y: Any) -> Any:
        if y is None:
            raise ParameterError(
                "SpikeClassifier requires y to be passed, but the target y is None."
            )
        labels = column_or_1d(y, warn=True)
        check_classification_targets(labels)
        check_consistent_length(values, labels)
        return labels

    def _numbers(self, labels: Any) -> Ints:
        """Labels as places in `classes_`."""
        unknown = np.setdiff1d(labels, self.classes_)
        if unknown.size:
            domain = f"labels among {self.classes_.tolist()}"
            raise ParameterError.of("y", "SpikeClassifier", domain, unknown[0])
        return np.searchsorted(self.classes_, labels)

    def _split(self, numbers: Ints) -> tuple[Ints, Ints]:
        """Samples to learn from and samples to set aside, with the same mix of classes."""
        kept, aside = train_test_split(
            np.arange(len(numbers)),
            test_size=self.validation_fraction,
            stratify=numbers,
            random_state=self.random_state,
        )
        return np.sort(kept), np.sort(aside)

    def _scales(self, numbers: Ints) -> Floats | None:
        """Factor of the steps on each pattern."""
        if self.class_weight is None:
            return None
        present = np.unique(numbers)
        weights = np.zeros(len(self.classes_))
        labels = self.classes_[numbers]
        weights[present] = compute_class_weight(
            self.class_weight, classes=self.classes_[present], y=labels
        )
        if not (np.isfinite(weights).all() and (weights >= 0).all() and weights.max() > 0):
            domain = "finite, at least 0 and not all 0"
            raise ParameterError.of("class_weight", "SpikeClassifier", domain, self.class_weight)
        return (weights / weights.max())[numbers]

    def _learn(
        self,
        patterns: PatternSet,
        numbers: Ints,
        held_out: tuple[Any, Ints] | None,
        epochs: int,
    ) -> None:
        """Epoch after epoch, until all is right, nothing improves, or they are used up."""
        layer = self._layer(at_least=self.code_.at_least)
        targets, scales = self.code_.targets(numbers), self._scales(numbers)
        watched = {"accuracy": (patterns, numbers)}
        if held_out is not None:
            watched["validation_accuracy"] = self._encoded(held_out[0]), held_out[1]
        self.history_ = {name: np.empty(0) for name in watched}
        best = BestSoFar(self.n_iter_no_change)
        last = layer.epochs + epochs
        self.converged_ = False
        try:
            while layer.epochs < last and not self.converged_:
                before = layer.epochs
                self.converged_ = layer.learn_epoch(patterns, targets, scales, self._threads())
                self._keep(layer)
                if layer.epochs == before:
                    break  # all was right already
                scores = self._record(watched)
                self._say(layer.epochs, last, scores)
                if held_out is not None and best(scores["validation_accuracy"], layer.weights):
                    break
        except KeyboardInterrupt:
            self._keep(layer)
            self._warn_interrupted()
        if best.weights.size:
            self.weights_ = best.weights

    def _record(self, watched: dict[str, tuple[PatternSet, Ints]]) -> dict[str, float]:
        """Accuracy of the weights as they are, added to the history."""
        scores = {}
        for name, (patterns, numbers) in watched.items():
            right = self.code_.decide(self._reader(), patterns) == numbers
            scores[name] = float(right.mean())
            self.history_[name] = np.append(self.history_[name], scores[name])
        return scores

    def _reader(self) -> Reader:
        return Reader(self.neuron_, self.weights_, self.until, self._threads())


def _distinct(labels: Any) -> Any:
    classes = np.unique(labels)
    if len(classes) < 2:
        raise SpikeDataError(
            "SpikeClassifier needs samples of at least 2 classes. "
            f"Got only one class, {classes.tolist()[0]!r}, instead."
        )
    return classes
