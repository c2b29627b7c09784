"""FP: finite precision learning, one update at the first error of a trial."""

from __future__ import annotations

from dataclasses import dataclass

from linspike._typing import Floats
from linspike.kernels.training.protocol import StepInput, StepWorkspace
from linspike.kernels.training.signatures import borrowing_step
from linspike.kernels.training.updates import correct_first_error
from linspike.rules.toolkit.families import ToleranceRule, unpack_tolerance


@borrowing_step
def fp_step(
    s: StepInput, parameters: Floats, weights: Floats, change: Floats, work: StepWorkspace
) -> int:
    """One row, at the moment the trial has failed."""
    options = unpack_tolerance(parameters)
    return correct_first_error(s, options.eta, options.tolerance, True, change)


@dataclass(frozen=True)
class FP(ToleranceRule):
    """Finite precision rule: each desired spike has a window, the first breach of a trial decides.

        Delta w = - eta X(o)               a spike outside all windows, or a second one in one
        Delta w = + eta X(d + tolerance)   a window that ends without a spike (or the horizon)

    One update a trial, at the moment at which the trial has failed.

    Parameters
    ----------
    eta : float
        Step size.
    tolerance : float
        Half-width of the windows, in milliseconds. A response that keeps to them all but is
        still asked for a step is looked at with ever narrower ones.
    skip_below, momentum : float
        As for every `Rule`; the paper uses no momentum.

    References
    ----------
    R.-M. Memmesheimer, R. Rubin, B. P. Oelveczky and H. Sompolinsky, Learning precisely timed
    spikes, Neuron 82 (2014) 925-938.

    Notes
    -----
    Confidence: reconstructed from the description of the rule (docs/adr/0011). The windows are
    refined because several spikes at the edge of theirs would not meet the paper's criterion.
    Differs from the paper: it is not among the rules the paper measures.

    Examples
    --------
    >>> import linspike as ls
    >>> pattern = ls.Pattern([0.0, 10.0], [0, 1], n_channels=2, duration=40.0)
    >>> trainer = ls.Trainer(ls.SRM(), ls.rules.FP(eta=0.01, tolerance=0.5), max_epochs=2000)
    >>> trainer.fit([0.5, 0.5], pattern, ls.SpikeTimes([[2.8, 12.8]]), seed=0).converged
    True
    """

    key = "fp"
    compiled_step = staticmethod(fp_step)
