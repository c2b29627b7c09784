"""Make elephant.json: distances between spike trains as Elephant gives them.

Elephant is no test dependency. To make the file again, install it and run

    python -m tools.golden.make_elephant

Elephant's van Rossum distance leaves out the factor 1/2 that gives a single spike, against none,
the distance 0.707: it is sqrt(2) times linspike's. Its Victor-Purpura distance is the standard one,
1 to add or remove a spike and q |dt| to move it.
"""

from collections.abc import Iterator
from importlib.metadata import version

import numpy as np
import quantities as pq
from elephant.spike_train_dissimilarity import van_rossum_distance, victor_purpura_distance
from neo import SpikeTrain
from tools.golden.cases import make_rng, write_cases

SEED = 20010401
TAUS = (10.0, 20.0, 100.0)
COSTS = (0.0, 0.01, 0.1, 1.0, 10.0)
DURATION = 1000.0

UNITS = (
    "Times and tau in ms, cost q in 1/ms. 'van_rossum' is listed by tau and 'victor_purpura' by "
    "cost, in the order of 'taus' and 'costs'. Squared van Rossum distances are good to 1e-12 of "
    "the number of spikes squared, Victor-Purpura distances to 1e-10."
)

Pair = tuple[str, np.ndarray, np.ndarray]


def as_train(times: np.ndarray) -> SpikeTrain:
    """Return the times as an Elephant train."""
    return SpikeTrain(times, units=pq.ms, t_start=0.0, t_stop=DURATION)


def golden(pair: Pair) -> dict[str, object]:
    """Return the pair with its distances, as it goes into the file."""
    name, first, second = pair
    trains = [as_train(first), as_train(second)]
    rossum = [van_rossum_distance(trains, tau * pq.ms)[0, 1] for tau in TAUS]
    purpura = [victor_purpura_distance(trains, cost / pq.ms)[0, 1] for cost in COSTS]
    return {
        "name": name,
        "first": first.tolist(),
        "second": second.tolist(),
        "van_rossum": [float(distance) for distance in rossum],
        "victor_purpura": [float(distance) for distance in purpura],
    }


def random_train(rng: np.random.Generator, n_spikes: int, duration: float = 400.0) -> np.ndarray:
    """Return uniform spike times in order, short enough in decimals to be read."""
    return np.sort(np.round(rng.uniform(0.0, duration, n_spikes), 6))


def edge_pairs(rng: np.random.Generator) -> Iterator[Pair]:
    """Yield trains that are empty, equal or coincide in part."""
    none, one, some = np.array([]), np.array([123.25]), random_train(rng, 6)
    yield "empty-empty", none, none
    yield "empty-one", none, one
    yield "one-empty", one, none
    yield "empty-some", none, some
    yield "identical-one", one, one
    yield "identical-some", some, some
    yield "subset", some, some[::2]
    yield "one-missing", some, np.delete(some, 3)
    yield "one-extra", some, np.sort(np.append(some, 200.125))
    yield "double-spike", np.array([50.0, 50.0]), np.array([50.0])


def shifted_pairs(rng: np.random.Generator) -> Iterator[Pair]:
    """Yield trains of which one spike, or every spike, is off by a known time."""
    for shift in (0.001, 0.1, 1.0, 5.0, 50.0, 300.0):
        yield f"off-by-{shift:g}", np.array([100.0]), np.array([100.0 + shift])
    some = random_train(rng, 8)
    yield "one-of-eight-off", some, np.sort(np.where(np.arange(8) == 4, some + 1.5, some))
    yield "all-shifted", some, np.round(some + 2.0, 6)
    yield "jittered", some, np.sort(np.abs(np.round(some + rng.normal(0.0, 1.0, 8), 6)))


def random_pairs(rng: np.random.Generator) -> Iterator[Pair]:
    """Yield unrelated trains, from two spikes to two hundred."""
    for n_first, n_second in [(1, 2), (2, 2), (3, 1), (5, 5), (5, 12), (10, 10), (20, 3), (30, 30)]:
        name = f"random-{n_first}-{n_second}"
        yield name, random_train(rng, n_first), random_train(rng, n_second)
    for n_first, n_second in [(100, 100), (200, 150), (200, 1)]:
        name = f"long-{n_first}-{n_second}"
        yield name, random_train(rng, n_first, DURATION), random_train(rng, n_second, DURATION)


def pairs(rng: np.random.Generator) -> Iterator[Pair]:
    """Yield every pair of the file, in order."""
    yield from edge_pairs(rng)
    yield from shifted_pairs(rng)
    yield from random_pairs(rng)


def main() -> None:
    """Measure every pair and write the file."""
    packages = ("elephant", "neo", "quantities", "numpy")
    versions = {package: version(package) for package in packages}
    settings = {"seed": SEED, "units": UNITS, "taus": TAUS, "costs": COSTS}
    write_cases("elephant", versions, settings, [golden(pair) for pair in pairs(make_rng(SEED))])


if __name__ == "__main__":
    main()
