"""What SpikeClassifier refuses, and what it says."""

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.preprocessing import MinMaxScaler
from tests.support.estimator_kinds import X, Y, made

import linspike as ls


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"rule": "dtaa"}, r"'rule' parameter of SpikeClassifier must be a Rule or one of"),
        ({"rule": None}, r"'rule' parameter of SpikeClassifier must be a Rule or one of"),
        ({"rule": "mst", "code": "times"}, "'rule' parameter .* one that learns times"),
        ({"spikes": 0}, "'spikes' .* at least 1 and at most 1000. Got 0"),
        ({"spikes": 1001}, "'spikes' .* at least 1 and at most 1000. Got 1001"),
        ({"spikes": 2.5}, "'spikes' .* a whole number"),
        ({"spikes": 1, "code": "times"}, "'spikes' .* at least 2 and at most 1000. Got 1"),
        ({"code": "rate"}, r"'code' .* one of \('counts', 'times'\). Got 'rate'"),
        ({"target": "most"}, r"'target' .* one of \('at_least', 'exact'\). Got 'most'"),
        ({"ties": None}, r"'ties' .* one of \('graded', 'paper'\). Got None"),
        ({"neuron": "SRM"}, "'neuron' parameter of SpikeClassifier must be None or an SRM"),
        ({"until": -1.0}, "'until' parameter of SpikeClassifier must be positive. Got -1.0"),
        ({"until": 0.0}, "'until' parameter of SpikeClassifier must be positive. Got 0.0"),
        ({"until": "late"}, "'until' parameter of SpikeClassifier must be positive"),
        ({"until": np.inf, "code": "times"}, "'until' .* positive and finite for code='times'"),
        ({"max_iter": 0}, "'max_iter' .* at least 1 .* Got 0"),
        ({"max_iter": 10**8}, "'max_iter' parameter of SpikeClassifier .* at most 10000000"),
        ({"early_stopping": 1}, "'early_stopping' .* True or False. Got 1"),
        ({"validation_fraction": 0.0}, r"'validation_fraction' .* in \(0, 1\). Got 0.0"),
        ({"validation_fraction": 1.0}, r"'validation_fraction' .* in \(0, 1\). Got 1.0"),
        (
            {"validation_fraction": 0.01, "early_stopping": True},
            "'validation_fraction' .* leaves samples of every class on both sides. Got 0.01",
        ),
        ({"n_iter_no_change": 0}, "'n_iter_no_change' .* at least 1. Got 0"),
        ({"class_weight": "heavy"}, "'class_weight' .* or a dict .* Got 'heavy'"),
        ({"class_weight": [1.0, 2.0, 3.0]}, "'class_weight' .* None, 'balanced', or a dict"),
        ({"class_weight": {0: -1.0}}, "'class_weight' .* numbers of at least 0. Got -1.0"),
        ({"class_weight": {0: np.nan}}, "'class_weight' .* numbers of at least 0. Got nan"),
        ({"class_weight": {0: 0, 1: 0, 2: 0}}, "'class_weight' .* above 0 for one class at least"),
        ({"class_weight": {"a": 1.0}}, r"The classes, .* are not in class_weight"),
        ({"warm_start": "yes"}, "'warm_start' .* True or False. Got 'yes'"),
        ({"n_jobs": 0}, "'n_jobs' .* None or not 0. Got 0"),
        ({"n_jobs": 1.5}, "'n_jobs' .* a whole number"),
        ({"random_state": "seed"}, "'seed' cannot be used to seed"),
        ({"verbose": -1}, "'verbose' .* at least 0. Got -1"),
        ({"encoder": "population"}, "'encoder' .* None or a transformer .* Got 'population'"),
        ({"encoder": ls.PopulationEncoder}, "'encoder' .* None or a transformer"),
        ({"schedule": (1.0, -0.1)}, "'schedule' .* finite and at least 0. Got -0.1"),
        ({"schedule": "fast"}, "'schedule' .* a schedule or a pair of factors"),
        ({"encoder": MinMaxScaler()}, "'encoder' .* returns a PatternSet .* Got ndarray"),
    ],
)
def test_bad_parameters(settings, message):
    clf = made(**settings)  # making one only stores
    with pytest.raises(ValueError, match=message):
        clf.fit(X, Y)
    with pytest.raises(NotFittedError, match="This SpikeClassifier instance is not fitted"):
        clf.predict(X)
    if "early_stopping" not in settings:
        with pytest.raises(ValueError, match=message):
            made(**settings).partial_fit(X, Y, classes=[0, 1, 2])


