"""Events: the same samples for every method, what runs where, absent data."""

import numpy as np
import pytest
from tests.support import small_mnist

from linspike.beyond import events
from linspike.datasets import moving_sensor_events
from linspike.encoders import PoolEvents
from linspike.paper.common.methods import PROJECTION
from linspike.spikes.pattern_set import PatternSet
from linspike.study.cells import Trial
from linspike.study.rows import RowKey, Status
from linspike.study.runner import select_current

CELLS = {cell.row: cell for cell in events.cells("smoke", [])}
PLAIN = RowKey("digits, 4 x 4", PROJECTION)


@pytest.fixture
def digits(tmp_path, monkeypatch):
    """A few images in place of MNIST, and sizes that go with them."""
    small_mnist.install(monkeypatch)
    small_mnist.write(tmp_path / "mnist", small_mnist.packed())
    monkeypatch.setenv("LINSPIKE_DATA_DIR", str(tmp_path))
    monkeypatch.setattr(events, "SIZES", {"smoke": (18, 8)})
    monkeypatch.setattr(events, "TUNED_ON", slice(18, 20))
    events.record_digits.cache_clear()
    yield
    events.record_digits.cache_clear()


def test_pooling_keeps_samples_and_events(digits):
    parts = {data: events.draw_samples(CELLS[RowKey(data, PROJECTION)], 0) for data in events.POOLS}
    raw, pooled = parts["digits, raw"], parts["digits, 4 x 4"]
    assert [part.X.n_channels for part in parts.values()] == [162, 578, 2312]
    assert np.array_equal(raw.X.times, pooled.X.times)
    assert np.array_equal(raw.y, pooled.y)
    assert (len(raw.X), len(raw.X_test)) == (18, 8)
    other = events.draw_samples(CELLS[RowKey("digits, raw", PROJECTION)], 1)
    assert not np.array_equal(other.y, raw.y)


def test_images_that_settings_were_found_on_are_left_out(digits, monkeypatch):
    drawn = []
    monkeypatch.setattr(events, "moving_sensor_events", lambda images, rng: drawn.append(images))
    with pytest.raises(TypeError):
        events.record_digits("smoke", 5)
    known = events.load_mnist("train").images[18:]
    assert not any((image == one).all() for image in drawn[0][:18] for one in known)


@pytest.mark.parametrize("row", [row for row in CELLS if row.scenario == PLAIN.scenario], ids=str)
def test_every_method_learns(digits, monkeypatch, row):
    labels = np.repeat([0, 1, 2], 6)
    images = np.zeros((18, 28, 28))
    for image, label in zip(images, labels, strict=True):
        image[8 * label + 2 : 8 * label + 8, 4:24] = 1.0
    bars = moving_sensor_events(images, rng=0)
    few = events.draw_samples(CELLS[row], 0)
    pooled = PoolEvents((34, 34, 2), 4).fit_transform(bars)
    few = few._replace(X=pooled, y=labels)
    monkeypatch.setattr(events, "draw_samples", lambda cell, seed: few)
    (record,) = events.trials(CELLS[row], [0])
    assert record["train"] == 100.0
    assert 0.0 <= record["test"] <= 100.0


def test_costly_methods_run_where_channels_are_few():
    costly = {row.scenario for row in CELLS if row.variant in events.COSTLY}
    assert costly == {"digits, 4 x 4", "braille7"}
    assert len(CELLS) == 3 * 4 + 2 * 2


def test_roots_of_counts():
    patterns = PatternSet([1.0, 2.0, 3.0, 9.0], [1, 1, 1, 1], [0, 4, 4], 2, 10.0)
    assert events.count_roots(patterns, 1).tolist() == [[0.0, 2.0], [0.0, 0.0]]
    roots = events.count_roots(patterns, 2)
    np.testing.assert_allclose(roots, [[0.0, 3**0.5, 0.0, 1.0], [0.0] * 4])


def trials_of(sets, n=3):
    return [
        Trial(cell, seed, {"train": 99.0, "test": 90.0 + seed + (cell.row.method == PROJECTION)})
        for cell in events.cells("laptop", [])
        for seed in range(n)
        if cell.data in sets
    ]


def test_summary_and_absent_data(monkeypatch, tmp_path):
    monkeypatch.setenv("LINSPIKE_DATA_DIR", str(tmp_path))
    assert not select_current(events.EXPERIMENT, "laptop", []).missing
    found = events.summarise("laptop", trials_of(events.POOLS))
    rows = {row.key: row for row in found.rows}
    assert rows[PLAIN].value == 92.0
    for reference in ("", ", 8 stretches"):
        gain = rows[PLAIN.but(quantity=f"gain over logistic regression{reference}")]
        assert (gain.value, gain.n) == (1.0, 3)
    assert rows[RowKey("braille7", PROJECTION)].status is Status.SKIPPED
    assert len(found.panels[0].lines) == len(events.METHODS)
    nothing = events.summarise("laptop", [])
    assert {row.status for row in nothing.rows} == {Status.SKIPPED}
