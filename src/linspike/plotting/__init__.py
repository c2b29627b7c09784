"""Pictures of neurons, spikes and learning (needs the `report` extra)."""

from linspike.reports.learning import plot_before_after, plot_learning
from linspike.reports.pictures import plot_potential, plot_raster

__all__ = ["plot_before_after", "plot_learning", "plot_potential", "plot_raster"]