class Forgetful(ls.PopulationEncoder.__mro__[1]):
    """Returns a pattern less than there are samples."""

    def fit(self, X, y=None):
        return self

    def transform(self, X):
        return ls.PopulationEncoder().fit_transform(X)[1:]


def test_an_encoder_that_loses_samples():
    with pytest.raises(ls.ParameterError, match=r"a pattern per sample. Got PatternSet\(29 patt"):
        made(encoder=Forgetful()).fit(X, Y)


def test_weights_that_run_away():
    rule = ls.rules.EML(eta=1e308)
    clf = made(rule=rule, max_iter=20, warm_start=True)
    with pytest.raises(ls.ParameterError, match="'rule' .* one whose weights stay finite. Got EML"):
        clf.fit(X, Y)
    assert not hasattr(clf, "weights_")
    before = clf.set_params(rule="dta").fit(X, Y).weights_
    with pytest.raises(ls.ParameterError, match="one whose weights stay finite"):
        clf.set_params(rule=rule).fit(X, Y)
    assert clf.weights_ is before


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (None, "requires y to be passed, but the target y is None"),
        (Y[:-1], "inconsistent numbers of samples: .30, 29."),
        (np.zeros(30), r"one class alone, .* samples of at least 2 classes. Got \[0.0\] instead"),
        (np.linspace(0.0, 1.0, 30), "Unknown label type: continuous"),
        (np.eye(30), "y should be a 1d array"),
        (["a", None, "b"] * 10, "'y' .* all texts or all numbers, without gaps. Got None at 1 in"),
        ([None, "a", "b"] * 10, "without gaps. Got None at 0 .* Unknown label type NoneType"),
        (Y.astype(object), "Got 0 at 0 .* Unknown label type int .* as from astype.int."),
        (np.array(["a", 1] * 15, dtype=object), "all texts or all numbers, .* Got 1 at 1"),
    ],
)
def test_bad_labels(labels, message):
    with pytest.raises(ValueError, match=message):
        made().fit(X, labels)


def test_bad_classes():
    with pytest.raises(ls.ParameterError, match="'classes' parameter of partial_fit must be all"):
        made().partial_fit(X, Y)
    with pytest.raises(ls.SpikeDataError, match=r"at least 2 classes. Got \[\]"):
        made().partial_fit(X, Y, classes=[])
    with pytest.raises(ls.ParameterError, match=r"'y' .* labels among \[0, 1\]. Got 2 instead"):
        made().partial_fit(X, Y, classes=[0, 1])
    with pytest.raises(ls.ParameterError, match="'classes' parameter of partial_fit must be all t"):
        made().partial_fit(X, Y, classes=np.array([0, 1, 2], dtype=object))
    with pytest.raises(ValueError, match="Unknown label type: continuous"):
        made().partial_fit(X, Y, classes=[0.5, 1.5, 2.5])
    clf = made().partial_fit(X, Y, classes=[2, 0, 1])
    with pytest.raises(ls.ParameterError, match="'classes' .* Got None at 2 instead"):
        clf.partial_fit(X, Y, classes=["0", "1", None])
    clf.partial_fit(X[:4], Y[:4], classes=[0, 1, 2])
    for changed in ([0, 1], [0, 1, 3], ["0", "1", "2"]):
        with pytest.raises(ls.ParameterError, match=r"those of the first call, \[0, 1, 2\]"):
            clf.partial_fit(X, Y, classes=changed)
    for unknown in (Y + 1, Y.astype(str)):
        with pytest.raises(ls.ParameterError, match=r"'y' .* labels among \[0, 1, 2\]"):
            clf.partial_fit(X, unknown)
        with pytest.raises(ls.ParameterError, match=r"'y' .* labels among \[0, 1, 2\]"):
            clf.set_params(warm_start=True).fit(X, unknown)


