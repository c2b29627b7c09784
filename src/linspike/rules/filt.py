"""FILT: the difference of desired and actual spikes, seen through a filter."""

from __future__ import annotations

from dataclasses import dataclass

from linspike._validation import check_choice
from linspike.rules.toolkit.families import CorrelationRule


@dataclass(frozen=True)
class FILT(CorrelationRule):
    """Filtered-error rule: as `PSD`, with a window that also counts inputs just after a spike.

        Delta w = eta (sum_d Z(d) - sum_o Z(o))

    with Z_i(t) the sum over inputs t_i of kappa(t - t_i), the PSP filtered once more:
    Vn (Cm exp(-s/tau_m) - Cs exp(-s/tau_s)) for s > 0 and Vn (Cm - Cs) exp(s/tau) for s <= 0.

    Parameters
    ----------
    eta : float
        Step size.
    window : {"filt", "filt-gardner"}
        "filt" has the paper's Cm = tau_m/(tau_m + tau_s), Cs = tau_s/(tau_m + tau_s), tau = tau_m.
        "filt-gardner" has the original's, with a filter of tau = 10 ms in place of the other
        time constant.
    skip_below, momentum : float
        As for every `Rule`; the paper uses no momentum.

    References
    ----------
    B. Gardner and A. Gruening, Supervised learning in spiking neural networks for precise
    temporal encoding, PLoS ONE 11 (2016) e0161335.

    Notes
    -----
    Confidence: verified. Differs from the paper: the printed update adds both terms; actual
    spikes are subtracted here. Its window differs from the original's (see `window`).

    Examples
    --------
    >>> import linspike as ls
    >>> pattern = ls.Pattern([0.0, 10.0], [0, 1], n_channels=2, duration=40.0)
    >>> rule = ls.rules.FILT(eta=0.1, window="filt-gardner")
    >>> trainer = ls.Trainer(ls.SRM(), rule, max_epochs=500)
    >>> trainer.fit([0.5, 0.5], pattern, ls.SpikeTimes([[2.8, 12.8]]), seed=0).converged
    True
    """

    key = "filt"

    window: str = "filt"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice(self.window, "window", "FILT", ("filt", "filt-gardner"))
