"""Encoders: numbers, activations and rasters as spike patterns (scikit-learn API)."""

from linspike.encoders.latency import LatencyEncoder
from linspike.encoders.population import PopulationEncoder
from linspike.encoders.raster import RasterEncoder

__all__ = ["LatencyEncoder", "PopulationEncoder", "RasterEncoder"]
