"""Tools for capacity studies: experiments, runner, store, tasks, tuning and analysis."""

from linspike.study.tasks import Task, decoding, encoding
from linspike.study.tuning import Grid, Setting, Sweep, grid_of, tune

__all__ = ["Grid", "Setting", "Sweep", "Task", "decoding", "encoding", "grid_of", "tune"]
