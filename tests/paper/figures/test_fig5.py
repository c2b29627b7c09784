"""Figure 5: windows with the preset's bound and with a wide one."""

import numpy as np

from linspike.paper.common.methods import PROJECTION
from linspike.paper.figures import fig5
from linspike.paper.figures.fig5 import WIDE, WINDOWS
from linspike.study.cells import Trial
from linspike.study.rows import RowKey

CELLS = {cell.row: cell for cell in fig5.cells("paper", [])}


def make_trials(counts):
    """Trials of rows (window, variant) with so many violations, by seed."""
    return [
        Trial(
            CELLS[RowKey(method=window, variant=variant)],
            seed,
            {"steps": 1 + seed % 3, "before": 0, "violations": number},
        )
        for (window, variant), by_seed in counts.items()
        for seed, number in by_seed.items()
    ]


def summarise(counts):
    summary = fig5.summarise("paper", make_trials(counts))
    return {row.key: row for row in summary.rows}, summary


COUNTS = {
    ("psp", ""): {0: 1, 1: 2, 2: 3},
    ("filt", ""): {0: 11, 1: 12, 2: 13},
    ("psp", WIDE): {0: 5, 1: 50, 2: 7, 9: 1000},
    ("stdp", WIDE): {1: 53, 2: 9, 3: 400},
}


def test_a_wide_bound_changes_the_bound_alone():
    for window in WINDOWS:
        plain, wide = (CELLS[RowKey(method=window, variant=variant)] for variant in ("", WIDE))
        assert wide == plain.vary(WIDE, settings={**plain.settings, "bound": 1.0})
        assert plain.settings["bound"] == 0.01
    assert RowKey(method=PROJECTION, variant=WIDE) not in CELLS


def test_differences_are_taken_within_a_bound_and_seed_by_seed():
    rows, summary = summarise(COUNTS)
    wide = rows[RowKey(variant=WIDE, quantity="stdp minus psp")]
    assert (wide.value, wide.n) == (2.5, 2)
    plain = rows[RowKey(quantity="filt minus psp")]
    assert (plain.value, plain.lo, plain.hi, plain.n) == (10.0, 10.0, 10.0, 3)
    assert RowKey(quantity="stdp minus psp") not in rows
    assert RowKey(variant=WIDE, quantity="filt minus psp") not in rows
    assert rows[RowKey(method="psp")].value == 2.0
    assert rows[RowKey(method="psp", variant=WIDE)].n == 4
    assert rows[RowKey(quantity="before learning")].n == 3  # of psp with the preset's bound
    assert "psp, bound 1 " in summary.notes[0]


def test_bars_of_each_bound_stand_in_a_picture_of_their_own():
    _, summary = summarise(COUNTS)
    bars = {panel.title: [line.name for line in panel.lines] for panel in summary.panels}
    assert bars["B: spikes not desired"] == ["psp", "filt"]
    (wide,) = [panel for panel in summary.details if panel.title.endswith(WIDE)]
    assert [line.name for line in wide.lines] == ["psp", "stdp"]


def test_without_wide_trials_nothing_is_said_of_them():
    rows, summary = summarise({key: COUNTS[key] for key in COUNTS if not key[1]})
    assert not any(key.variant == WIDE for key in rows)
    assert not any(panel.title.endswith(WIDE) for panel in summary.details)


def test_with_a_wide_bound_the_windows_have_the_papers_order():
    mean = {
        window: np.mean(
            [
                record["violations"]
                for record in fig5.trials(CELLS[RowKey(method=window, variant=WIDE)], range(60))
            ]
        )
        for window in WINDOWS
    }
    assert 0.0 < 1.3 * mean["psp"] < mean["stdp"] < mean["filt"] / 1.3, mean
