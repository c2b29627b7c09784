"""ReSuMe: remote supervision, the difference of two STDP processes."""

from __future__ import annotations

from dataclasses import dataclass

from linspike.rules.toolkit.families import CorrelationRule


@dataclass(frozen=True)
class ReSuMe(CorrelationRule):
    """Remote supervised method: STDP at desired times, anti-STDP at actual ones.

        Delta w_i = eta (sum_d S_i(d) - sum_o S_i(o))

    with S_i(t) the sum over inputs t_i <= t of exp(-(t - t_i)/tau_m).

    Parameters
    ----------
    eta : float
        Step size.
    skip_below, momentum : float
        As for every `Rule`; the paper uses no momentum.

    References
    ----------
    F. Ponulak and A. Kasinski, Supervised learning in spiking neural networks with ReSuMe,
    Neural Computation 22 (2010) 467-510.

    Notes
    -----
    Confidence: verified. The original's non-Hebbian term, which moves all weights alike, is 0 as
    in the paper. Differs from the paper: the printed update adds both terms; actual spikes are
    subtracted here.

    Examples
    --------
    >>> import linspike as ls
    >>> pattern = ls.Pattern([0.0, 10.0], [0, 1], n_channels=2, duration=40.0)
    >>> trainer = ls.Trainer(ls.SRM(), ls.rules.ReSuMe(eta=0.05), max_epochs=500)
    >>> trainer.fit([0.5, 0.5], pattern, ls.SpikeTimes([[2.8, 12.8]]), seed=0).converged
    True
    """

    key = "resume"
    window = "stdp"
