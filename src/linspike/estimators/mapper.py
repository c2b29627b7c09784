"""Neurons as a scikit-learn estimator from patterns to spike trains."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self, final

import numpy as np

from linspike._typing import Floats
from linspike.errors import ParameterError, SpikeDataError, Words
from linspike.estimators.base import Scores, SpikeEstimator
from linspike.estimators.classes.samples import check_sample_weight
from linspike.estimators.inputs import count_samples
from linspike.estimators.monitor import OnScores
from linspike.estimators.persistence import register
from linspike.kernels.trains.distances import times_met
from linspike.neuron.responses import Responses
from linspike.neuron.srm import SRM
from linspike.spikes.distances import van_rossum
from linspike.spikes.pattern_set import PatternSet
from linspike.spikes.spike_train import SpikeTrain
from linspike.spikes.targets import SpikeTimes
from linspike.training.criterion import CRITERIA, check_criterion, tolerance_of
from linspike.training.prepare import bounds_of
from linspike.training.schedule import CONSTANT

Trains = list[SpikeTrain] | list[list[SpikeTrain]]


@register
@final
class SpikeMapper(SpikeEstimator):
    """Train neurons to respond to each sample with a desired spike train.

    The `Trainer` with the scikit-learn API: numbers or spikes in, trains out.

    Parameters
    ----------
    encoder : transformer, optional
        Turns X into a `PatternSet`. Unless given, `PopulationEncoder()` for numbers; none is
        needed, or allowed, if X is spikes already.
    rule : str or Rule
        The learning rule. Its own schedule is not used: steps are constant.
    criterion : {"paper", "strict"}
        When a train counts as learned, as for `Trainer`.
    tolerance : float, optional
        Tolerance of the strict criterion in milliseconds, as for `Trainer`.
    neuron : SRM, optional
        The neuron; `SRM()` unless given.
    until : float, optional
        Horizon of every response; the duration of the patterns unless given.
    init : "drive", pair of float, or array of float, (outputs, channels)
        Initial weights, as for `SpikeClassifier`.
    weight_bounds : pair (low, high), optional
        Bounds of the weights, as for `SpikeClassifier`.
    jitter : float
        Standard deviation in milliseconds of Gaussian noise on the spikes of four copies of each
        pattern, which are learned too. Responses then survive the grid of a simulator better:
        `deploy_check` shows by how much. With 0 there are no copies.
    max_iter : int
        Number of epochs, at most.
    warm_start : bool
        Whether `fit` goes on from where it was.
    n_jobs, random_state, verbose
        As for `SpikeClassifier`.

    Attributes
    ----------
    weights_ : array of float, (outputs, channels)
        The learned weights.
    delays_ : array of float, the same shape, or None
        Learned delays of the inputs in milliseconds, with `rule=DTA(delays=True)`.
    n_outputs_ : int
        Number of neurons.
    converged_ : bool
        Whether every train was learned.
    reason_ : list of str
        Why training ended, for each neuron, as `FitResult.reason`: it names targets that are
        impossible or contradict each other, by their places in X.
    n_iter_, history_, encoder_, neuron_, rule_, n_features_in_
        As for `SpikeClassifier`; `history_` holds "learned", the share of trains that are, and
        "distance", the mean van Rossum distance.

    Examples
    --------
    >>> import numpy as np, linspike as ls
    >>> rng = np.random.default_rng(0)
    >>> patterns = ls.poisson_patterns(3, n_channels=100, duration=200.0, rate=0.01, rng=rng)
    >>> desired = [[50.0, 120.0], [80.0], [60.0, 150.0]]
    >>> mapper = ls.SpikeMapper(random_state=0, criterion="strict").fit(patterns, desired)
    >>> mapper.score(patterns, desired)
    1.0
    """

    n_outputs_: int

    def __init__(
        self,
        encoder: Any = None,
        rule: Any = "dta",
        *,
        criterion: str = "paper",
        tolerance: float | None = None,
        neuron: SRM | None = None,
        until: float | None = None,
        init: Any = "drive",
        weight_bounds: Any = None,
        jitter: float = 0.0,
        max_iter: int = 200,
        warm_start: bool = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
    ) -> None:
        self.encoder = encoder
        self.rule = rule
        self.criterion = criterion
        self.tolerance = tolerance
        self.neuron = neuron
        self.until = until
        self.init = init
        self.weight_bounds = weight_bounds
        self.jitter = jitter
        self.max_iter = max_iter
        self.warm_start = warm_start
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, *, on_epoch: OnScores | None = None
    ) -> Self:
        """Learn to respond to X with the trains y.

        Ctrl-C ends training with a `ConvergenceWarning` and keeps the last whole epoch; before
        there is one, it is raised. If `fit` raises, what was learned before stays as it was.

        Parameters
        ----------
        X : PatternSet, list of Pattern, or array
            The inputs.
        y : SpikeTimes, list of trains, or list of SpikeTimes
            The desired train of each sample; a list of `SpikeTimes` is one neuron each.
        sample_weight : array of float, optional
            Weights of the samples: factors of the steps relative to the largest. A sample of
            weight 0 is left out.
        on_epoch : callable, optional
            As for `SpikeClassifier.fit`.
        """
        self._check_parameters()
        with self._all_or_nothing():
            going_on = self.warm_start and hasattr(self, "weights_")
            values = self._values(X, fitting=not going_on)
            n_samples = count_samples(values)
            desired = _desired(y, n_samples, self.n_outputs_ if going_on else None)
            weights = check_sample_weight(sample_weight, n_samples, "fit")
            used = np.arange(n_samples)
            if weights is not None and not weights.all():
                used = np.flatnonzero(weights)
                values, weights = values[used], weights[used]
                desired = [SpikeTimes([trains[p] for p in used.tolist()]) for trains in desired]
            if going_on:
                patterns = self._encode(values)
            else:
                patterns = self._fit_encoder(values)
                self.n_outputs_, self.seed_ = len(desired), self._new_seed()
                self._start(patterns, desired)
            self.history_ = {"learned": np.empty(0), "distance": np.empty(0)}
            self._train(
                patterns,
                desired,
                lambda: self._scores(patterns, desired, weights),
                [on_epoch],
                epochs=self.max_iter,
                step_factor=None if weights is None else weights / weights.max(),
                numbers=used,
                criterion=self.criterion,
                tolerance=self.tolerance,
                schedule=CONSTANT,
            )
        return self

    def predict(self, X: Any) -> Trains:
        """Return the response to each sample: a list of trains, or one such list per neuron."""
        responses = self._responses(self._patterns(X))
        listed = [responses[output] for output in range(self.n_outputs_)]
        return listed[0] if self.n_outputs_ == 1 else listed

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the share of the trains that are learned, by the criterion.

        Parameters
        ----------
        X, y
            As for `fit`.
        sample_weight : array of float, optional
            Weights of the samples in the share.
        """
        patterns = self._patterns(X)
        weights = check_sample_weight(sample_weight, len(patterns), "score")
        desired = _desired(y, len(patterns), self.n_outputs_)
        return self._scores(patterns, desired, weights)["learned"]

    def _check_parameters(self) -> None:
        self._check_common(times=True)
        check_criterion(self.criterion, self.tolerance, "SpikeMapper")

    def _state(self) -> tuple[dict[str, Any], Any]:
        """Return what a file holds besides that of every estimator: nothing."""
        return {}, np.empty(0)

    def _restore(self, about: dict[str, Any], classes: Any) -> None:
        """Take over what follows from the weights."""
        self.n_outputs_ = len(self.weights_)

    def _responses(self, patterns: PatternSet) -> Responses:
        return self.neuron_.respond_many(
            self.weights_,
            patterns,
            delays=self.delays_,
            until=self.until,
            threads=self._threads(),
        )

    def _scores(
        self, patterns: PatternSet, desired: Sequence[SpikeTimes], weights: Floats | None
    ) -> Scores:
        responses = self._responses(patterns)
        tolerance = tolerance_of(self.criterion, self.tolerance, self.neuron_)
        bounds = bounds_of(patterns.durations, tolerance)
        learned, distances = [], []
        for output, trains in enumerate(desired):
            for p, train in enumerate(trains):
                response = responses[output, p]
                right = times_met(
                    np.array(response.times),
                    np.array(train.times),
                    float(bounds[p]),
                    CRITERIA[self.criterion],
                    1.0,
                )
                learned.append(right and not response.truncated)
                distances.append(van_rossum(response, train))
        each = None if weights is None else np.tile(weights, len(desired))
        found = {"learned": np.array(learned, float), "distance": np.array(distances)}
        return {name: float(np.average(values, weights=each)) for name, values in found.items()}


def _desired(y: Any, n_samples: int, n_outputs: int | None) -> list[SpikeTimes]:
    """Return the targets of each neuron; any number of neurons will do if none is known yet."""
    if y is None:
        raise ParameterError("SpikeMapper requires y to be passed, but the target y is None.")
    several = isinstance(y, (list, tuple)) and len(y) and isinstance(y[0], SpikeTimes)
    listed = list(y) if several else [y if isinstance(y, SpikeTimes) else SpikeTimes(y)]
    for targets in listed:
        if not isinstance(targets, SpikeTimes):
            got = Words(type(targets).__name__)
            raise ParameterError.of("y", "SpikeMapper", "SpikeTimes for every neuron", got)
        if len(targets) != n_samples:
            raise SpikeDataError(
                f"SpikeMapper needs a desired train for each of the {n_samples} samples. "
                f"Got {len(targets)} instead."
            )
    if n_outputs not in (None, len(listed)):
        raise SpikeDataError(
            f"SpikeMapper needs desired trains for {n_outputs} neurons, as in fit. "
            f"Got {len(listed)} instead."
        )
    return listed
