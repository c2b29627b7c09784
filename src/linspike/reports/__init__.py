"""Pictures of neurons and spikes (needs the `report` extra)."""

from linspike.reports.pictures import plot_potential, plot_raster

__all__ = ["plot_potential", "plot_raster"]
