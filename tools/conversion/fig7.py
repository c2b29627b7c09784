"""Figure 7."""

from tools.conversion.capacity import fields_of
from tools.conversion.common import Fields, key


def cell_of(old: Fields) -> Fields:
    """Return the new cell of an old one."""
    neuron = {name: old[name] for name in ("tau_m", "tau_s", "rate")}
    return {**fields_of(old), **neuron, "row": key(scenario=old["row"])}


def label_of(old: str) -> str:
    """Return the new label of an old row."""
    return old
