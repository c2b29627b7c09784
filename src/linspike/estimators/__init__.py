"""Spiking neurons for real data, as scikit-learn knows transformers and estimators."""

from linspike.estimators.encoders import LatencyEncoder, PopulationEncoder, RasterEncoder

__all__ = ["LatencyEncoder", "PopulationEncoder", "RasterEncoder"]
