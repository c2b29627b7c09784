"""Models in files, with what commands must know to read their inputs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from linspike._files import refusing_damage
from linspike._threads import available_cores
from linspike.cli.table.event_model import EventFormat, EventModel
from linspike.cli.table.lines import STDIN
from linspike.cli.table.table_model import REMEDY, SavedModel, TableModel
from linspike.errors import FileFormatError


def load_saved(path: Path) -> SavedModel:
    """Return the classifier in a file with its columns, or raise what else the file is."""
    from linspike.encoders import RasterEncoder
    from linspike.encoders.spike_transformer import takes_spikes
    from linspike.estimators import SpikeClassifier, load_model

    if str(path) == STDIN:
        raise FileFormatError("A model cannot be read from standard input. Give its file.")
    try:
        model = load_model(path)
    except OSError as error:
        raise FileFormatError(f"{path} cannot be read: {error.strerror}.") from None
    if not isinstance(model, SpikeClassifier):
        kind = type(model).__name__
        raise FileFormatError(f"{path} holds a {kind}, which names no classes.")
    model.set_params(n_jobs=available_cores())
    notes = vars(model).get("notes_", {})
    of_spikes = model.encoder_ is None or takes_spikes(model.encoder_)
    if of_spikes and "events" in notes:
        return _restore_events(path, model, notes)
    if of_spikes or isinstance(model.encoder_, RasterEncoder):
        raise FileFormatError(
            f"{path} holds a classifier of spikes that `linspike fit --spikes` did not write: "
            "it does not say how to read events. Use it in Python."
        )
    return _restore_table(path, model, notes)


def _restore_table(path: Path, model: Any, notes: dict[str, Any]) -> TableModel:
    columns = notes.get("columns", list(vars(model).get("feature_names_in_", ())))
    if not _are_names(columns) or len(columns) != model.n_features_in_:
        raise FileFormatError(f"{path} does not name the columns it learned from. {REMEDY}")
    ids = notes.get("id", [])
    model.__dict__.pop("feature_names_in_", None)  # columns are found by name here, X is an array
    target = str(notes.get("target", ""))
    return TableModel(model, target, tuple(columns), tuple(ids) if _are_names(ids) else ())


def _restore_events(path: Path, model: Any, notes: dict[str, Any]) -> EventModel:
    with refusing_damage(path):
        stored = {**notes["events"]}
        start, end = (float(part) for part in stored.pop("window"))
        channels = stored.pop("channels")
        if not _are_names(channels) or len(channels) != model.n_features_in_ or not start < end:
            raise ValueError("the format of the events does not fit the classifier")
        if not _are_names(list(stored.values())):
            raise ValueError("names of columns are no texts")
        how = EventFormat(**stored, window=(start, end), channels=tuple(channels))
        return EventModel(model, str(notes["target"]), how)


def _are_names(names: Any) -> bool:
    return isinstance(names, list) and all(isinstance(name, str) for name in names)
