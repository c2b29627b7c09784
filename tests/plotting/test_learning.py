"""Curves over epochs, of chains and of estimators; before and after."""

import numpy as np
import pytest

import linspike as ls

PATTERN = ls.Pattern([1.0, 2.0, 4.0], [0, 1, 0], n_channels=2, duration=50.0)


def learned():
    trainer = ls.Trainer(ls.SRM(), "dta", max_epochs=50)
    return trainer.fit([0.1, 0.1], PATTERN, ls.SpikeTimes([[8.0]]), history=True)


def test_learning_curves():
    result = learned()
    ax = ls.plot_learning([result, result], quantity="distance")
    assert len(ax.lines) == 2
    assert ax.lines[0].get_ydata().tolist() == result.history.distance.tolist()
    assert ls.plot_learning(result).get_ylabel() == "accuracy"
    with pytest.raises(ls.ParameterError, match="'quantity' parameter of plot_learning"):
        ls.plot_learning(result, quantity="joy")
    without = ls.Trainer(ls.SRM(), max_epochs=3).fit([0.1, 0.1], PATTERN, ls.SpikeCounts([3]))
    with pytest.raises(ls.ParameterError, match="Train with history=True"):
        ls.plot_learning(without)


def test_before_and_after(tmp_path):
    result = learned()
    axes = ls.plot_before_after(ls.SRM(), [0.1, 0.1], result.weights, PATTERN, [8.0])
    assert [ax.get_title(loc="left") for ax in axes] == ["before", "after"]
    axes[0].figure.savefig(tmp_path / "both.png")


class Fitted:
    def __init__(self):
        self.history_ = {"accuracy": [0.5, 1.0], "validation_accuracy": [0.4, 0.6], "distance": [2]}


@pytest.mark.parametrize("delays", [None, (None,), np.zeros(2)])
def test_delays_before_and_after_are_a_pair(delays):
    with pytest.raises(ls.ParameterError, match="'delays' .* must be a pair \\(before, after\\)"):
        ls.plot_before_after(ls.SRM(), [0.1, 0.1], [0.2, 0.2], PATTERN, [8.0], delays=delays)


def test_curves_of_an_estimator():
    ax = ls.plot_learning(Fitted())
    assert [line.get_ydata().tolist() for line in ax.lines] == [[0.5, 1.0], [0.4, 0.6]]
    names = [text.get_text() for text in ax.get_legend().get_texts()]
    assert names == ["accuracy", "validation accuracy"]
    (line,) = ls.plot_learning(Fitted().history_, quantity="distance").lines
    assert line.get_ydata().tolist() == [2]
    with pytest.raises(
        ls.ParameterError, match="'quantity' .* one of .'accuracy', 'validation_acc"
    ):
        ls.plot_learning(Fitted(), quantity="joy")


def test_a_classifier_can_be_given_itself():
    X = [[0.0], [0.1], [0.9], [1.0]]
    model = ls.SpikeClassifier(random_state=0, max_iter=3).fit(X, [0, 0, 1, 1])
    assert ls.plot_learning(model).lines[0].get_ydata().size == model.history_["accuracy"].size


def test_other_things_are_refused():
    for results in (None, 3, [1.0], [], ()):
        with pytest.raises(
            ls.ParameterError, match="'results' .* one at least, or a fitted estimator. Got "
        ):
            ls.plot_learning(results)
