"""The neuron: parameters and what follows from them; it holds no weights."""

from linspike.neuron.responses import Responses
from linspike.neuron.srm import SRM, CriticalThreshold

__all__ = ["SRM", "CriticalThreshold", "Responses"]
