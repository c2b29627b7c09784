"""Delays on data: the same samples, rules by data set, gains, absent data."""

import numpy as np
import pytest
from tests.support import small_mnist

from linspike.beyond import delay_data, events
from linspike.paper.common.methods import PROJECTION
from linspike.study.cells import Trial
from linspike.study.rows import RowKey, Status

CELLS = {cell.row: cell for cell in delay_data.cells("smoke", [])}


def cell_of(data, variant=""):
    return CELLS[RowKey(data, PROJECTION, variant=variant)]


@pytest.mark.parametrize("data", delay_data.TABLES)
def test_both_variants_have_the_same_samples(data):
    one, two = (delay_data.draw_samples(cell_of(data, variant), 3) for variant in ("", "delays"))
    np.testing.assert_array_equal(one.X, two.X)
    np.testing.assert_array_equal(one.y_test, two.y_test)
    assert len(one.y) == 60
    other = delay_data.draw_samples(cell_of(data), 4)
    assert not np.array_equal(other.X, one.X)


@pytest.mark.parametrize("data", delay_data.TABLES)
def test_only_delays_differ(data):
    samples = delay_data.draw_samples(cell_of(data), 0)
    alone, delayed = (
        delay_data.make_classifier(cell_of(data, variant), 0, samples) for variant in ("", "delays")
    )
    assert not alone.rule.delays
    assert delayed.rule.delays
    assert delayed.rule.max_delay == 20.0
    assert (alone.rule.count_target, delayed.rule.count_target) == ("halving", "halving")
    assert repr(alone.encoder) == repr(delayed.encoder)


@pytest.mark.parametrize("variant", ["", "delays"])
def test_iris_is_learned(variant):
    (record,) = delay_data.trials(cell_of("Iris", variant), [0])
    assert record["test"] > 80.0
    assert (record["mean_delay"] > 0.0) == (variant == "delays")


def test_events_take_delays_as_long_as_the_membrane(tmp_path, monkeypatch):
    small_mnist.install(monkeypatch)
    small_mnist.write(tmp_path / "mnist", small_mnist.packed())
    monkeypatch.setenv("LINSPIKE_DATA_DIR", str(tmp_path))
    monkeypatch.setattr(events, "SIZES", {"smoke": (18, 8)})
    monkeypatch.setattr(events, "TUNED_ON", slice(18, 20))
    events.record_digits.cache_clear()
    cell = cell_of("events", "delays").but(max_iter=3)
    samples = delay_data.draw_samples(cell, 0)
    model = delay_data.make_classifier(cell, 0, samples)
    assert model.rule.max_delay == model.neuron.tau_m
    assert model.rule.count_target == "gradient"
    (record,) = delay_data.trials(cell, [0])
    assert record["mean_delay"] > 0.0
    events.record_digits.cache_clear()


def test_summary_and_absent_data(monkeypatch, tmp_path):
    monkeypatch.setenv("LINSPIKE_DATA_DIR", str(tmp_path))
    trials = [
        Trial(
            cell,
            seed,
            {
                "train": 99.0,
                "test": 90.0 + seed - 2.0 * (cell.row.variant == "delays"),
                "epochs": 3,
                "mean_delay": 1.5 * (cell.row.variant == "delays"),
            },
        )
        for cell in delay_data.cells("paper", [])
        for seed in range(8)
        if cell.data in delay_data.TABLES
    ]
    summary = delay_data.summarise("paper", trials)
    rows = {row.key: row for row in summary.rows}
    delayed = RowKey("digits", PROJECTION, variant="delays")
    assert rows[delayed].value == 91.5
    assert "mean delay 1.5 ms" in rows[delayed].note
    gain = rows[delayed.but(quantity="gain over weights")]
    assert (gain.value, gain.n) == (-2.0, 8)
    assert rows[delayed.but(quantity="Wilcoxon p to weights")].value < 0.05
    assert rows[RowKey("braille7", PROJECTION)].status is Status.SKIPPED
    assert delay_data.EXPERIMENT.unable(cell_of("events"))
    assert not delay_data.EXPERIMENT.unable(cell_of("Iris"))
    (panel,) = summary.panels
    assert panel.x_names == ("Iris", "digits, population code", "digits, latencies")
