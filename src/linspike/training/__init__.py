"""The epoch loop, stopping, history, saved models."""

from linspike.training.model import Model, load_model
from linspike.training.result import FitResult, History
from linspike.training.trainer import Trainer

__all__ = ["FitResult", "History", "Model", "Trainer", "load_model"]
