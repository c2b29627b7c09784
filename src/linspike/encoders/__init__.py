"""Encoders: numbers, activations, rasters and other spikes as patterns (scikit-learn API)."""

from linspike.encoders.addresses import DelayLines, PoolEvents
from linspike.encoders.latency import LatencyEncoder
from linspike.encoders.population import PopulationEncoder
from linspike.encoders.random_layer import RandomLayer
from linspike.encoders.raster import RasterEncoder
from linspike.encoders.selection import FirstEvents, ThinEvents

__all__ = [
    "DelayLines",
    "FirstEvents",
    "LatencyEncoder",
    "PoolEvents",
    "PopulationEncoder",
    "RandomLayer",
    "RasterEncoder",
    "ThinEvents",
]
