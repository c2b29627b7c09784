"""Networks of one hidden layer, and their weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from linspike._typing import Floats
from linspike._validation import check_float_array, check_real, describe_value
from linspike.errors import ParameterError, SpikeDataError, Words
from linspike.network.calibration import MOST_RATE
from linspike.network.layers import Layer, calibrate_layer, make_patterns, respond_layer
from linspike.neuron.arguments import check_patterns
from linspike.neuron.responses import Responses
from linspike.spikes.frozen import read_only
from linspike.spikes.generators import check_generator
from linspike.spikes.pattern import Pattern
from linspike.spikes.pattern_set import PatternSet

OUT_SHARE = 0.01  # mean and deviation of initial output weights, in thresholds


@dataclass(frozen=True, eq=False)
class NetworkWeights:
    """Weights of a network. Experimental, as `Network`.

    Parameters
    ----------
    hidden : array of float, (hidden neurons, channels)
        Weights of the hidden layer.
    out : array of float, (output neurons, hidden neurons)
        Weights of the output layer.
    """

    hidden: Any
    out: Any

    def __post_init__(self) -> None:
        for name in ("hidden", "out"):
            array = check_float_array(getattr(self, name), name, "NetworkWeights", 2)
            if not np.isfinite(array).all():
                raise ParameterError.of(name, "NetworkWeights", "finite", Words("inf or nan"))
            object.__setattr__(self, name, read_only(array))

    def __repr__(self) -> str:
        shapes = " -> ".join(map(str, (*self.hidden.shape[::-1], len(self.out))))
        return f"NetworkWeights({shapes})"

    def flat(self) -> Floats:
        """Return all weights in one new array, the hidden layer's first."""
        return np.concatenate([self.hidden.ravel(), self.out.ravel()])


@dataclass(frozen=True, eq=False)
class Network:
    """A hidden layer and an output layer of spiking neurons. Experimental: its names may change.

    Like `SRM` it holds no weights. `Trainer(network)` teaches its output neurons desired spike
    times by changing both layers, see `linspike.rules.JointDTA`.

    Parameters
    ----------
    layers : list of two Layer
        The hidden layer and the output layer.

    Examples
    --------
    >>> import numpy as np, linspike as ls
    >>> patterns = ls.poisson_patterns(4, n_channels=20, duration=100.0, rate=0.02, rng=0)
    >>> desired = ls.SpikeTimes([[30.0, 70.0], [50.0], [40.0, 80.0], [60.0]])
    >>> network = ls.Network([ls.Layer(20), ls.Layer(1)])
    >>> weights = network.initial_weights(patterns, np.random.default_rng(1))
    >>> trainer = ls.Trainer(network, max_epochs=200, criterion="strict")
    >>> result = trainer.fit(weights, patterns, desired)
    >>> result.converged, network.respond(result.weights, patterns).counts
    (True, array([[2, 1, 2, 1]]))
    """

    layers: Sequence[Layer]

    def __post_init__(self) -> None:
        layers = self.layers
        listed = isinstance(layers, (list, tuple)) and len(layers) == 2
        if not listed or not all(isinstance(layer, Layer) for layer in layers):
            domain = "a list of two Layer, the hidden one and that of the outputs"
            raise ParameterError.of("layers", "Network", domain, layers)
        object.__setattr__(self, "layers", tuple(layers))
        late, n_hidden = self.out.delays, self.hidden.n_neurons
        if late is not None and late.shape[1] != n_hidden:
            domain = f"a list in which the output layer has delays of {n_hidden} hidden neurons"
            raise ParameterError.of("layers", "Network", domain, Words(f"{late.shape[1]}"))

    @property
    def hidden(self) -> Layer:
        """The hidden layer."""
        return self.layers[0]

    @property
    def out(self) -> Layer:
        """The output layer."""
        return self.layers[1]

    def initial_weights(
        self, patterns: PatternSet, rng: Any = None, *, rate: float = 3.0
    ) -> NetworkWeights:
        """Return random weights with which hidden neurons have `rate` spikes per pattern.

        Those of the hidden layer are scaled as by `RandomLayer`; those of the outputs are small.

        Parameters
        ----------
        patterns : PatternSet
            The inputs.
        rng : numpy.random.Generator or int, optional
            Where they are drawn from: a generator or its seed; another each time unless given.
        rate : float
            Mean number of spikes of a hidden neuron in a pattern.
        """
        owner = "initial_weights"
        self.check_channels(check_patterns(patterns, owner), owner)
        least, above = 1.0 / len(patterns), float(np.nextafter(MOST_RATE, np.inf))
        domain = f"from {least:g}, one spike over all patterns, to {MOST_RATE:g}"
        check_real(rate, "rate", owner, least=least, below=above, domain=domain)
        rng = np.random.default_rng() if rng is None else check_generator(rng, owner)
        hidden = rng.normal(size=(self.hidden.n_neurons, patterns.n_channels))
        unit = OUT_SHARE * self.out.neuron.threshold
        out = rng.normal(unit, unit, (self.out.n_neurons, self.hidden.n_neurons))
        return NetworkWeights(calibrate_layer(self.hidden, hidden, patterns, rate, owner), out)

    def respond(self, weights: NetworkWeights, patterns: PatternSet | Pattern) -> Responses:
        """Return the exact spike times of the output neurons, (neurons, patterns).

        Parameters
        ----------
        weights : NetworkWeights
            Weights of both layers.
        patterns : PatternSet or Pattern
            The inputs.
        """
        hidden = self.hidden_patterns(weights, patterns)
        return respond_layer(self.out, np.array(weights.out), hidden)

    def hidden_patterns(
        self, weights: NetworkWeights, patterns: PatternSet | Pattern
    ) -> PatternSet:
        """Return the spikes of the hidden layer as patterns, with a channel per hidden neuron.

        Parameters
        ----------
        weights, patterns
            As for `respond`.
        """
        owner = "respond"
        if isinstance(patterns, Pattern):
            patterns = PatternSet.from_patterns([patterns])
        self.check_weights(weights, check_patterns(patterns, owner), owner)
        responses = respond_layer(self.hidden, np.array(weights.hidden), patterns)
        return make_patterns(responses, patterns)

    def check_weights(self, weights: Any, patterns: PatternSet, owner: str) -> NetworkWeights:
        """Return the weights, or raise if they do not fit the layers and the patterns."""
        if not isinstance(weights, NetworkWeights):
            remedy = "network.initial_weights(patterns, rng) makes some."
            got = describe_value(weights)
            raise ParameterError.of("weights", owner, "NetworkWeights", got, remedy)
        self.check_channels(patterns, owner)
        n_hidden, n_out = self.hidden.n_neurons, self.out.n_neurons
        shapes = (n_hidden, patterns.n_channels), (n_out, n_hidden)
        found = weights.hidden.shape, weights.out.shape
        if found != shapes:
            raise ParameterError.of(
                "weights",
                owner,
                f"of shapes {shapes[0]} and {shapes[1]} for these layers and patterns",
                Words(f"{found[0]} and {found[1]}"),
            )
        return weights

    def check_channels(self, patterns: PatternSet, owner: str) -> None:
        """Refuse patterns for which the hidden layer has no delays."""
        late = self.hidden.delays
        if late is not None and late.shape[1] != patterns.n_channels:
            raise SpikeDataError(
                f"The 'patterns' parameter of {owner} must have {late.shape[1]} channels, as the "
                f"delays of the hidden layer. Got {patterns.n_channels} instead."
            )
