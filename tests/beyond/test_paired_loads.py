"""Loads in equal steps: when they grow, what single seeds learned, gains of one row over another."""

import pytest

from linspike.beyond import delays
from linspike.beyond.paired_loads import Grid, gain_rows, grid_cells, seed_capacities
from linspike.study.cells import Trial
from linspike.study.rows import RowKey

BASE = delays.cells("smoke", [])[0]
ROW = BASE.row


def tried(capacity, loads, n=10, row=ROW):
    """Trials of which seed s learns loads below capacity(s)."""
    cell = BASE.but(row=row)
    return [
        Trial(cell.but(load=load), seed, {"learned": load < capacity(seed), "epochs": 3})
        for load in loads
        for seed in range(n)
    ]


def loads(grid, trials, n=10):
    return [cell.load for cell in grid_cells(BASE, grid, trials, n)]


def test_a_grid_begins_as_it_is_given():
    assert loads(Grid(4, 10, 2, 20), []) == [4, 6, 8, 10]


def test_it_waits_until_all_of_it_is_tried():
    grid = Grid(4, 10, 2, 20)
    part = tried(lambda seed: 100, (4, 6))
    assert loads(grid, part) == [4, 6, 8, 10]


@pytest.mark.parametrize(
    ("capacity", "expected"),
    [
        (lambda seed: 7, [4, 6, 8, 10]),
        (lambda seed: 100, [4, 6, 8, 10, 12]),
        (lambda seed: 1, [2, 4, 6, 8, 10]),
        (lambda seed: 100 if seed == 0 else 7, [4, 6, 8, 10]),  # one in ten is nearly none
    ],
)
def test_it_grows_where_its_ends_are_in_between(capacity, expected):
    grid = Grid(4, 10, 2, 20)
    assert loads(grid, tried(capacity, (4, 6, 8, 10))) == expected


def test_it_ends_at_the_highest_load_and_at_one_step():
    assert loads(Grid(4, 10, 2, 11), tried(lambda seed: 100, (4, 6, 8, 10))) == [4, 6, 8, 10]
    assert loads(Grid(2, 6, 2, 11), tried(lambda seed: 1, (2, 4, 6))) == [2, 4, 6]


def test_capacities_of_seeds_lie_between_the_last_load_learned_and_the_next():
    found = seed_capacities(tried(lambda seed: 5 + 2 * seed, (4, 6, 8, 10), n=4), ROW)
    assert found == {0: 5.0, 1: 7.0, 2: 9.0, 3: 11.0}
    assert seed_capacities(tried(lambda seed: 5, (4,)), ROW) == {}


def test_gains_are_paired_by_seed():
    other = RowKey("other")
    capacities = {
        ROW: {seed: 20.0 + seed for seed in range(12)},
        other: {seed: 10.0 + 0.5 * seed for seed in range(1, 12)},
    }
    ratio, p, p_half = gain_rows(capacities, ROW, other, "other", (1.5,))
    assert ratio.value == pytest.approx(2.0)
    assert ratio.lo <= 2.0 <= ratio.hi
    assert ratio.hi - ratio.lo < 1e-9  # each seed has twice as much
    assert ratio.n == 11
    assert ratio.key == ROW.but(quantity="times other")
    assert p.value < 0.01
    assert p_half.key.quantity == "Wilcoxon p to 1.5 times other"
    assert gain_rows(capacities, ROW, RowKey("absent"), "absent") == []
