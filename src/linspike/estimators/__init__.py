"""Classifier and mapper with the scikit-learn API."""

from linspike.estimators.classifier import SpikeClassifier
from linspike.estimators.mapper import SpikeMapper
from linspike.estimators.persistence import load_model

__all__ = ["SpikeClassifier", "SpikeMapper", "load_model"]
