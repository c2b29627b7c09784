"""PSD: precise-spike-driven plasticity, the plain difference of PSP rows."""

from __future__ import annotations

from dataclasses import dataclass

from linspike.rules.toolkit.families import CorrelationRule


@dataclass(frozen=True)
class PSD(CorrelationRule):
    """Precise-spike-driven rule: desired times pull, actual spikes push, by the PSP at that time.

        Delta w = eta (sum_d X(d) - sum_o X(o))

    with X_i(t) the sum of PSPs of channel i. It is also Gardner & Gruening's INST rule.

    Parameters
    ----------
    eta : float
        Step size.
    skip_below, momentum : float
        As for every `Rule`; the paper uses no momentum.

    References
    ----------
    Q. Yu, H. Tang, K. C. Tan and H. Li, Precise-spike-driven synaptic plasticity: learning
    hetero-association of spatiotemporal spike patterns, PLoS ONE 8 (2013) e78318.

    Notes
    -----
    Confidence: verified. Differs from the paper: the printed update adds both terms; actual
    spikes are subtracted here, as they must be. While the PSP rises, a spike that comes too late
    meets a larger one than the desired time does: with very few inputs the rule then pushes the
    wrong way (docs/adr/0012).

    Examples
    --------
    >>> import linspike as ls
    >>> pattern = ls.Pattern([0.0, 10.0], [0, 1], n_channels=2, duration=40.0)
    >>> trainer = ls.Trainer(ls.SRM(), ls.rules.PSD(eta=0.1), max_epochs=500)
    >>> trainer.fit([0.5, 0.5], pattern, ls.SpikeTimes([[2.8, 12.8]]), seed=0).converged
    True
    """

    key = "psd"
