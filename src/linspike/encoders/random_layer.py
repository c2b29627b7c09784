"""A layer of neurons with random weights, whose spikes are the input of what comes after it."""

from __future__ import annotations

from typing import Any, final

import numpy as np
from sklearn.utils import check_random_state

from linspike._typing import Floats
from linspike._validation import check_integer, check_real
from linspike.encoders.spike_transformer import SpikeTransformer
from linspike.errors import ParameterError, SpikeDataError
from linspike.network.calibration import MOST_RATE, calibrate
from linspike.network.layers import make_patterns
from linspike.neuron.srm import SRM
from linspike.spikes.pattern_set import PatternSet


@final
class RandomLayer(SpikeTransformer):
    """Let neurons with random weights respond, and return their spikes as patterns.

    Weights are normal and stay as they are; `fit` scales those of each neuron so that it has `rate`
    spikes per pattern, in the mean over the patterns of fit. A neuron that learns behind the layer
    has `n_neurons` channels in place of those of the data, and so can learn more spikes. That is
    all it brings: where few channels are not what limits learning, as in the tables of numbers
    tried so far, it does not help (see the guide on layers).

    Parameters
    ----------
    n_neurons : int
        Number of neurons, and of channels after the layer.
    rate : float
        Mean number of spikes of each neuron in a pattern, in (0, 1000].
    random_state : int, RandomState or None
        Decides the weights.
    neuron : SRM, optional
        The neurons; `SRM()` unless given.

    Attributes
    ----------
    weights_ : array of float, (n_neurons, channels)
        Weights in use, as for `SRM.respond_many`.
    neuron_ : SRM
        The neurons in use.
    n_features_in_ : int
        Number of channels before the layer.

    Examples
    --------
    >>> import linspike as ls
    >>> patterns = ls.poisson_patterns(20, n_channels=10, duration=100.0, rate=0.02, rng=0)
    >>> spikes = ls.RandomLayer(40, random_state=0).fit_transform(patterns)
    >>> spikes.n_channels, spikes.times.size / (20 * 40)
    (40, 3.0)
    """

    weights_: Floats
    neuron_: SRM

    def __init__(
        self,
        n_neurons: int,
        rate: float = 3.0,
        random_state: Any = None,
        *,
        neuron: SRM | None = None,
    ) -> None:
        self.n_neurons = n_neurons
        self.rate = rate
        self.random_state = random_state
        self.neuron = neuron

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Return the names of the channels: neuron0, neuron1, ...

        Parameters
        ----------
        input_features : list of str, optional
            Names of the channels before the layer; they are checked, but every neuron has all.
        """
        super().get_feature_names_out(input_features)
        return np.array([f"neuron{i}" for i in range(len(self.weights_))], dtype=object)

    def _check_parameters(self) -> None:
        owner = "RandomLayer"
        check_integer(self.n_neurons, "n_neurons", owner, least=1)
        domain = f"in (0, {MOST_RATE:g}]"
        most = float(np.nextafter(MOST_RATE, np.inf))
        check_real(self.rate, "rate", owner, above=0.0, below=most, domain=domain)
        if self.neuron is not None and not isinstance(self.neuron, SRM):
            raise ParameterError.of("neuron", owner, "an SRM or None", self.neuron)

    def _learn(self, patterns: PatternSet) -> None:
        least = 1.0 / len(patterns)
        if self.rate < least:
            domain = f"at least {least:g}, one spike over the {len(patterns)} patterns of fit"
            raise ParameterError.of("rate", "RandomLayer", domain, self.rate)
        if not patterns.times.size:
            raise SpikeDataError(
                "RandomLayer.fit needs input spikes, but its patterns have none: no weights make "
                "its neurons fire."
            )
        self.neuron_ = self.neuron or SRM()
        rng = check_random_state(self.random_state)
        weights = rng.normal(size=(self.n_neurons, patterns.n_channels))
        self.weights_ = calibrate(self.neuron_, weights, patterns, self.rate, "RandomLayer.fit")

    def _change(self, patterns: PatternSet) -> PatternSet:
        return make_patterns(self.neuron_.respond_many(self.weights_, patterns), patterns)
