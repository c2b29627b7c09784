"""Networks of spiking neurons with one hidden layer (experimental)."""

from linspike.network.layers import Layer
from linspike.network.network import Network, NetworkWeights

__all__ = ["Layer", "Network", "NetworkWeights"]
