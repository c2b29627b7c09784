"""Looks: a method's colour everywhere, dashes for its variants, colours that everyone sees."""

import itertools

import numpy as np
import pytest

from linspike.paper.common.methods import LINEAR_PROGRAM, PROJECTION
from linspike.paper.report.drawing.looks import COLOURS, assign_looks, colour_of
from linspike.plotting import style
from linspike.study.panels import Line, Panel

DARK = "#17181A"
# Machado et al. (2009), severity 1: what protanopes and deuteranopes see, in linear RGB.
SEEN = {
    "all": np.eye(3),
    "no red": [[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]],
    "no green": [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]],
}


def linear(colour):
    parts = np.array([int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def contrast(one, other):
    high, low = sorted(float(linear(c) @ (0.2126, 0.7152, 0.0722)) for c in (one, other))[::-1]
    return (high + 0.05) / (low + 0.05)


def lab(rgb):
    to_xyz = np.array(
        [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    )
    x = to_xyz @ rgb / (0.9505, 1.0, 1.089)
    f = np.where(x > 0.008856, np.cbrt(x), 7.787 * x + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("colour", style.SERIES)
def test_colours_show_on_white_and_on_dark_and_as_text(colour):
    assert contrast(colour, style.GROUND) >= 3.0
    assert contrast(colour, DARK) >= 3.0
    assert contrast(style.darken(colour), style.GROUND) >= 4.5
    light_ink = "#E6E6E6"
    assert contrast(style.mix(colour, style.TEXT_SHARE, light_ink), DARK) >= 4.5


@pytest.mark.parametrize("eyes", SEEN)
def test_colours_differ_for_everyone(eyes):
    seen = [lab(np.clip(SEEN[eyes] @ linear(colour), 0, 1)) for colour in style.SERIES]
    assert min(np.linalg.norm(a - b) for a, b in itertools.combinations(seen, 2)) > 10.0


def looks(*lines):
    return assign_looks([Panel("", "", "", tuple(lines))]).series


def test_a_method_has_its_colour_whatever_is_beside_it():
    alone = looks(Line("FILT", [1], [1]))
    beside = looks(Line("mine", [1], [1]), Line("FILT, tuned", [1], [1], method="FILT"))
    assert alone["FILT"].colour == beside["FILT, tuned"].colour == COLOURS["FILT"]
    assert beside["mine"].colour != COLOURS["FILT"]


def test_variants_of_a_method_differ_in_their_dashes():
    found = looks(*(Line(name, [1], [1], method="FILT") for name in ("a", "b", "c", "d")))
    assert len({look.colour for look in found.values()}) == 1
    assert len({look.dashes for look in found.values()}) == 4


def test_dashes_begin_anew_in_a_panel_of_its_own():
    panels = [Panel("", "", "", (Line(name, [1], [1], method="FILT"),)) for name in ("a", "b")]
    found = assign_looks(panels).series
    assert found["a"].dashes == found["b"].dashes == "-"


def test_rules_that_share_a_figure_have_colours_of_their_own():
    times = (PROJECTION, LINEAR_PROGRAM, "ReSuMe", "PSD", "FILT", "FP", "HTP", "E-learning")
    counts = (PROJECTION, LINEAR_PROGRAM, "MST", "EML", "EMLC", "EMLC by peak", "CNN")
    for rules in (times, counts):
        assert len({COLOURS[rule] for rule in rules}) == len(rules)


@pytest.mark.parametrize("window", ["psp ", "stdp ", "filt ", ""])
def test_the_linear_program_has_one_colour(window):
    assert colour_of(f"DTA {window}(paper's linear program)") == COLOURS[LINEAR_PROGRAM]
    assert colour_of(PROJECTION) != COLOURS[LINEAR_PROGRAM]
