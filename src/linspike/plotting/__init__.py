"""Pictures of neurons, spikes and learning (needs the `report` extra)."""

from linspike.plotting.confusion import plot_confusion
from linspike.plotting.deployment import plot_deploy_check
from linspike.plotting.learning import plot_before_after, plot_learning
from linspike.plotting.potential import plot_potential
from linspike.plotting.raster import plot_raster
from linspike.plotting.weights import plot_weights

__all__ = [
    "plot_before_after",
    "plot_confusion",
    "plot_deploy_check",
    "plot_learning",
    "plot_potential",
    "plot_raster",
    "plot_weights",
]
