"""The order of the gallery: from one neuron to classes, then what is done with a classifier."""

from __future__ import annotations

from pathlib import Path

ORDER = (
    "first_spikes",
    "learn_times",
    "map_trains",
    "classify_iris",
    "classify_spikes",
    "classify_events",
    "classify_mnist",
    "read_history",
    "choose_settings",
    "probabilities",
    "save_and_deploy",
    "deploy_check",
    "compare_rules",
    "compare_tables",
)


class GalleryOrder:
    """Sorts examples by their place in `ORDER`, new ones last."""

    def __init__(self, folder: str) -> None:
        pass

    def __call__(self, file: str) -> tuple[int, str]:
        """Return the key of a file."""
        name = Path(file).stem
        return (ORDER.index(name) if name in ORDER else len(ORDER)), name
