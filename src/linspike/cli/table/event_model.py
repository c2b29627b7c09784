"""A classifier of samples of spikes, with what must be known to read them from an event table."""

from __future__ import annotations

import warnings
from dataclasses import asdict, dataclass, replace
from typing import Any

import click
import numpy as np

from linspike._typing import Bools, Floats, Ints
from linspike.cli.table.cells import INTEGER, count_noun, join_names, make_key
from linspike.cli.table.csv_table import Table
from linspike.cli.table.labels import LabelColumn
from linspike.cli.table.table_model import SavedModel
from linspike.errors import TableError, UnitWarning
from linspike.spikes.pattern_set import PatternSet
from linspike.spikes.units import to_ms


@dataclass(frozen=True)
class EventFormat:
    """How events are written: names of columns, unit, window and channels.

    Attributes
    ----------
    time, channel, sample : str
        Names of the columns.
    unit : {"s", "ms", "us", "ns"}
        Unit of the times.
    window : tuple (start, end), optional
        The part of each sample that is used, in milliseconds.
    channels : tuple of str
        Names of the channels, in the order of the classifier.
    """

    time: str
    channel: str
    sample: str
    unit: str
    window: tuple[float, float] | None = None
    channels: tuple[str, ...] = ()

    def learn(self, table: Table) -> EventFormat:
        """Return the format with the table's channels, and a window up to its latest event."""
        _, texts = table.numbered(self.channel)
        as_numbers = all(INTEGER.fullmatch(text) for text in texts)
        keys = {make_key(text, as_numbers=as_numbers) for text in texts}
        channels = tuple(sorted(keys, key=int) if as_numbers else sorted(keys))
        window = self.window or (0.0, self._find_latest(table))
        return replace(self, channels=channels, window=window)

    def read_times(self, table: Table) -> Floats:
        """Return the times of all events, in milliseconds."""
        times: Floats = to_ms(table.numbers([self.time])[:, 0], self.unit)
        return times

    def number_channels(self, table: Table) -> Ints:
        """Return the channel of each event, -1 for those that the model does not know."""
        as_numbers = all(INTEGER.fullmatch(name) for name in self.channels)
        places = {name: place for place, name in enumerate(self.channels)}
        numbers, texts = table.numbered(self.channel)
        keys = [make_key(text, as_numbers=as_numbers) for text in texts]
        return np.array([places.get(key, -1) for key in keys])[numbers]

    def _find_latest(self, table: Table) -> float:
        times = self.read_times(table)
        early = times < 0.0
        if early.any():
            row = int(np.argmax(early))
            raise TableError(
                f"{table.where(row, self.time)}: the time is below 0. Times count from the start "
                "of their sample; cut them with --window START:END."
            )
        latest = float(times.max())
        if latest == 0.0:
            place = f"{table.source}, column {self.time!r}"
            raise TableError(f"{place}: all times are 0. Give --window.")
        return latest


@dataclass(frozen=True)
class EventModel(SavedModel):
    """A classifier of samples in a table of events.

    Attributes
    ----------
    format : EventFormat
        How events are written.
    """

    format: EventFormat

    @property
    def text_columns(self) -> tuple[str, ...]:
        """Channel, sample and target."""
        return (self.format.channel, self.format.sample, self.target)

    def notes(self) -> dict[str, Any]:
        """Return the format and the target."""
        return {"events": asdict(self.format), "target": self.target}

    def read_inputs(self, table: Table, *, drop_option: str = "") -> PatternSet:
        """Return one pattern per sample, in the order in which samples appear."""
        for name in (self.format.time, self.format.channel, self.format.sample):
            table.index_of(name)
        assert self.format.window is not None
        start, end = self.format.window
        samples, _ = table.numbered(self.format.sample)
        times, channels = self.format.read_times(table), self.format.number_channels(table)
        known, inside = channels >= 0, (times >= start) & (times <= end)
        self._report_left_out(table, known, inside)
        # Events of unknown channels go outside the window, so that no sample is lost.
        times = np.where(known, times, end + abs(end) + 1.0)
        channels, n_channels = np.maximum(channels, 0), len(self.format.channels)
        how: dict[str, Any] = {"time_unit": "ms", "n_channels": n_channels}
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", UnitWarning)
            found = PatternSet.from_events(times, channels, samples, window=(start, end), **how)
        for warning in caught:
            click.echo(f"linspike: {warning.message}", err=True)
        self._report_empty(table, np.diff(found.offsets) == 0)
        return found

    def _report_empty(self, table: Table, empty: Bools) -> None:
        """Name on stderr the samples without events, which the classifier cannot tell apart."""
        if empty.any():
            names = table.numbered(self.format.sample)[1]
            which = join_names(names[number] for number in np.flatnonzero(empty))
            samples = count_noun(int(empty.sum()), "sample")
            click.echo(f"{samples} without any event left, of no certain class: {which}", err=True)

    def _report_left_out(self, table: Table, known: Bools, inside: Bools) -> None:
        """Name on stderr what is left out; refuse a table of which nothing would be left."""
        start, end = self.format.window or (0.0, 0.0)
        window = f"the window from {start:g} to {end:g} ms"
        if not inside.any():
            raise TableError(
                f"{table.source}: no event is in {window}. "
                f"Check the unit of the times, which is {self.format.unit!r}."
            )
        if not known.any():
            raise TableError(
                f"{table.source}, column {self.format.channel!r}: the model knows none of the "
                f"channels. It knows: {join_names(self.format.channels)}."
            )
        if not known.all():
            numbers, texts = table.numbered(self.format.channel)
            names = join_names(texts[number] for number in np.unique(numbers[~known]))
            events = count_noun(int((~known).sum()), "event")
            click.echo(f"{events} of channels not known to the model, ignored: {names}", err=True)
        if not inside.all():
            events = count_noun(int((~inside).sum()), "event")
            click.echo(f"{events} outside {window}, ignored", err=True)

    def read_ids(self, table: Table) -> dict[str, list[str]]:
        """Return the names of the samples."""
        return {self.format.sample: table.numbered(self.format.sample)[1]}

    def label_column(self, table: Table) -> LabelColumn:
        """Return the label of each sample, which all of its events must share."""
        samples, names = table.numbered(self.format.sample)
        labels, texts = table.numbered(self.target)
        first = np.unique(samples, return_index=True)[1]
        other = labels != labels[first][samples]
        if other.any():
            row = int(np.argmax(other))
            before = first[samples[row]]
            raise TableError(
                f"{table.where(row, self.target)}: sample {names[samples[row]]!r} has the label "
                f"{texts[labels[row]]!r} here and {texts[labels[before]]!r} in line "
                f"{table.lines[before]}. A sample has one label."
            )
        lines = table.lines[first].tolist()
        found = [texts[label] for label in labels[first]]
        return LabelColumn(table.source, self.target, found, lines, table.dialect.decimal)

    def list_ignored(self, table: Table) -> list[str]:
        """Return the columns that are neither part of an event nor the target."""
        known = {*self.text_columns, self.format.time, table.index}
        return [name for name in table.names if name not in known]
