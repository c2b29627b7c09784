"""Spiking neurons for real data, as scikit-learn knows transformers and estimators."""

from linspike.estimators.classifier import SpikeClassifier
from linspike.estimators.latency import LatencyEncoder
from linspike.estimators.mapper import SpikeMapper
from linspike.estimators.population import PopulationEncoder
from linspike.estimators.raster import RasterEncoder
from linspike.estimators.saved import load_model

__all__ = [
    "LatencyEncoder",
    "PopulationEncoder",
    "RasterEncoder",
    "SpikeClassifier",
    "SpikeMapper",
    "load_model",
]
