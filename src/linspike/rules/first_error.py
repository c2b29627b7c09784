"""First error: only the earliest wrong or missing spike is corrected."""

from __future__ import annotations

from dataclasses import dataclass

from linspike._typing import Floats
from linspike.kernels.training.protocol import StepInput, StepWorkspace
from linspike.kernels.training.signatures import borrowing_step
from linspike.kernels.training.updates import correct_first_error
from linspike.rules.toolkit.families import ToleranceRule, unpack_tolerance


@borrowing_step
def first_error_step(
    s: StepInput, parameters: Floats, weights: Floats, change: Floats, work: StepWorkspace
) -> int:
    """One row, at the earliest spike that has no partner."""
    options = unpack_tolerance(parameters)
    return correct_first_error(s, options.eta, options.tolerance, False, change)


@dataclass(frozen=True)
class FirstError(ToleranceRule):
    """Only the earliest violation of a trial is corrected, by the PSP at its time.

        Delta w = + eta X(d)   if the earliest spike without a partner is a desired one
        Delta w = - eta X(o)   if it is an actual one

    The rule on which the paper shows what interference between spikes is.

    Parameters
    ----------
    eta : float
        Step size.
    tolerance : float
        Spikes so many milliseconds apart are partners. A response without errors that is still
        asked for a step is looked at with ever smaller ones.
    skip_below, momentum : float
        As for every `Rule`; the paper uses no momentum.

    References
    ----------
    H. L. Nguyen and D. Chu, Linear Constraints Learning for Spiking Neurons, arXiv 2103.12564,
    section 2.3.

    Notes
    -----
    Confidence: verified. Differs from the paper: the tolerance, which the paper does not state,
    and its refinement, without which the rule stalls above the paper's criterion.

    Examples
    --------
    >>> import linspike as ls
    >>> pattern = ls.Pattern([0.0, 10.0], [0, 1], n_channels=2, duration=40.0)
    >>> trainer = ls.Trainer(ls.SRM(), ls.rules.FirstError(eta=0.01), max_epochs=2000)
    >>> trainer.fit([0.5, 0.5], pattern, ls.SpikeTimes([[2.8, 12.8]]), seed=0).converged
    True
    """

    key = "first_error"
    compiled_step = staticmethod(first_error_step)
