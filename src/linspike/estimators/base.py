"""The base of classifier and mapper: inputs, training with scores after every epoch."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from os import PathLike
from typing import Any, Self

import numpy as np
from joblib import effective_n_jobs
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from linspike._typing import Floats, Ints
from linspike._validation import check_flag, check_integer, check_real
from linspike.encoders.spike_transformer import takes_spikes
from linspike.errors import ParameterError, RunawayWarning, caller_level
from linspike.estimators import persistence
from linspike.estimators.inputs import (
    check_channels,
    check_encoded,
    check_init,
    check_initial_weights,
    check_numbers,
    count_samples,
    input_tags,
    new_encoder,
    refuse_encoder,
    refuse_numbers,
)
from linspike.estimators.monitor import (
    INTERRUPTED,
    EpochScores,
    InterruptWarning,
    OnScores,
    name_reasons,
)
from linspike.estimators.nested import FROZEN, nested_settings, set_frozen
from linspike.estimators.robust import add_copies
from linspike.neuron.arguments import check_weight_bounds, refuse_outside
from linspike.neuron.srm import SRM
from linspike.rules import rule_of
from linspike.rules.base import Rule
from linspike.spikes.listed import as_patterns
from linspike.spikes.pattern_set import PatternSet
from linspike.training.initial import driven_weights, initial_weights
from linspike.training.prepare import Targets
from linspike.training.result import EpochEnd, raise_if_interrupted
from linspike.training.trainer import MOST_EPOCHS, Trainer

MOST_SEED = persistence.MOST_SEED

Scores = dict[str, float]


class SpikeEstimator(BaseEstimator):  # type: ignore[misc]
    """Neurons that learn from numbers or spikes, with the scikit-learn API."""

    encoder: Any
    rule: Any
    neuron: SRM | None
    until: float | None
    init: Any
    weight_bounds: Any
    jitter: float
    max_iter: int
    warm_start: bool
    n_jobs: int | None
    random_state: Any
    verbose: int

    weights_: Floats
    delays_: Floats | None
    n_iter_: int
    seed_: int
    converged_: bool
    reason_: list[str]
    history_: dict[str, Floats]
    encoder_: Any
    neuron_: SRM
    rule_: Rule

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters; with `deep` those of encoder, rule and neuron too.

        Rule and neuron are values with settings: `rule__eta`, `neuron__tau_m`. For the name of a
        rule, and for neuron=None, these are the defaults.
        """
        params: dict[str, Any] = super().get_params(deep)
        for part in [name for name in FROZEN if deep and name in params]:
            settings = nested_settings(part, params[part])
            params |= {f"{part}__{name}": value for name, value in settings.items()}
        return params

    def set_params(self, **params: Any) -> Self:
        """Set parameters; those of encoder, rule and neuron as `encoder__name`, `rule__eta`.

        Rule and neuron are never changed in place: a setting of theirs replaces them by one that
        has it. The encoder must have been passed.

        Encoder, neuron and what decides how responses are read (of a classifier `code`, `spikes`,
        `target`, `ties`) take effect at the next `fit` that starts anew. The others take effect
        at once: `until` and `n_jobs` on responses too, `rule` and the rest when training goes on.
        """
        flat = set_frozen(type(self).__name__, self.get_params(deep=False), params)
        return super().set_params(**flat)  # type: ignore[no-any-return]

    def save(self, path: str | PathLike[str], *, notes: dict[str, Any] | None = None) -> None:
        """Write the estimator to one file, which `linspike.load_model` reads.

        Parameters
        ----------
        path : str or path
            Where to write; an old file stays until all is written.
        notes : dict, optional
            Anything that JSON can hold.
        """
        persistence.save(self, path, {} if notes is None else notes)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "weights_")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags = input_tags(self.encoder)
        tags.target_tags.required = True
        return tags

    def _check_common(self, *, times: bool) -> None:
        """Check the parameters of every estimator; times says whether these are to be learned."""
        owner = type(self).__name__
        rule = rule_of(self.rule, owner)
        if times and "times" not in rule.targets:
            raise ParameterError.of("rule", owner, "one that learns times, not counts alone", rule)
        if not isinstance(self.neuron, (SRM, type(None))):
            raise ParameterError.of("neuron", owner, "None or an SRM", self.neuron)
        if self.until is not None:
            how: dict[str, Any] = {"above": 0.0, "domain": "positive", "infinite": True}
            check_real(self.until, "until", owner, **how)
        check_init(self.init, owner)
        check_weight_bounds(self.weight_bounds, None, owner)
        check_real(self.jitter, "jitter", owner, least=0.0)
        check_integer(self.max_iter, "max_iter", owner, least=1, most=MOST_EPOCHS)
        check_flag(self.warm_start, "warm_start", owner)
        if self.n_jobs is not None:
            check_integer(self.n_jobs, "n_jobs", owner, least=-1024)
            if self.n_jobs == 0:
                raise ParameterError.of("n_jobs", owner, "None or not 0", self.n_jobs)
        if not isinstance(self.verbose, (bool, np.bool_)):
            check_integer(self.verbose, "verbose", owner, least=0)

    @contextmanager
    def _all_or_nothing(self) -> Iterator[None]:
        """Restore what was learned before if the block fails.

        Attributes are replaced in training, never changed in place, so a shallow copy will do.
        """
        before = dict(vars(self))
        try:
            yield
        except BaseException:
            self.__dict__ = before
            raise

    def _values(self, X: Any, *, fitting: bool) -> Any:
        """Return X checked: patterns as they are, numbers as an array."""
        patterns = as_patterns(X)
        owner = type(self).__name__
        if not fitting:
            check_is_fitted(self)
        encoder = self.encoder if fitting else self.encoder_
        if patterns is None:
            refuse_numbers(X, encoder, owner, fitting=fitting)
            return check_numbers(self, X, encoder, fitting=fitting)
        if fitting:
            refuse_encoder(encoder, owner)
            self.n_features_in_ = patterns.n_channels
            self.__dict__.pop("feature_names_in_", None)
        elif encoder is not None and not takes_spikes(encoder):
            raise ParameterError.of("X", owner, "numbers, as in fit", patterns)
        else:
            check_channels(patterns, self.n_features_in_, owner)
        return patterns

    def _fit_encoder(self, values: Any) -> PatternSet:
        """Return the patterns to learn from; the encoder is fitted here and nowhere else."""
        if isinstance(values, PatternSet) and self.encoder is None:
            self.encoder_ = None
            return values
        self.encoder_ = new_encoder(self.encoder, type(self).__name__)
        self.encoder_.fit(values)
        return self._encode(values)

    def _encode(self, values: Any) -> PatternSet:
        """Return checked values as patterns."""
        if isinstance(values, PatternSet) and self.encoder_ is None:
            return values
        owner = type(self).__name__
        return check_encoded(self.encoder_.transform(values), count_samples(values), owner)

    def _patterns(self, X: Any) -> PatternSet:
        """Return X as patterns, by the encoder of fit."""
        return self._encode(self._values(X, fitting=False))

    def _threads(self) -> int:
        """Return the number of threads, by scikit-learn's reading of n_jobs."""
        return int(effective_n_jobs(self.n_jobs))

    def _new_seed(self) -> int:
        """Return the seed that decides all that is left to chance; it is kept to go on with."""
        return int(check_random_state(self.random_state).randint(MOST_SEED))

    def _start(self, patterns: PatternSet, targets: Sequence[Targets]) -> None:
        """Begin with neurons that have learned nothing yet."""
        self.neuron_ = neuron = SRM() if self.neuron is None else self.neuron
        owner, shape = type(self).__name__, (len(targets), patterns.n_channels)
        low, high = check_weight_bounds(self.weight_bounds, patterns.n_channels, owner)
        if isinstance(self.init, str):
            weights = driven_weights(neuron, patterns, targets, self.seed_, until=self.until)
        elif np.ndim(self.init) == 1:
            mean, deviation = self.init
            weights = initial_weights(neuron, *shape, self.seed_, mean=mean, deviation=deviation)
        else:
            weights = check_initial_weights(self.init, shape, owner)
            refuse_outside(weights, self.weight_bounds, owner, "init")
        self.weights_, self.delays_, self.n_iter_ = np.clip(weights, low, high), None, 0

    def _train(
        self,
        patterns: PatternSet,
        targets: Sequence[Targets],
        score: Callable[[], Scores],
        callbacks: Sequence[OnScores | None],
        *,
        epochs: int,
        step_factor: Floats | None = None,
        numbers: Ints | None = None,
        **options: Any,
    ) -> bool:
        """Train the neurons for up to `epochs` more epochs; return whether they were interrupted.

        After each of them `score` goes into the history, and every callback is called; one that
        returns True ends training. An interrupt leaves the neurons as they were after the last
        whole epoch; before there is one, it is raised. Reasons name samples by their numbers.
        """
        numbers = np.arange(len(patterns)) if numbers is None else numbers
        done_before, self.converged_, warned = self.n_iter_, False, False
        self.reason_ = [INTERRUPTED] * len(self.weights_)
        self.rule_ = rule_of(self.rule, type(self).__name__)
        seed = (self.seed_, done_before)
        patterns, targets, step_factor = add_copies(
            patterns, targets, step_factor, float(self.jitter), seed
        )
        bounds = self.weight_bounds
        refuse_outside(self.weights_, bounds, type(self).__name__, "weights_")  # set since then
        options |= {"until": self.until, "weight_bounds": bounds}
        trainer = Trainer(self.neuron_, self.rule_, self.max_iter, **options)

        def monitor(end: EpochEnd) -> bool:
            nonlocal warned
            self._refuse_infinite(end.weights)
            if end.runaway.any() and not warned:
                warned = True
                self._warn_runaway(int(end.runaway.sum()), done_before + end.epochs)
            before = self.weights_, self.delays_, self.n_iter_
            self.weights_, self.delays_ = end.weights, end.delays
            self.n_iter_ = done_before + end.epochs
            try:
                scores = EpochScores(self.n_iter_, done_before + epochs, score())
            except KeyboardInterrupt:  # an epoch without its scores is not whole
                self.weights_, self.delays_, self.n_iter_ = before
                raise
            for name, value in scores.scores.items():
                self.history_[name] = np.append(self.history_[name], value)
            if self.verbose:
                print(f"[{type(self).__name__}] {scores}")
            stops = [callback(scores) for callback in callbacks if callback is not None]
            return any(stops) or end.epochs == epochs

        try:
            results = trainer.fit_many(
                self.weights_,
                patterns,
                targets,
                seeds=[self.seed_] * len(self.weights_),
                delays=self.delays_,
                step_factor=step_factor,
                first_epoch=done_before,
                pattern_numbers=np.resize(numbers, len(patterns)),  # copies have that of theirs
                threads=self._threads(),
                on_epoch=monitor,
            )
            self.reason_ = name_reasons(results, epochs, self.n_iter_ - done_before)
            raise_if_interrupted(results)
            self.converged_ = all(result.converged for result in results)
        except KeyboardInterrupt:
            if self.n_iter_ == done_before:
                raise
            self._warn_interrupted()
            return True
        return False

    def _warn_interrupted(self) -> None:
        warnings.warn(
            f"{type(self).__name__} was interrupted and keeps what it learned until its last "
            "whole epoch. Go on with warm_start=True.",
            InterruptWarning,
            stacklevel=caller_level(),
        )

    def _refuse_infinite(self, weights: Floats) -> None:
        if not np.isfinite(weights).all():
            owner, domain = type(self).__name__, "one whose weights stay finite"
            remedy = "Make its steps smaller."
            raise ParameterError.of("rule", owner, domain, self.rule_, remedy)

    def _warn_runaway(self, n_neurons: int, epoch: int) -> None:
        of = f"{n_neurons} of {len(self.weights_)} neurons"
        warnings.warn(
            f"{type(self).__name__}: {of} responded to most samples with far too many spikes in "
            f"epoch {epoch}. Fewer desired spikes, smaller initial weights (init=) or smaller "
            "steps (rule=) may help.",
            RunawayWarning,
            stacklevel=caller_level(),
        )
