"""The picture of capacities: shares, the 50 % point, what is refused."""

import numpy as np
import pytest

import linspike as ls
from linspike.study.analysis.capacity import find_half_point

LEARNED = {10: [True] * 6, 20: [True, True, True, False, False, True], 30: [False] * 6}


def test_shares_and_half_point():
    ax = ls.plot_capacity({"mine": LEARNED, "other": {20: {0: False}, 10: {0: False}}}, unit="ms")
    lines = {line.get_label().partition(":")[0]: line for line in ax.lines}
    assert lines["mine"].get_xdata().tolist() == [10, 20, 30]
    assert lines["mine"].get_ydata() == pytest.approx([1.0, 2 / 3, 0.0])
    assert lines["other"].get_xdata().tolist() == [10, 20]  # ascending
    point = find_half_point({load: dict(enumerate(seeds)) for load, seeds in LEARNED.items()})
    (mark,) = [line for line in ax.lines if line.get_marker() == "D" and len(line.get_xdata()) == 1]
    assert mark.get_xdata()[0] == point.value
    named = [text.get_text() for text in ax.get_legend().get_texts()]
    assert named[0] == f"mine: {point.value:.3g} ({point.lo:.3g} to {point.hi:.3g})"
    assert named[1] == "other: less than half learned 10"
    assert ax.get_xlabel() == "load (ms)"
    assert ls.plot_capacity({"mine": LEARNED}, ax=ax) is ax


@pytest.mark.parametrize(
    ("outcomes", "message"),
    [
        ({}, "'outcomes' .* from methods to outcomes by load, not empty. Got dict"),
        ([LEARNED], "'outcomes' .* Got list"),
        ({"mine": {}}, "'outcomes' .* from loads to what each trial learned"),
        ({"mine": {10: []}}, r"'outcomes' .* True or False. Got \[\]"),
        ({"mine": {10: [0.7]}}, r"'outcomes' .* True or False. Got \[0.7\]"),
        ({"mine": {10: True}}, "'outcomes' .* True or False. Got True"),
        ({"mine": {10: None}}, "'outcomes' .* True or False. Got None"),
        ({"mine": {10: "TF"}}, "'outcomes' .* True or False. Got 'TF'"),
        ({"mine": {10: [True, "no"]}}, r"'outcomes' .* True or False. Got \[True, 'no'\]"),
        ({"mine": {10: [[True, False]]}}, r"'outcomes' .* Got \[\[True, False\]\]"),
        ({"mine": {10: np.ones((2, 2), bool)}}, "'outcomes' .* an array of bool with shape .2, 2."),
        ({"mine": {10: [True], "b": [True]}}, "'load' .* whole number of at least 1. Got 'b'"),
        ({"mine": {0.5: [True]}}, "'load' .* a whole number of at least 1"),
    ],
)
def test_refused_outcomes(outcomes, message):
    with pytest.raises(ls.ParameterError, match=message):
        ls.plot_capacity(outcomes)
