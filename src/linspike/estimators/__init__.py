"""Estimators: classifier and mapper with the scikit-learn API."""

from linspike.estimators.classifier import SpikeClassifier
from linspike.estimators.event_classifier import make_event_classifier
from linspike.estimators.mapper import SpikeMapper
from linspike.estimators.monitor import EpochScores
from linspike.estimators.persistence import load_model

__all__ = [
    "EpochScores",
    "SpikeClassifier",
    "SpikeMapper",
    "load_model",
    "make_event_classifier",
]
