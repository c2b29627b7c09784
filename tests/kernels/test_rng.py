"""Random numbers of compiled code: known values, and orders that depend on seed and epoch alone."""

import numpy as np

from linspike.kernels.rng import GOLDEN, mix, shuffle, uniform


def test_the_generator_is_splitmix64():
    # First three outputs for the seed 1234567, as the reference implementation prints them.
    state, found = np.uint64(1234567), []
    with np.errstate(over="ignore"):
        for _ in range(3):
            state = np.uint64(state + GOLDEN)
            found.append(int(mix(state)))
    assert found == [6457827717110365317, 3203168211198807973, 9817491932198370423]


def test_uniform_numbers_fill_the_unit_interval():
    with np.errstate(over="ignore"):
        found = np.array([uniform(np.uint64(i * int(GOLDEN) % 2**64)) for i in range(4000)])
    assert 0.0 <= found.min() < 0.01
    assert 0.99 < found.max() < 1.0
    assert abs(found.mean() - 0.5) < 0.02


def test_order_depends_on_seed_and_epoch_alone():
    orders = {}
    for seed in (0, 1, 2**40):
        for epoch in (0, 1, 7):
            order = np.empty(50, np.int64)
            shuffle(order, seed, epoch)
            assert sorted(order) == list(range(50))
            orders[seed, epoch] = tuple(order)
    assert len(set(orders.values())) == 9


def test_shuffling_is_fair():
    firsts = np.zeros(6, int)
    order = np.empty(6, np.int64)
    for epoch in range(6000):
        shuffle(order, 3, epoch)
        firsts[order[0]] += 1
    assert np.abs(firsts - 1000).max() < 150
