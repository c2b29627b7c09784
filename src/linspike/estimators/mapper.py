"""Patterns to spike trains: neurons that learn to answer at wanted times."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self, final

import numpy as np

from linspike import checks
from linspike.errors import ParameterError, SpikeDataError
from linspike.estimators.estimator import SpikeEstimator
from linspike.kernels.criterion import times_met
from linspike.neuron.responses import Responses
from linspike.neuron.srm import SRM
from linspike.spikes.distances import van_rossum, vrd_bound
from linspike.spikes.ragged import Floats
from linspike.spikes.targets import SpikeTimes
from linspike.spikes.train import SpikeTrain
from linspike.training.trainer import CRITERIA

Trains = list[SpikeTrain] | list[list[SpikeTrain]]


@final
class SpikeMapper(SpikeEstimator):  # type: ignore[misc]
    """Teach neurons to answer each pattern with a wanted spike train.

    What `Trainer` does, in scikit-learn's manners: numbers or spikes in, trains out.

    Parameters
    ----------
    encoder : transformer, optional
        Turns X into a `PatternSet`. Unless given, `PopulationEncoder()` for numbers; none is
        needed, or allowed, if X is spikes already.
    rule : str or Rule
        The learning rule.
    criterion : {"paper", "strict"}
        When a train counts as learned, as for `Trainer`.
    neuron : SRM, optional
        The neuron; `SRM()` unless given.
    until : float, optional
        Horizon of every answer; the duration of the patterns unless given.
    max_iter : int
        Epochs, at most.
    warm_start : bool
        Whether `fit` goes on from where it was.
    n_jobs, random_state, verbose
        As for `SpikeClassifier`.

    Attributes
    ----------
    weights_ : array of float, (outputs, channels)
        What was learned.
    n_outputs_ : int
        Number of neurons.
    converged_ : bool
        Whether every train was learned.
    n_iter_, history_, encoder_, neuron_, rule_, n_features_in_
        As for `SpikeClassifier`; history_ holds "learned", the share of trains that are, and
        "distance", the mean van Rossum distance.

    Examples
    --------
    >>> import numpy as np, linspike as ls
    >>> rng = np.random.default_rng(0)
    >>> patterns = ls.poisson_patterns(3, n_channels=100, duration=200.0, rate=0.01, rng=rng)
    >>> wanted = [[50.0, 120.0], [80.0], [60.0, 150.0]]
    >>> mapper = ls.SpikeMapper(random_state=0, criterion="strict").fit(patterns, wanted)
    >>> mapper.score(patterns, wanted)
    1.0
    """

    n_outputs_: int
    converged_: bool
    history_: dict[str, Floats]

    def __init__(
        self,
        encoder: Any = None,
        rule: Any = "dta",
        *,
        criterion: str = "paper",
        neuron: SRM | None = None,
        until: float | None = None,
        max_iter: int = 200,
        warm_start: bool = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
    ) -> None:
        self.encoder = encoder
        self.rule = rule
        self.criterion = criterion
        self.neuron = neuron
        self.until = until
        self.max_iter = max_iter
        self.warm_start = warm_start
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def fit(self, X: Any, y: Any) -> Self:
        """Learn to answer X with the trains y.

        Parameters
        ----------
        X : PatternSet, list of Pattern, or array
            The inputs.
        y : SpikeTimes, list of trains, or list of SpikeTimes
            The wanted train of each sample; a list of `SpikeTimes` is one neuron each.
        """
        self._check_common()
        checks.choice(self.criterion, "criterion", "SpikeMapper", CRITERIA)
        going_on = self.warm_start and hasattr(self, "weights_")
        values = self._values(X, fitting=not going_on)
        wanted = _wanted(y, len(values))
        patterns = self._encoded(values) if going_on else self._fit_encoder(values)
        if going_on and len(wanted) != self.n_outputs_:
            domain = f"trains for {self.n_outputs_} neurons, as in the first fit"
            raise ParameterError.of("y", "SpikeMapper", domain, len(wanted))
        if not going_on:
            self.n_outputs_ = len(wanted)
            layer = self._new_layer(len(wanted), patterns.n_channels, criterion=self.criterion)
            self._keep(layer)
        layer = self._layer(criterion=self.criterion)
        self.history_ = {"learned": np.empty(0), "distance": np.empty(0)}
        self.converged_ = False
        last = layer.epochs + self.max_iter
        try:
            while layer.epochs < last and not self.converged_:
                before = layer.epochs
                self.converged_ = layer.learn_epoch(patterns, wanted, None, self._threads())  # type: ignore[arg-type]
                self._keep(layer)
                if layer.epochs == before:
                    break  # all was right already
                scores = self._scores(self._answers(patterns), wanted, patterns.durations)
                for name, score in scores.items():
                    self.history_[name] = np.append(self.history_[name], score)
                self._say(layer.epochs, last, scores)
        except KeyboardInterrupt:
            self._keep(layer)
            self._warn_interrupted()
        return self

    def predict(self, X: Any) -> Trains:
        """The answer to each sample: a list of trains, or one such list per neuron."""
        answers = self._answers(self._patterns(X))
        listed = [answers[output] for output in range(self.n_outputs_)]
        return listed[0] if self.n_outputs_ == 1 else listed

    def score(self, X: Any, y: Any) -> float:
        """Share of the trains that are learned, by the criterion."""
        patterns = self._patterns(X)
        wanted = _wanted(y, len(patterns))
        return self._scores(self._answers(patterns), wanted, patterns.durations)["learned"]

    def _answers(self, patterns: Any) -> Responses:
        return self.neuron_.respond_many(
            self.weights_, patterns, until=self.until, threads=self._threads()
        )

    def _scores(
        self, answers: Responses, wanted: Sequence[SpikeTimes], durations: Floats
    ) -> dict[str, float]:
        learned, distances = [], []
        for output, trains in enumerate(wanted):
            for p, train in enumerate(trains):
                answer = answers[output, p]
                right = times_met(
                    np.array(answer.times),
                    np.array(train.times),
                    vrd_bound(float(durations[p])),
                    CRITERIA[self.criterion],
                    1.0,
                )
                learned.append(right and not answer.truncated)
                distances.append(van_rossum(answer, train))
        return {"learned": float(np.mean(learned)), "distance": float(np.mean(distances))}


def _wanted(y: Any, n_samples: int) -> list[SpikeTimes]:
    """Targets of each neuron, a train per sample."""
    if y is None:
        raise ParameterError("SpikeMapper requires y to be passed, but the target y is None.")
    several = isinstance(y, (list, tuple)) and len(y) and isinstance(y[0], SpikeTimes)
    listed = list(y) if several else [y if isinstance(y, SpikeTimes) else SpikeTimes(y)]
    for targets in listed:
        if not isinstance(targets, SpikeTimes):
            raise ParameterError.of("y", "SpikeMapper", "a list of SpikeTimes", targets)
        if len(targets) != n_samples:
            raise SpikeDataError(
                f"SpikeMapper needs a wanted train for each of the {n_samples} samples. "
                f"Got {len(targets)} instead."
            )
    return listed
