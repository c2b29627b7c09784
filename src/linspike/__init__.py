"""Exact multi-spike learning for spiking neurons, by linear constraints."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    __version__: str
    from linspike.encoders import LatencyEncoder, PopulationEncoder, RasterEncoder
    from linspike.errors import (
        FileFormatError,
        LinspikeError,
        MissingExtraError,
        ParameterError,
        RunawayWarning,
        SpikeDataError,
    )
    from linspike.estimators import SpikeClassifier, SpikeMapper, load_model
    from linspike.neuron import SRM, CriticalThreshold, Responses, graded_counts
    from linspike.plotting import (
        plot_before_after,
        plot_learning,
        plot_potential,
        plot_raster,
    )
    from linspike.rules import Rule, rule_step
    from linspike.rules.dta import DTA
    from linspike.spikes import (
        Alignment,
        Pattern,
        PatternSet,
        SpikeCounts,
        SpikeMatch,
        SpikeTimes,
        SpikeTrain,
        jitter,
        match_spikes,
        poisson_patterns,
        poisson_trains,
        van_rossum,
        victor_purpura,
        vrd_bound,
    )
    from linspike.training import FitResult, History, Model, Trainer

_HOME = {
    "spikes": (
        "Pattern",
        "PatternSet",
        "SpikeTrain",
        "SpikeTimes",
        "SpikeCounts",
        "poisson_patterns",
        "poisson_trains",
        "jitter",
        "van_rossum",
        "vrd_bound",
        "match_spikes",
        "SpikeMatch",
        "victor_purpura",
        "Alignment",
    ),
    "neuron": ("SRM", "Responses", "CriticalThreshold", "graded_counts"),
    "rules": ("DTA", "Rule", "rule_step"),
    "encoders": ("PopulationEncoder", "LatencyEncoder", "RasterEncoder"),
    "estimators": ("SpikeClassifier", "SpikeMapper", "load_model"),
    "training": ("Trainer", "FitResult", "History", "Model"),
    "plotting": ("plot_potential", "plot_raster", "plot_learning", "plot_before_after"),
    "errors": (
        "LinspikeError",
        "ParameterError",
        "SpikeDataError",
        "FileFormatError",
        "MissingExtraError",
        "RunawayWarning",
    ),
}
_MODULE_OF = {name: module for module, names in _HOME.items() for name in names}

__all__ = [  # in the order of the flow
    "Pattern",
    "PatternSet",
    "SpikeTrain",
    "SpikeTimes",
    "SpikeCounts",
    "poisson_patterns",
    "poisson_trains",
    "jitter",
    "van_rossum",
    "vrd_bound",
    "match_spikes",
    "SpikeMatch",
    "victor_purpura",
    "Alignment",
    "SRM",
    "Responses",
    "CriticalThreshold",
    "graded_counts",
    "Rule",
    "rule_step",
    "DTA",
    "Trainer",
    "FitResult",
    "History",
    "Model",
    "PopulationEncoder",
    "LatencyEncoder",
    "RasterEncoder",
    "SpikeClassifier",
    "SpikeMapper",
    "load_model",
    "plot_potential",
    "plot_raster",
    "plot_learning",
    "plot_before_after",
    "LinspikeError",
    "ParameterError",
    "SpikeDataError",
    "FileFormatError",
    "MissingExtraError",
    "RunawayWarning",
    "__version__",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        globals()[name] = version("linspike")
        return globals()[name]
    if name in ("rules", "constraints", "study", "training"):  # modules one may want to look into
        return import_module(f"linspike.{name}")
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'linspike' has no attribute '{name}'")
    value = getattr(import_module(f"linspike.{_MODULE_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
