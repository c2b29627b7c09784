"""Synthetic tasks, tuning, and the paper's tables and figures."""

from linspike.study.tasks import Task, decoding, encoding
from linspike.study.tuning import Grid, Setting, Sweep, grid_of, tune

__all__ = ["Grid", "Setting", "Sweep", "Task", "decoding", "encoding", "grid_of", "tune"]
