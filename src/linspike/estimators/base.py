"""What classifier and mapper share: inputs, the layer of neurons, epochs."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from os import PathLike
from typing import Any, Self

import numpy as np
from joblib import effective_n_jobs
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from linspike._typing import Floats
from linspike._validation import check_flag, check_integer, check_real
from linspike.errors import ParameterError, Words
from linspike.estimators.inputs import (
    as_patterns,
    check_channels,
    checked_numbers,
    checked_patterns,
    input_tags,
    nested_remedy,
    new_encoder,
    refuse_encoder,
)
from linspike.estimators.layer import Layer
from linspike.neuron.srm import SRM
from linspike.rules import rule_of
from linspike.rules.base import Rule
from linspike.spikes.pattern_set import PatternSet
from linspike.training.prepare import Targets
from linspike.training.trainer import Trainer

MOST_SEED = 2**31 - 1

ChainData = tuple[
    PatternSet, Sequence[Targets], Floats | None
]  # patterns, targets, factors of steps
Scores = dict[str, float]
Enough = Callable[[Scores], bool]


class SpikeEstimator(BaseEstimator):  # type: ignore[misc]
    """Numbers or spikes in, a layer of neurons taught by a rule."""

    encoder: Any
    rule: Any
    neuron: SRM | None
    until: float | None
    max_iter: int
    warm_start: bool
    n_jobs: int | None
    random_state: Any
    verbose: int

    weights_: Floats
    n_iter_: int
    seed_: int
    converged_: bool
    history_: dict[str, Floats]
    encoder_: Any
    neuron_: SRM
    rule_: Rule

    def set_params(self, **params: Any) -> Self:
        """Set parameters; those of an encoder that was handed in as `encoder__name`.

        What decides how answers are read (of a classifier `code`, `spikes`, `target`, `ties`)
        and encoder and neuron act at the next `fit` that starts anew; until then all stays as
        learned. The others act at once: `until` and `n_jobs` on answers too, `rule` and the rest
        when learning goes on.
        """
        own = self.get_params(deep=False)
        for name, value in params.items():
            part, nested, setting = name.partition("__")
            held = params.get(part, own.get(part))
            if nested and part in own and not hasattr(held, "set_params"):
                domain = f"a setting that {part!r} lets itself be given"
                remedy = nested_remedy(part, setting, held)
                raise ParameterError.of(name, type(self).__name__, domain, value, remedy)
        return super().set_params(**params)  # type: ignore[no-any-return]

    def save(self, path: str | PathLike[str], *, notes: dict[str, Any] | None = None) -> None:
        """Write the estimator to one file, which `linspike.load_model` reads.

        Parameters
        ----------
        path : str or path
            Where to; the old file stays until all is written.
        notes : dict, optional
            Anything that JSON can hold.
        """
        from linspike.estimators.persistence import save  # which knows all estimators, this one too

        save(self, path, {} if notes is None else notes)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "weights_")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags = input_tags(self.encoder)
        tags.target_tags.required = True
        return tags

    def _check_common(self, *, times: bool) -> None:
        """Parameters that every estimator has; times says whether they are to be learned."""
        owner = type(self).__name__
        rule = rule_of(self.rule, owner)
        if times and "times" not in rule.targets:
            raise ParameterError.of("rule", owner, "one that learns times, not counts alone", rule)
        if not isinstance(self.neuron, (SRM, type(None))):
            raise ParameterError.of("neuron", owner, "None or an SRM", self.neuron)
        if self.until is not None:
            how: dict[str, Any] = {"above": 0.0, "domain": "positive", "infinite": True}
            check_real(self.until, "until", owner, **how)
        check_integer(self.max_iter, "max_iter", owner, least=1)
        check_flag(self.warm_start, "warm_start", owner)
        if self.n_jobs is not None:
            check_integer(self.n_jobs, "n_jobs", owner, least=-1024)
            if self.n_jobs == 0:
                raise ParameterError.of("n_jobs", owner, "None or not 0", self.n_jobs)
        if not isinstance(self.verbose, (bool, np.bool_)):
            check_integer(self.verbose, "verbose", owner, least=0)

    @contextmanager
    def _all_or_nothing(self) -> Iterator[None]:
        """What was learned before stays if learning anew fails.

        Attributes are replaced in learning, never changed in place, so a shallow copy will do.
        """
        before = dict(vars(self))
        try:
            yield
        except BaseException:
            self.__dict__ = before
            raise

    def _values(self, X: Any, *, fitting: bool) -> Any:
        """X checked: patterns as they are, numbers as an array."""
        patterns = as_patterns(X)
        owner = type(self).__name__
        if not fitting:
            check_is_fitted(self)
        encoder = self.encoder if fitting else self.encoder_
        if patterns is None and not fitting and encoder is None:
            got = Words(type(X).__name__)
            raise ParameterError.of("X", owner, "a PatternSet, as in fit", got)
        if patterns is None:
            return checked_numbers(self, X, encoder, fitting=fitting)
        if fitting:
            refuse_encoder(encoder, owner)
            self.n_features_in_ = patterns.n_channels
            self.__dict__.pop("feature_names_in_", None)
        elif encoder is not None:
            raise ParameterError.of("X", owner, "numbers, as in fit", patterns)
        else:
            check_channels(patterns, self.n_features_in_, owner)
        return patterns

    def _fit_encoder(self, values: Any) -> PatternSet:
        """Patterns to learn from; the encoder learns its ranges here and nowhere else."""
        if isinstance(values, PatternSet):
            self.encoder_ = None
            return values
        self.encoder_ = new_encoder(self.encoder, type(self).__name__)
        self.encoder_.fit(values)
        return self._encoded(values)

    def _encoded(self, values: Any) -> PatternSet:
        if isinstance(values, PatternSet):
            return values
        owner = type(self).__name__
        return checked_patterns(self.encoder_.transform(values), len(values), owner)

    def _patterns(self, X: Any) -> PatternSet:
        """X as patterns, with what was learned in fit."""
        return self._encoded(self._values(X, fitting=False))

    def _threads(self) -> int:
        """Threads, by scikit-learn's reading of n_jobs; results do not depend on them."""
        return int(effective_n_jobs(self.n_jobs))

    def _trainer(self, **options: Any) -> Trainer:
        """One epoch of the rule as it is set now; the neuron stays the one of the first fit."""
        self.rule_ = rule_of(self.rule, type(self).__name__)
        return Trainer(self.neuron_, self.rule_, max_epochs=1, until=self.until, **options)

    def _new_seed(self) -> int:
        """Decides all that is left to chance, and is kept to go on in the same way."""
        return int(check_random_state(self.random_state).randint(MOST_SEED))

    def _start_layer(self, n_neurons: int, n_channels: int) -> None:
        """Neurons that have learned nothing yet."""
        self.neuron_ = SRM() if self.neuron is None else self.neuron
        self._keep(Layer.new(self._trainer(), n_neurons, n_channels, self.seed_))

    def _layer(self, **options: Any) -> Layer:
        """The neurons as they were left, to go on with."""
        return Layer(self._trainer(**options), self.weights_, self.seed_, self.n_iter_)

    def _keep(self, layer: Layer) -> None:
        self.weights_, self.n_iter_ = layer.weights, layer.epochs

    def _learn_epochs(
        self, layer: Layer, data: ChainData, most: int, after: Callable[[], Scores], enough: Enough
    ) -> None:
        """Epoch after epoch, until all is right, it is enough, or they are used up.

        What `after` says of each goes into the history. An interrupt leaves what was learned until
        the last whole epoch.
        """
        last = layer.epochs + most
        self.converged_ = False
        try:
            while layer.epochs < last and not self.converged_:
                before = layer.epochs
                self.converged_ = layer.learn_epoch(*data, self._threads())
                self._refuse_infinite(layer)
                self._keep(layer)
                if layer.epochs == before:
                    break  # all was right already
                scores = after()
                for name, score in scores.items():
                    self.history_[name] = np.append(self.history_[name], score)
                self._say(layer.epochs, last, scores)
                if enough(scores):
                    break
        except KeyboardInterrupt:
            warnings.warn(
                f"{type(self).__name__} was interrupted and keeps what it learned until its last "
                "whole epoch. Go on with warm_start=True.",
                ConvergenceWarning,
                stacklevel=4,
            )

    def _refuse_infinite(self, layer: Layer) -> None:
        if not np.isfinite(layer.weights).all():
            owner, domain = type(self).__name__, "one whose weights stay finite"
            remedy = "Make its steps smaller."
            raise ParameterError.of("rule", owner, domain, self.rule_, remedy)

    def _say(self, epoch: int, last: int, scores: dict[str, float]) -> None:
        if self.verbose:
            told = ", ".join(
                f"{name.replace('_', ' ')} {score:.3f}" for name, score in scores.items()
            )
            print(f"[{type(self).__name__}] epoch {epoch} of {last}: {told}")
