"""Seeds and settings that tables share."""

from linspike.paper.common.methods import tuning_seeds
from linspike.study.tuning import TUNING_SEEDS


def test_seeds_of_tuning_are_as_many_as_asked_for_and_away_from_those_of_tables():
    assert list(tuning_seeds(10)) == list(TUNING_SEEDS)
    many = tuning_seeds(30)
    assert len(set(many)) == 30
    assert list(many)[:3] == list(tuning_seeds(3))
    assert min(many) > 100_000  # tables count from 0
