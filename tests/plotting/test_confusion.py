"""The confusion matrix: counts, order, refusals."""

import pytest

import linspike as ls

TRUE = ["cat", "cat", "dog", "dog", "dog"]
PREDICTED = ["cat", "dog", "dog", "dog", "emu"]


def written(ax):
    return {(text.get_position()[1], text.get_position()[0]): text.get_text() for text in ax.texts}


def test_counts_stand_in_their_cells(tmp_path):
    ax = ls.plot_confusion(TRUE, PREDICTED)
    assert [tick.get_text() for tick in ax.get_yticklabels()] == ["cat", "dog", "emu"]
    assert written(ax) == {(0, 0): "1", (0, 1): "1", (1, 1): "2", (1, 2): "1"}
    assert ax.images[0].get_array()[1].tolist() == pytest.approx([0.0, 2 / 3, 1 / 3])
    assert ax.get_title(loc="left") == "3 of 5 right, 60 %"
    ax.figure.savefig(tmp_path / "confusion.png")


def test_labels_give_the_order_and_may_be_more():
    ax = ls.plot_confusion([1, 2], [2, 2], labels=[3, 2, 1])
    assert written(ax) == {(2, 1): "1", (1, 1): "1"}


def test_many_classes_have_no_numbers():
    assert not ls.plot_confusion(range(30), range(30)).texts


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([], []), r"'y_true' .* one class per sample. Got none"),
        (([1, 2], [1]), r"'y_pred' .* as many classes as y_true has, 2. Got 1 classes"),
        (([[1, 2]], [1]), r"'y_true' .* one class per sample, .* Got shape \(1, 2\)"),
        (([[1], [1, 2]], [1]), r"'y_true' .* one class per sample, .* Got \[\[1\], \[1, 2\]\]"),
        ((["a", "b"], [0, 1]), r"'y_pred' .* of the kind that y_true has.* Got \[0, 1\]"),
        (([1, 2], [1, "b"]), r"'y_pred' .* all of them texts or all numbers. Got \[1, 'b'\]"),
        (([1, None], [1, 2]), r"'y_true' .* all of them texts or all numbers. Got \[1, None\]"),
        (([1, 2], [1, float("nan")]), "'y_pred' .* Got NaN among them .* samples without a class"),
        (([1, 2], [1, 2], 3), r"'labels' .* a list of different classes, \[1, 2\] .* Got 3"),
        (([1, 2], [1, 2], [1, 2, None]), "'labels' .* a list of different classes"),
        (([1, 2], [1, 2], [[1, 2]]), "'labels' .* a list of different classes"),
        (([1, 2], [1, 2], [1]), r"'labels' .* different classes, \[1, 2\] among them"),
        (([1, 2], [1, 2], [1, 2, 2]), "'labels' .* different classes"),
    ],
)
def test_refused_classes(arguments, message):
    true, predicted, *labels = arguments
    with pytest.raises(ls.ParameterError, match=message):
        ls.plot_confusion(true, predicted, labels=labels[0] if labels else None)
