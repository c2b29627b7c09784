"""Saved models: one npz file without pickle."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from importlib import metadata
from os import PathLike
from typing import Any

import numpy as np

from linspike import _files
from linspike._typing import Floats
from linspike._validation import check_float_array
from linspike.errors import FileFormatError, ParameterError
from linspike.neuron.arguments import check_patterns, check_weights
from linspike.neuron.arrivals import check_all_delays
from linspike.neuron.responses import Responses
from linspike.neuron.srm import SRM
from linspike.rules import REGISTRY, is_registered, rule_of
from linspike.rules.base import Rule
from linspike.spikes.pattern_set import PatternSet

FORMAT = "linspike.Model"
FORMAT_VERSION, OLDEST_VERSION = 3, 2  # 2 knows no delays


@dataclass(frozen=True, eq=False)
class Model:
    """Learned weights with their neuron and their rule, to be saved in one file.

    Parameters
    ----------
    neuron : SRM
        The neuron.
    weights : array of float, (neurons, channels) or (channels,)
        The learned weights.
    rule : Rule or str, optional
        The rule that found them.
    notes : dict, optional
        Anything that JSON can hold.
    delays : array of float, (neurons, channels) or (channels,), optional
        Delays of the inputs in milliseconds; a single row is that of all neurons.

    Examples
    --------
    >>> import linspike as ls
    >>> model = ls.Model(ls.SRM(), [[0.5, 0.2]], rule=ls.DTA(), notes={"task": "toy"})
    >>> model
    Model(SRM(tau_m=20.0, tau_s=5.0, threshold=1.0), weights of shape (1, 2), rule=DTA, notes=1)
    """

    neuron: SRM
    weights: Floats
    rule: Rule | str | None = None
    notes: dict[str, Any] = field(default_factory=dict)
    delays: Floats | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.neuron, SRM):
            raise ParameterError.of("neuron", "Model", "an SRM", self.neuron)
        if self.rule is not None:
            object.__setattr__(self, "rule", rule_of(self.rule, "Model"))
        array = np.atleast_2d(check_float_array(self.weights, "weights", "Model", None))
        width = array.shape[-1]
        object.__setattr__(self, "weights", check_weights(array, width, 2, "Model"))
        late = check_all_delays(self.delays, array.shape, "Model")
        if late is not None:
            late = np.array(np.broadcast_to(late, array.shape))
        object.__setattr__(self, "delays", late)

    def __repr__(self) -> str:
        neurons, channels = self.weights.shape
        notes = f", notes={len(self.notes)}" if self.notes else ""
        notes += "" if self.delays is None else f", delays up to {self.delays.max():g} ms"
        rule = type(self.rule).__name__ if isinstance(self.rule, Rule) else None
        return (
            f"Model({self.neuron!r}, weights of shape ({neurons}, {channels}), rule={rule}{notes})"
        )

    def respond(self, patterns: PatternSet, **options: Any) -> Responses:
        """Return the responses of all neurons; options as for `SRM.respond_many`."""
        channels = self.weights.shape[1]
        if check_patterns(patterns, "Model.respond").n_channels != channels:
            domain = f"over the {channels} channels that the model learned"
            raise ParameterError.of("patterns", "Model.respond", domain, patterns)
        return self.neuron.respond_many(self.weights, patterns, delays=self.delays, **options)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the model to one file; an old file stays until all is written."""
        rule = None
        if isinstance(self.rule, Rule):
            if not is_registered(self.rule):
                domain = f"None or one of the registered rules {tuple(REGISTRY)}"
                remedy = "A rule of your own cannot be restored from a file: save with rule=None."
                raise ParameterError.of("rule", "Model", domain, self.rule, remedy)
            rule = {"key": self.rule.key, "settings": self.rule.settings()}
        about = {
            "linspike": metadata.version("linspike"),
            "neuron": asdict(self.neuron),
            "rule": rule,
            "notes": self.notes,
        }
        try:
            text = np.str_(json.dumps(about))
        except (TypeError, ValueError):
            domain = "a dict of what JSON can hold (arrays as lists)"
            raise ParameterError.of("notes", "Model", domain, self.notes) from None
        arrays = {"weights": self.weights, "about": text}
        if self.delays is not None:
            arrays["delays"] = self.delays
        _files.save_arrays(path, FORMAT, FORMAT_VERSION, **arrays)


def load_model(path: str | PathLike[str], *, max_bytes: int | None = None) -> Model:
    """Read a model that `Model.save` wrote; max_bytes as for `PatternSet.load`."""
    names, version = ("weights", "about"), FORMAT_VERSION
    arrays = _files.load_arrays(
        path, FORMAT, version, names, max_bytes, oldest=OLDEST_VERSION, optional=("delays",)
    )
    with _files.refusing_damage(path):
        about = json.loads(str(arrays["about"]))
        stored = about["rule"]
        if stored is not None and stored["key"] not in REGISTRY:
            raise FileFormatError(
                f"{path!s} was learned with the rule {stored['key']!r}, which this linspike lacks."
            )
        rule = None if stored is None else rule_of(stored["key"], "Model", **stored["settings"])
        neuron, delays = SRM(**about["neuron"]), arrays.get("delays")
        return Model(neuron, arrays["weights"], rule, about["notes"], delays)
