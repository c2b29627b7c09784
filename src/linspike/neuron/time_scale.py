"""Time scale of a neuron, which tolerances follow."""

USUAL_TAU_S = (1.0, 20.0)  # ms; where tolerances have their defaults


def scale_tolerance(tolerance: float, tau_s: float) -> float:
    """Return the tolerance of a usual neuron for one with this tau_s.

    It stays as it is for a tau_s from 1 to 20 ms. Outside it is in proportion to tau_s, without a
    jump at the ends.
    """
    low, high = USUAL_TAU_S
    return tolerance * (tau_s / min(max(tau_s, low), high))
