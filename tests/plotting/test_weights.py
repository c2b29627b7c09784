"""Weights: bars of one neuron, a map or pictures of several, refusals."""

import numpy as np
import pytest

import linspike as ls
from linspike.plotting import style

WEIGHTS = [0.3, -0.1, 0.2]


def heights(ax):
    bars = sorted(ax.patches, key=lambda bar: bar.get_x())
    return [bar.get_height() for bar in bars]


def test_bars_of_one_neuron(tmp_path):
    ax = ls.plot_weights(WEIGHTS)
    assert heights(ax) == WEIGHTS
    assert ax.get_legend() is None
    ax.figure.savefig(tmp_path / "weights.png")


def test_before_and_order():
    ax = ls.plot_weights(WEIGHTS, before=[1.0, 2.0, 3.0], sort=True)
    assert heights(ax) == sorted(WEIGHTS)
    dots = next(line for line in ax.lines if line.get_label() == "before")
    assert dots.get_ydata().tolist() == [2.0, 3.0, 1.0]
    assert sorted(text.get_text() for text in ax.get_legend().get_texts()) == ["after", "before"]


def test_signs_differ_in_colour():
    from matplotlib.colors import to_hex

    colours = {to_hex(bar.get_facecolor()) for bar in ls.plot_weights(WEIGHTS).patches}
    assert colours == {style.POTENTIAL.lower(), style.THRESHOLD.lower()}


def test_a_map_of_several_neurons_is_pale_at_zero():
    (image,) = ls.plot_weights([[1.0, -3.0], [0.0, 2.0]]).images
    assert image.get_array().tolist() == [[1.0, -3.0], [0.0, 2.0]]
    assert image.get_clim() == (-3.0, 3.0)


def test_pictures():
    (image,) = ls.plot_weights(np.arange(18.0).reshape(3, 6), shape=(2, 3)).images
    tiles = image.get_array()
    assert tiles.shape == (5, 7)  # two by two pictures with an empty line between
    assert tiles[:2, :3].tolist() == [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]
    assert tiles[3:, :3].tolist() == [[12.0, 13.0, 14.0], [15.0, 16.0, 17.0]]
    assert ls.plot_weights(np.zeros(6), shape=(2, 3)).images[0].get_clim() == (-1.0, 1.0)


def test_drawing_into_given_axes():
    ax = ls.plot_weights(WEIGHTS)
    assert ls.plot_weights(WEIGHTS, ax=ax) is ax


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"weights": []}, "'weights' .* finite numbers, one at least"),
        ({"weights": [1.0, np.nan]}, "'weights' .* finite numbers"),
        ({"weights": "abc"}, "'weights' .* a 2-D array of numbers"),
        ({"weights": WEIGHTS, "before": [1.0]}, "'before' .* 3. Got 1 weights"),
        ({"weights": [WEIGHTS] * 2, "before": WEIGHTS}, "'before' .* left out for several"),
        ({"weights": [WEIGHTS] * 2, "sort": True}, "'sort' .* left out for several neurons"),
        ({"weights": WEIGHTS, "shape": (2, 2)}, "'shape' .* rows and columns of 3 channels"),
        ({"weights": WEIGHTS, "shape": (1.5, 2)}, r"'shape' .* whole numbers. Got \(1.5, 2\)"),
        ({"weights": WEIGHTS, "shape": (1, 3), "before": WEIGHTS}, "'before' .* left out for pic"),
        ({"weights": WEIGHTS, "shape": (1, 3), "sort": True}, "'sort' .* left out for pictures"),
        ({"weights": WEIGHTS, "sort": "yes"}, "'sort' .* True or False. Got 'yes'"),
        ({"weights": WEIGHTS, "before": [1.0, 2.0, np.nan]}, "'before' .* finite numbers. Got"),
        (
            {"weights": [[1.0], [1.0, 2.0]]},
            r"'weights' .* as many .* Got \[\[1.0\], \[1.0, 2.0\]\]",
        ),
        ({"weights": WEIGHTS, "shape": 3}, "'shape' .* two whole numbers"),
    ],
)
def test_refused_weights(arguments, message):
    with pytest.raises(ls.ParameterError, match=message):
        ls.plot_weights(**arguments)
