"""A layer of spiking neurons as a scikit-learn classifier."""

from __future__ import annotations

from typing import Any, Self, final

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.model_selection import train_test_split
from sklearn.utils.class_weight import compute_class_weight

from linspike._typing import Floats, Ints
from linspike._validation import check_choice, check_flag, check_integer, check_real
from linspike.errors import ParameterError
from linspike.estimators.base import Scores, SpikeEstimator
from linspike.estimators.labels import (
    check_class_weight,
    check_discrete,
    check_labels,
    distinct_labels,
)
from linspike.estimators.monitor import BestWeights, EpochScores, OnScores
from linspike.estimators.persistence import register
from linspike.estimators.readout import (
    Code,
    CountCode,
    Reader,
    TimeCode,
    class_trains,
    restore_code,
)
from linspike.neuron.srm import SRM
from linspike.spikes.pattern_set import PatternSet
from linspike.training.prepare import MOST_COUNT
from linspike.training.schedule import CONSTANT, make_schedule

CODES = ("counts", "times")
TARGETS = ("at_least", "exact")
TIES = ("graded", "paper")


@register
@final
class SpikeClassifier(ClassifierMixin, SpikeEstimator):  # type: ignore[misc]
    """Classify numbers or spikes with one spiking neuron per class.

    With `code="counts"` a neuron learns to respond to patterns of its own class with `spikes`
    spikes and to all others with none; the neuron with most spikes names the class. With
    `code="times"` it learns to respond to its own class with a given spike train; the neuron whose
    response is nearest to its train, by van Rossum's distance, names the class.

    Parameters
    ----------
    encoder : transformer, optional
        Turns X into a `PatternSet`. Unless given, `PopulationEncoder()` for numbers. None is
        needed if X is spikes already; a transformer of spikes, such as `DelayLines`, is allowed.
    rule : str or Rule
        The learning rule, such as "dta", "emlc", "mst", or an object with settings of its own. Its
        own schedule is not used here: see `schedule`.
    spikes : int
        Desired number of spikes for a neuron's own class; with times, two at least. As `code`,
        `target` and `ties` it is part of what is learned: a change takes effect at the next `fit`.
    code : {"counts", "times"}
        How classes are named.
    target : {"at_least", "exact"}
        Counts: whether more spikes than desired are right too for a neuron's own class, or, as in
        the paper, wrong.
    ties : {"graded", "paper"}
        Counts: whether `decision_function` adds to each count how near the neuron is to one spike
        more (see `graded_counts`), which decides between equal counts, or returns the bare
        counts, of which the first of the largest wins.
    neuron : SRM, optional
        The neuron; `SRM()` unless given.
    until : float, optional
        Until when spikes count, in milliseconds; the duration of the patterns unless given.
    max_iter : int
        Number of epochs, at most. Training ends earlier when every response is right.
    schedule : Linear, Inverse or pair of float, optional
        Factor of the steps in each epoch, as for `Trainer`; constant unless given. With few or
        noisy samples `ls.training.Inverse(rate)` with a rate of 0.1 to 0.3 may keep the last
        samples from being learned at the expense of the others.
    early_stopping : bool
        Whether to set a part of the training data aside, to stop when the accuracy on it no
        longer grows, and to keep the weights with the best accuracy on it.
    validation_fraction : float
        Share of the samples that is set aside.
    n_iter_no_change : int
        Number of epochs without a better accuracy that ends training.
    class_weight : dict or "balanced", optional
        Weights of the classes. They scale the steps on patterns of a class: the heaviest class
        takes whole steps, the others shorter ones in proportion. A class of weight 0 teaches
        nothing. `partial_fit`, which sees only parts of the data, takes a dict alone.
    warm_start : bool
        Whether `fit` goes on from where it was, with up to `max_iter` more epochs. Labels,
        encoder, neuron and code stay those of the first fit.
    n_jobs : int, optional
        Number of threads, as scikit-learn counts them; the results do not depend on it.
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
        Whether every response was right in the end.
    history_ : dict of arrays
        For each epoch of the last call: "accuracy" on the training data, and
        "validation_accuracy" with early stopping.
    encoder_, neuron_, rule_, code_
        What is in use; `encoder_` is None for spikes as they are.
    n_features_in_ : int
        Number of features, in a raster the bins of all channels; for spikes of channels.
    feature_names_in_ : array of str
        Names of the columns, if X was a data frame; then later data frames must have the same, in
        the same order. A file keeps them; a model of `linspike fit` has them.

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
        schedule: Any = None,
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
        self.schedule = schedule
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.class_weight = class_weight
        self.warm_start = warm_start
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def fit(self, X: Any, y: Any, *, on_epoch: OnScores | None = None) -> Self:
        """Learn from samples and their labels.

        Ctrl-C ends training with a `ConvergenceWarning` and keeps the last whole epoch. If `fit`
        raises, what was learned before stays as it was.

        Parameters
        ----------
        X : array of float, (n_samples, n_features), PatternSet or list of Pattern
            The samples.
        y : array
            Their labels.
        on_epoch : callable, optional
            Called after every epoch with an `EpochScores`, when the estimator can be used as if
            it were fitted; returning True ends training.
        """
        self._check_parameters()
        with self._all_or_nothing():
            going_on = self.warm_start and hasattr(self, "weights_")
            values = self._values(X, fitting=not going_on)
            labels = check_labels(values, y)
            if not going_on:
                self.classes_, self.seed_ = distinct_labels(labels), self._new_seed()
            indices, held_out = self._class_indices(labels), None
            if self.early_stopping:
                kept, aside = self._split(indices)
                held_out = values[aside], indices[aside]
                values, indices = values[kept], indices[kept]
            factors = self._step_factors(indices)
            patterns = self._encode(values) if going_on else self._begin(values)
            samples = patterns, indices
            self._learn(samples, held_out, factors, epochs=self.max_iter, on_epoch=on_epoch)
        return self

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:
        """Learn one epoch of these samples; Ctrl-C and errors leave things as for `fit`.

        Parameters
        ----------
        X, y
            Samples and labels, as for `fit`.
        classes : array, optional
            All labels there will be; needed at the first call. The encoder is fitted to the
            samples of the first call.
        """
        self._check_parameters()
        if self.class_weight == "balanced":
            weights = "compute_class_weight('balanced', classes=np.unique(y), y=y)"
            remedy = f"Weigh all samples together: dict(zip(np.unique(y), {weights}))."
            domain, got = "None or a dict of weights", self.class_weight
            raise ParameterError.of("class_weight", "partial_fit", domain, got, remedy)
        with self._all_or_nothing():
            first = not hasattr(self, "weights_")
            values = self._values(X, fitting=first)
            self._check_classes(classes, first=first)
            indices = self._class_indices(check_labels(values, y))
            factors = self._step_factors(indices)
            patterns = self._begin(values) if first else self._encode(values)
            self._learn((patterns, indices), None, factors, epochs=1, on_epoch=None)
        return self

    def decision_function(self, X: Any) -> Floats:
        """Return a score for each class.

        Returns
        -------
        array of float, (n_samples, n_classes)
            Counts of spikes, graded or bare, or minus the distance of each neuron's response to
            its train. For two classes (n_samples,), positive for the second.
        """
        patterns = self._patterns(X)
        scores = self.code_.scores(self._reader(), patterns)
        return scores[:, 1] - scores[:, 0] if len(self.classes_) == 2 else scores

    def predict(self, X: Any) -> Any:
        """Return the label of each sample."""
        patterns = self._patterns(X)
        return self.classes_[self.code_.decide(self._reader(), patterns)]

    def _check_parameters(self) -> None:
        owner = "SpikeClassifier"
        times = check_choice(self.code, "code", owner, CODES) == "times"
        self._check_common(times=times)
        check_integer(self.spikes, "spikes", owner, least=2 if times else 1, most=MOST_COUNT)
        if times and self.until is not None:
            domain = "positive and finite for code='times'"
            check_real(self.until, "until", owner, above=0.0, domain=domain)
        check_choice(self.target, "target", owner, TARGETS)
        check_choice(self.ties, "ties", owner, TIES)
        if self.schedule is not None:
            make_schedule(self.schedule, owner)
        check_flag(self.early_stopping, "early_stopping", owner)
        share = {"above": 0.0, "below": 1.0, "domain": "in (0, 1)"}
        check_real(self.validation_fraction, "validation_fraction", owner, **share)  # type: ignore[arg-type]
        check_integer(self.n_iter_no_change, "n_iter_no_change", owner, least=1)
        check_class_weight(self.class_weight, owner)

    def _check_classes(self, classes: Any, *, first: bool) -> None:
        """Take all labels there will be from the first call; they stay what they are."""
        if first and classes is None:
            domain = "all labels there will be, at the first call"
            raise ParameterError.of("classes", "partial_fit", domain, classes)
        named = None if classes is None else check_discrete(classes, "classes", "partial_fit")
        if first:
            self.classes_, self.seed_ = distinct_labels(named), self._new_seed()
        elif named is not None and set(named.tolist()) != set(self._places()):
            domain = f"those of the first call, {self.classes_.tolist()}"
            raise ParameterError.of("classes", "partial_fit", domain, classes)

    def _begin(self, values: Any) -> PatternSet:
        """Begin with neurons that have learned nothing yet; return the patterns to learn from."""
        patterns = self._fit_encoder(values)
        self.code_ = self._new_code(patterns)
        self._start(self.code_.n_neurons, patterns.n_channels)
        return patterns

    def _new_code(self, patterns: PatternSet) -> Code:
        n_classes, spikes = len(self.classes_), int(self.spikes)
        if self.code == "counts":
            return CountCode(n_classes, spikes, self.target == "at_least", self.ties == "graded")
        end = float(patterns.durations.min()) if self.until is None else float(self.until)
        return TimeCode(class_trains(n_classes, spikes, end))

    def _class_indices(self, labels: Any) -> Ints:
        """Return labels as places in `classes_`."""
        places = self._places()
        listed = labels.tolist()
        unknown = [label for label in listed if label not in places]
        if unknown:
            domain = f"labels among {list(places)}"
            raise ParameterError.of("y", "SpikeClassifier", domain, unknown[0])
        return np.array([places[label] for label in listed], dtype=np.int64)

    def _places(self) -> dict[Any, int]:
        return {label: place for place, label in enumerate(self.classes_.tolist())}

    def _split(self, indices: Ints) -> tuple[Ints, Ints]:
        """Return samples to learn from and samples to set aside, with the same mix of classes."""
        share = self.validation_fraction
        how = {"test_size": share, "stratify": indices, "random_state": self.seed_}
        try:
            kept, aside = train_test_split(np.arange(len(indices)), **how)
        except ValueError as error:
            domain = "a share that leaves samples of every class on both sides"
            owner = "SpikeClassifier"
            raise ParameterError.of("validation_fraction", owner, domain, share) from error
        return np.sort(kept), np.sort(aside)

    def _step_factors(self, indices: Ints) -> Floats | None:
        """Return the factor of the steps on each pattern."""
        if self.class_weight is None:
            return None
        if self.class_weight == "balanced":
            counts = np.bincount(indices)[indices]
            return np.asarray(counts.min() / counts)
        # Of all classes, not of those at hand: parts of the data must weigh as the whole does.
        classes = self.classes_
        weights = compute_class_weight(self.class_weight, classes=classes, y=classes)
        if weights.max() == 0.0:
            domain = "above 0 for one class at least"
            raise ParameterError.of("class_weight", "SpikeClassifier", domain, self.class_weight)
        return np.asarray((weights / weights.max())[indices])

    def _learn(
        self,
        samples: tuple[PatternSet, Ints],
        held_out: tuple[Any, Ints] | None,
        step_factor: Floats | None,
        *,
        epochs: int,
        on_epoch: OnScores | None,
    ) -> None:
        """Train for up to so many epochs; with samples held out, keep the best weights."""
        patterns, indices = samples
        watched = {"accuracy": samples}
        if held_out is not None:
            watched["validation_accuracy"] = self._encode(held_out[0]), held_out[1]
        self.history_ = {name: np.empty(0) for name in watched}
        best = BestWeights(self.n_iter_no_change)

        def score() -> Scores:
            return {name: self._accuracy(*part) for name, part in watched.items()}

        def stop_early(epoch: EpochScores) -> bool:
            return best.update(epoch.scores["validation_accuracy"], self.weights_)

        if held_out is not None and self.n_iter_:
            best.update(score()["validation_accuracy"], self.weights_)  # it may stay the best
        self._train(
            patterns,
            self.code_.targets(indices),
            score,
            [on_epoch, None if held_out is None else stop_early],
            epochs=epochs,
            step_factor=step_factor,
            at_least=self.code_.at_least,
            schedule=CONSTANT if self.schedule is None else self.schedule,
        )
        if best.weights.size and best.weights is not self.weights_:
            self.weights_, self.converged_ = best.weights, False

    def _accuracy(self, patterns: PatternSet, indices: Ints) -> float:
        return float((self.code_.decide(self._reader(), patterns) == indices).mean())

    def _state(self) -> tuple[dict[str, Any], Any]:
        """Return what a file holds besides that of every estimator: settings and labels."""
        return {"code": self.code_.settings()}, self.classes_

    def _restore(self, about: dict[str, Any], classes: Any) -> None:
        """Take over what `_state` returned, if it makes sense."""
        self.code_, self.classes_ = restore_code(about["code"]), classes
        if classes.ndim != 1 or not np.array_equal(np.unique(classes), classes):
            raise ValueError("classes are not in order")
        if not len(self.weights_) == self.code_.n_neurons == len(classes) >= 2:
            raise ValueError("weights, code and classes do not fit")

    def _reader(self) -> Reader:
        return Reader(self.neuron_, self.weights_, self.until, self._threads())