def test_texts_are_no_numbers():
    clf = made().partial_fit(X, np.where(Y == 0, 2, 10), classes=[2, 10])
    with pytest.raises(ls.ParameterError, match=r"'y' .* labels among \[2, 10\]. Got '2'"):
        clf.partial_fit(X, np.where(Y == 0, "2", "10"))


def test_bad_numbers():
    clf = made().fit(X, Y)
    texts = X.astype(object)
    texts[1, 0] = "abc"
    message = "must be a table of numbers. Got the text 'abc' instead. Leave columns of texts out"
    for use in (clf.predict, lambda values: made().fit(values, Y)):
        with pytest.raises(ls.ParameterError, match=message):
            use(texts)
    with pytest.raises(ValueError, match="X has 2 features, but SpikeClassifier is expecting 3"):
        clf.predict(X[:, :2])
    with pytest.raises(ValueError, match="Input X contains NaN"):
        clf.predict(np.where(X > 0, X, np.nan))
    with pytest.raises(ValueError, match="Expected 2D array, got 1D"):
        clf.predict(X[0])


@pytest.mark.parametrize("encoder", [None, ls.PopulationEncoder()])
def test_rasters_need_their_encoder(encoder):
    rasters = np.zeros((2, 7, 4))
    message = (
        r"'X' .* a table of numbers, .* Got shape \(2, 7, 4\) .* encoder=ls.RasterEncoder\(dt="
    )
    for given in (rasters, rasters.tolist()):
        with pytest.raises(ls.ParameterError, match=message):
            made(encoder=encoder).fit(given, [0, 1])
    with pytest.raises(ls.ParameterError, match="'X' parameter of SpikeMapper must be a table"):
        ls.SpikeMapper(encoder).fit(rasters, [[], []])


LISTS = [[[1.0, 2.0], [3.0]], [[4.0], []]]


@pytest.mark.parametrize(
    "X", [LISTS, np.array(LISTS, object), [[1.0, 2.0], [3.0]], ((1.0,), (2.0, 3.0))]
)
@pytest.mark.parametrize("encoder", [None, ls.RasterEncoder(dt=1.0)])
def test_nested_lists_of_spike_times_name_the_remedy(X, encoder):
    message = (
        r"^The 'X' parameter of SpikeClassifier must be a table of numbers, or spikes as a "
        r"PatternSet\. Got nested lists of different lengths instead\. Of spike times in lists, "
        r"\[sample\]\[channel\], make one with ls\.PatternSet\.from_lists\(lists, duration\)\.$"
    )
    with pytest.raises(ls.ParameterError, match=message):
        ls.SpikeClassifier(encoder).fit(X, [0, 1])


def test_nested_lists_after_a_fit_to_spikes_name_it_too():
    patterns = ls.PatternSet.from_lists(LISTS, duration=100.0)
    clf = ls.SpikeClassifier(max_iter=1).fit(patterns, [0, 1])
    with pytest.raises(ls.ParameterError, match=r"a PatternSet, as in fit.*PatternSet\.from_lists"):
        clf.predict(LISTS)


def test_nested_lists_of_equal_lengths_name_it_too():
    with pytest.raises(ls.ParameterError, match=r"RasterEncoder\(dt=.*PatternSet\.from_lists"):
        ls.SpikeClassifier().fit([[[1.0], [3.0]], [[4.0], [5.0]]], [0, 1])


@pytest.mark.parametrize("wrap", [lambda events: events, lambda events: [events, events]])
def test_structured_arrays_have_a_remedy(wrap):
    events = np.zeros(4, dtype=[("t", int), ("x", int), ("y", int), ("p", int)])
    message = r"'X' .* Got structured arrays instead. Use PatternSet.from_structured\(events"
    with pytest.raises(ls.ParameterError, match=message):
        ls.SpikeClassifier().fit(wrap(events), [0, 1])
