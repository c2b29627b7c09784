"""A classifier with the settings that were found best on events."""

from __future__ import annotations

from typing import Any

from sklearn.pipeline import make_pipeline

from linspike._validation import check_integer, check_real
from linspike.encoders.addresses import DelayLines
from linspike.encoders.selection import ThinEvents
from linspike.errors import ParameterError
from linspike.estimators.classifier import SpikeClassifier
from linspike.neuron.srm import SRM
from linspike.rules.dta import DTA
from linspike.training.schedule import Inverse

FOLDS = 8
STRETCHES = 2.0  # tau_m, in stretches: the neuron sums over all of one
RATIO = 5.0  # of tau_m to tau_s
SPIKES = 3
POWER = 0.5
RATE = 0.3


def make_event_classifier(
    duration: float, *, folds: int = FOLDS, **changes: Any
) -> SpikeClassifier:
    """Return a classifier for recordings of events, not fitted yet.

    A recording is presented in `folds` stretches at once, each on channels of its own
    (`DelayLines`); of N spikes that a channel has in a stretch about the square root of N are kept
    (`ThinEvents`). The neuron's time constants follow from the length of a stretch, L: tau_m = 2 L
    and tau_s = 0.4 L, so that it sums over a whole stretch. Each neuron learns three spikes for
    its own class, along the gradient of the critical threshold, with steps that fall as
    1/(1 + 0.3 e) in epoch e; graded counts decide between equal ones.

    Parameters
    ----------
    duration : float
        Length of the recordings in milliseconds, such as ``patterns.durations.max()``.
    folds : int
        Number of stretches. More of them tell times apart more finely and need more samples.
    **changes
        Parameters of `SpikeClassifier` to set instead, such as ``spikes=5`` or ``random_state=0``.

    Returns
    -------
    SpikeClassifier
        Its encoder is a pipeline with the steps "delaylines" and "thinevents", so that a grid may
        have ``encoder__delaylines__folds``; the neuron stays what it was made for.

    Notes
    -----
    Decision record 35 compares these settings with others, on Braille letters and on events of a
    simulated camera.

    Examples
    --------
    >>> import numpy as np, linspike as ls
    >>> rng = np.random.default_rng(0)
    >>> early = ls.poisson_patterns(20, n_channels=5, duration=400.0, rate=0.05, rng=rng)
    >>> late = ls.poisson_patterns(20, n_channels=5, duration=800.0, rate=0.05, rng=rng)
    >>> patterns = ls.PatternSet.concatenate([early, late])
    >>> clf = ls.make_event_classifier(800.0, random_state=0)
    >>> clf.neuron
    SRM(tau_m=200.0, tau_s=40.0, threshold=1.0)
    >>> clf.fit(patterns, ["short"] * 20 + ["long"] * 20).predict(patterns[[0, 30]]).tolist()
    ['short', 'long']
    """
    owner = "make_event_classifier"
    length = check_real(duration, "duration", owner, above=0.0)
    count = check_integer(folds, "folds", owner, least=1)
    tau_m = STRETCHES * length / count
    settings: dict[str, Any] = {
        "encoder": make_pipeline(DelayLines(count, duration=length), ThinEvents(power=POWER)),
        "rule": DTA(count_target="gradient"),
        "spikes": SPIKES,
        "neuron": SRM(tau_m, tau_m / RATIO),
        "schedule": Inverse(RATE),
    }
    known = SpikeClassifier().get_params(deep=False)
    for name in changes:
        if name not in known:
            domain = f"parameters of SpikeClassifier: {', '.join(known)}"
            raise ParameterError.of("changes", owner, domain, name)
    return SpikeClassifier(**{**settings, **changes})
