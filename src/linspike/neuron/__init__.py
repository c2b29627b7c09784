"""The neuron: parameters and what follows from them; it holds no weights."""

from linspike.neuron.critical_threshold import CriticalThreshold
from linspike.neuron.graded import graded_counts
from linspike.neuron.responses import Responses
from linspike.neuron.srm import SRM

__all__ = ["SRM", "CriticalThreshold", "Responses", "graded_counts"]
