"""Pictures of neurons, spikes and learning (needs the `report` extra)."""

from linspike.plotting.learning import plot_before_after, plot_learning
from linspike.plotting.responses import plot_potential, plot_raster

__all__ = ["plot_before_after", "plot_learning", "plot_potential", "plot_raster"]
