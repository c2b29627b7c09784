"""Conversion of figure 9."""

from __future__ import annotations

from tools.conversion.accuracies import PROJECTION
from tools.conversion.common import Fields
from tools.conversion.table4 import cell_of as mnist_cell_of

# The network before learning, under the protocol of the paper.
NETWORK: Fields = {
    "tuning": False,
    "rule": "dta",
    "settings": {"bound": 0.3},
    "epochs": 0,
    "images": 0,
    "tests": 0,
    "held": 0,
    "patience": 0,
    "spikes": 10,
    "duration": 50.0,
    "horizon": 0.0,
    "activation": None,
    "tau_m": 20.0,
    "tau_s": 5.0,
    "target": "exact",
    "ties": "paper",
    "decay": 0.0,
    "average": False,
    "shown": None,
}


def cell_of(old: Fields) -> Fields:
    """Return the new cell of an old one."""
    whole = {**NETWORK, **old}
    row = {"quantity": old["row"]}
    if whole["shown"] is not None:
        row = {"method": PROJECTION, **row}
    return {**mnist_cell_of(whole), "row": row, "shown": whole["shown"]}


def label_of(old: str) -> str:
    """Return the new label of an old row."""
    return old
