"""A layer of spiking neurons as a scikit-learn classifier."""

from __future__ import annotations

from typing import Any, Self, final

from linspike._validation import check_choice, check_flag, check_integer, check_real
from linspike.errors import ParameterError
from linspike.estimators.classes.labels import (
    check_class_weight,
    check_labels,
    check_same_classes,
    distinct_labels,
    first_classes,
)
from linspike.estimators.classes.learner import ClassLearner
from linspike.estimators.classes.samples import check_sample_weight, check_unit_weight
from linspike.estimators.monitor import OnScores
from linspike.estimators.persistence import register
from linspike.neuron.srm import SRM
from linspike.training.prepare import MOST_COUNT
from linspike.training.schedule import make_schedule

CODES = ("counts", "times")
TARGETS = ("at_least", "exact")
TIES = ("graded", "paper")


@register
@final
class SpikeClassifier(ClassLearner):
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
    init : "drive", pair of float, or array of float, (classes, channels)
        Initial weights. "drive": normal, and as large as the input calls for, so that about half
        of the first responses have the desired number of spikes. A pair: normal, with this mean
        and deviation in thresholds; (0.01, 0.01) in the paper. An array: these weights.
    weight_bounds : pair (low, high), optional
        Lowest and highest weight, each a number or one number per channel of the encoded input; no
        bounds unless given. They hold exactly after every step, as for `Trainer`. Initial weights
        are cut off at them, unless `init` is an array: then they must be within.
    jitter : float
        Noise in ms on the spikes of four copies of each pattern to learn too: see `SpikeMapper`.
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
    delays_ : array of float, the same shape, or None
        Learned delays of the inputs in milliseconds, with `rule=DTA(delays=True)`.
    n_iter_ : int
        Epochs done.
    converged_ : bool
        Whether every response was right in the end.
    reason_ : list of str
        Why training ended, for each neuron, as `FitResult.reason`: it names samples that
        contradict each other, by their places in X.
    history_ : dict of arrays
        For each epoch of the last call: "accuracy" on the training data, and
        "validation_accuracy" with early stopping; by `sample_weight` where it was given.
    temperature_ : float
        Temperature of `predict_proba`, in units of `decision_function`. `partial_fit`, which sees
        only parts of the data, and a `fit` that was interrupted leave it as it is, at first a
        fifth of `spikes` (of the distance of a train from silence if `code="times"`).
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
        init: Any = "drive",
        weight_bounds: Any = None,
        jitter: float = 0.0,
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
        self.init = init
        self.weight_bounds = weight_bounds
        self.jitter = jitter
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

    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, *, on_epoch: OnScores | None = None
    ) -> Self:
        """Learn from samples and their labels.

        Ctrl-C ends training with a `ConvergenceWarning` and keeps the last whole epoch; before
        there is one, it is raised. If `fit` raises, what was learned before stays as it was.

        Parameters
        ----------
        X : array of float, (n_samples, n_features), PatternSet or list of Pattern
            The samples. A table may be sparse if the encoder takes such; those of linspike do.
        y : array
            Their labels.
        sample_weight : array of float, optional
            Weights of the samples. They scale the steps as `class_weight` does, and multiply it:
            the heaviest samples take whole steps. A sample of weight 0 is left out, but its label
            is one of `classes_` all the same. A weight of 2 is not the same as two samples: the
            order of the samples matters, and a step that meets its constraints needs no second.
        on_epoch : callable, optional
            Called after every epoch with an `EpochScores`, when the estimator can be used as if
            it were fitted; returning True ends training.
        """
        self._check_parameters()
        with self._all_or_nothing():
            going_on = self.warm_start and hasattr(self, "weights_")
            values = self._values(X, fitting=not going_on)
            labels = check_labels(values, y)
            weights = check_sample_weight(sample_weight, len(labels), "fit")
            if not going_on:
                self.classes_, self.seed_ = distinct_labels(labels), self._new_seed()
            samples, held_out = self._samples(values, labels, weights), None
            if self.early_stopping:
                samples, held_out = samples.split(self.validation_fraction, self.seed_)
            if weights is not None:
                weights = samples.weights / weights.max()
            factors = self._step_factors(samples, weights)
            values = samples.values
            patterns = self._encode(values) if going_on else self._begin(samples)
            samples = samples._replace(values=patterns)
            how: dict[str, Any] = {"epochs": self.max_iter, "on_epoch": on_epoch}
            if not self._learn(samples, held_out, factors, **how):
                self._fit_temperature(samples)
        return self

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn one epoch of these samples; Ctrl-C and errors leave things as for `fit`.

        Parameters
        ----------
        X, y
            Samples and labels, as for `fit`.
        classes : array, optional
            All labels there will be; needed at the first call. The encoder is fitted to the
            samples of the first call.
        sample_weight : array of float, optional
            Weights of the samples, at most 1: factors of the steps as they are, since a call knows
            only its own. Samples of weight 0 are left out.
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
            if first:
                self.classes_, self.seed_ = first_classes(classes), self._new_seed()
            else:
                check_same_classes(classes, self.classes_)
            labels = check_labels(values, y)
            factors = check_sample_weight(sample_weight, len(labels), "partial_fit")
            check_unit_weight(factors)
            samples = self._samples(values, labels, factors)
            factors = self._step_factors(samples, samples.weights)
            patterns = self._begin(samples) if first else self._encode(samples.values)
            samples = samples._replace(values=patterns)
            self._learn(samples, None, factors, epochs=1, on_epoch=None)
        return self

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
