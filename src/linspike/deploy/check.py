"""Compare exact responses with those of a grid and of quantised weights."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from linspike._threads import thread_count
from linspike._validation import check_integer, describe_value
from linspike.deploy.classes import Accuracy, make_accuracy
from linspike.deploy.grid import simulate_grid
from linspike.deploy.quantise import LEAST_BITS, MOST_BITS, quantise
from linspike.deploy.report import DeployReport, DeployRow
from linspike.errors import ParameterError, SpikeDataError
from linspike.neuron.arguments import check_patterns, check_time_step
from linspike.neuron.responses import Responses
from linspike.spikes.pattern_set import PatternSet
from linspike.training.model import Model

OWNER = "deploy_check"
DTS = (1.0, 0.1, 0.01)


def deploy_check(
    model: Any,
    patterns: Any,
    *,
    labels: Any = None,
    dts: Sequence[float] = DTS,
    bits: Sequence[int] = (),
    threads: int | None = None,
) -> DeployReport:
    """Compare exact responses with those of a grid simulator and of quantised weights.

    The reference is the exact response with weights as they are. Every time step is combined with
    every size of weights: exact times and full weights are among them, their combination is the
    reference. `deploy.respond_on_grid` defines the grid, `deploy.quantise` the weights.

    Parameters
    ----------
    model : Model, SpikeClassifier or SpikeMapper
        What was learned; an estimator must be fitted.
    patterns : PatternSet
        The inputs. Those of an estimator pass its encoder, as in `predict`: numbers become spikes,
        and a transformer of spikes, such as `FirstEvents`, acts on the patterns. Where the encoder
        takes numbers, a PatternSet is what it returned.
    labels : array, optional
        The true class of each pattern, for accuracies. Of a classifier its labels, read by its
        code; of a `Model` numbers of neurons, of which the one with most spikes names the class.
        Counts are bare, without the grades that decide ties in `SpikeClassifier.predict`, and of
        equal counts the first wins: a grid has no grades. This holds for the reference too.
    dts : float or list of float
        Time steps in milliseconds, below tau_s.
    bits : int or list of int
        Sizes of weights, from 2 to 24.
    threads : int, optional
        Number of threads; one per core unless given.

    Returns
    -------
    DeployReport
        Rows with count_changed, median_error, max_error and accuracy; print it for a table.

    Examples
    --------
    >>> import linspike as ls
    >>> pattern = ls.Pattern([1.0, 2.0, 4.0], [0, 1, 0], n_channels=2, duration=50.0)
    >>> patterns = ls.PatternSet.from_patterns([pattern])
    >>> model = ls.Model(ls.SRM(), [[0.8, 0.6]])
    >>> print(ls.deploy_check(model, patterns, dts=[1.0, 0.1], bits=[4]))
    dt (ms)  bits  changed  median (ms)  max (ms)
      exact  full    0.0 %            0         0
          1  full    0.0 %         1.13      1.64
        0.1  full    0.0 %        0.027    0.0359
      exact     4    0.0 %       0.0837     0.129
          1     4    0.0 %         1.13      1.64
        0.1     4    0.0 %        0.077     0.136
    """
    plain, until = _as_model(model)
    inputs = _as_patterns(model, plain, patterns)
    tau_s = plain.neuron.tau_s
    steps = [check_time_step(dt, tau_s, "dts", OWNER) for dt in _listed(dts, "dts")]
    sizes = [_check_bits(size) for size in _listed(bits, "bits")]
    if not steps and not sizes:
        raise ParameterError.of("dts", OWNER, "one time step at least if bits is empty", dts)
    accuracy = make_accuracy(model, plain, inputs, labels)
    count = thread_count(threads, OWNER)
    reference = plain.respond(inputs, until=until, threads=count)
    rows = []
    for size, step in itertools.product((None, *sizes), (None, *steps)):
        if size is None and step is None:
            continue
        weights = plain.weights if size is None else quantise(plain.weights, size).weights
        found = _respond(replace(plain, weights=weights), inputs, step, until, count)
        rows.append(_compare(step, size, found, reference, accuracy))
    first = _compare(None, None, reference, reference, accuracy)
    n_neurons, n_patterns = reference.shape
    return DeployReport(first, tuple(rows), n_patterns, n_neurons, int(reference.counts.sum()))


def _as_model(model: Any) -> tuple[Model, float | None]:
    """Return neuron and weights, and the horizon of an estimator."""
    if isinstance(model, Model):  # needs no scikit-learn
        return model, None
    from linspike.estimators.as_model import as_model

    return as_model(model, OWNER), getattr(model, "until", None)


def _as_patterns(model: Any, plain: Model, patterns: Any) -> PatternSet:
    """Return the inputs as spikes over the channels of the weights."""
    if isinstance(model, Model):
        inputs = check_patterns(patterns, OWNER)
    elif isinstance(patterns, PatternSet) and not _transforms_spikes(model):
        inputs = patterns
    else:
        inputs = model._patterns(patterns)
    n_channels = plain.weights.shape[1]
    if inputs.n_channels != n_channels:
        raise SpikeDataError(
            f"{OWNER} needs patterns over the {n_channels} channels that the model learned. "
            f"Got {inputs.n_channels} instead."
        )
    return inputs


def _transforms_spikes(model: Any) -> bool:
    """Return whether spikes pass an encoder of the estimator, as they do in `predict`."""
    from linspike.encoders.spike_transformer import takes_spikes

    return model.encoder_ is not None and takes_spikes(model.encoder_)


def _listed(values: Any, name: str) -> list[Any]:
    """Return a number or several as a list."""
    try:
        ndim = np.ndim(values)
    except ValueError:  # lists of different lengths
        ndim = 2
    if ndim > 1 or isinstance(values, (str, bytes, dict)):
        got = describe_value(values)
        raise ParameterError.of(name, OWNER, "a number or a list of numbers", got)
    return [values] if ndim == 0 else list(values)


def _check_bits(size: Any) -> int:
    return check_integer(size, "bits", OWNER, least=LEAST_BITS, most=MOST_BITS)


def _respond(
    model: Model, patterns: PatternSet, step: float | None, until: float | None, threads: int
) -> Responses:
    if step is None:
        return model.respond(patterns, until=until, threads=threads)
    how = (step, until, threads, OWNER, "dts")
    return simulate_grid(model.neuron, model.weights, patterns, *how, delays=model.delays)


def _compare(
    step: float | None,
    size: int | None,
    found: Responses,
    reference: Responses,
    accuracy: Accuracy,
) -> DeployRow:
    """Return the row of one variant; spikes are paired in order where the counts agree."""
    same = found.counts == reference.counts
    times = [
        responses.times[np.repeat(same.ravel(), responses.counts.ravel())]
        for responses in (found, reference)
    ]
    errors = np.abs(times[0] - times[1])
    return DeployRow(
        step,
        size,
        float((~same).any(axis=0).mean()),
        float(np.median(errors)) if errors.size else math.nan,
        float(errors.max()) if errors.size else math.nan,
        accuracy(found),
    )
