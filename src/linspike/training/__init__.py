"""Training: the trainer, its schedules, results and saved models."""

from linspike.training.initial import driven_weights, initial_weights
from linspike.training.model import Model, load_model
from linspike.training.result import Ending, EpochEnd, FitResult, History
from linspike.training.schedule import Inverse, Linear
from linspike.training.trainer import Trainer

__all__ = [
    "Ending",
    "EpochEnd",
    "FitResult",
    "History",
    "Inverse",
    "Linear",
    "Model",
    "Trainer",
    "driven_weights",
    "initial_weights",
    "load_model",
]
