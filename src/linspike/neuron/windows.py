"""Learning windows kappa(s): how strongly an input that came s before a time counts there."""

from __future__ import annotations

from linspike.errors import ParameterError
from linspike.kernels.rows.windows import Window

WINDOWS = ("psp", "stdp", "filt", "filt-gardner")
GARDNER_TAU = 10.0  # filter time constant of Gardner & Gruening's rule


def window_of(name: str, tau_m: float, tau_s: float, v_norm: float, owner: str) -> Window:
    """Return the coefficients of a window.

    psp is the neuron's own kernel, stdp a plain exponential. filt also counts inputs after the
    time, with the paper's coefficients; filt-gardner has those of Gardner & Gruening (2016).
    """
    if name == "psp":
        return Window(v_norm, -v_norm, 0.0, 0.0)
    if name == "stdp":
        return Window(1.0, 0.0, 0.0, 0.0)
    if name == "filt":
        c_m, c_s, tau_after = tau_m / (tau_m + tau_s), tau_s / (tau_m + tau_s), tau_m
    elif name == "filt-gardner":
        tau_after = GARDNER_TAU
        c_m, c_s = tau_m / (tau_m + tau_after), tau_s / (tau_s + tau_after)
    else:
        raise ParameterError.of("window", owner, f"one of {WINDOWS}", name)
    return Window(v_norm * c_m, -v_norm * c_s, v_norm * (c_m - c_s), 1.0 / tau_after)
