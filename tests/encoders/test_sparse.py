"""Sparse tables: the same patterns as of the dense ones, without a dense copy."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy import sparse
from sklearn.base import clone
from tests.support.samples import RASTERS

import linspike as ls
from linspike.encoders import sparse as blocks

TABLE = np.random.default_rng(0).poisson(0.4, (40, 6)).astype(float)
FLAT = RASTERS.reshape(5, 28)
CASES = {
    "population": (ls.PopulationEncoder(4, silent_below=0.05), TABLE),
    "latency": (ls.LatencyEncoder(20.0), TABLE),
    "single precision": (ls.LatencyEncoder(20.0), (TABLE / 3).astype(np.float32)),
    "raster": (ls.RasterEncoder(0.1, n_channels=4), FLAT),
    "raster, channels first": (ls.RasterEncoder(0.3, "channel_time", 7, folds=2), FLAT),
    "raster of bool": (ls.RasterEncoder(n_channels=4), FLAT.astype(bool)),
}
every_case = pytest.mark.parametrize("case", CASES)
FORMATS = ["csr_array", "csc_array", "coo_array", "lil_array", "csr_matrix", "csc_matrix"]


def same_learned(one, other):
    """Whether two encoders learned the same."""
    learned = {name for name in vars(one) if name.endswith("_")}
    assert learned == {name for name in vars(other) if name.endswith("_")}
    assert all(np.array_equal(getattr(one, name), getattr(other, name)) for name in learned)
    return True


@every_case
@pytest.mark.parametrize("form", FORMATS)
def test_the_same_as_dense(case, form):
    encoder, table = CASES[case]
    stored = getattr(sparse, form)(table)
    dense, fitted = clone(encoder).fit(table), clone(encoder).fit(stored)
    assert same_learned(fitted, dense)
    expected = dense.transform(table)
    for each in (fitted, dense):
        for data in (stored, table):
            assert each.transform(data) == expected
    assert (stored != getattr(sparse, form)(table)).nnz == 0  # the caller's stays as it is


@given(
    arrays.arrays(
        np.float64,
        st.tuples(st.integers(1, 5), st.integers(1, 4)),
        elements=st.sampled_from([0.0, -0.0, 1e-300, 0.5, 1.0, 1.0, 3.0]),
    )
)
def test_ties_zeros_and_empty_rows(table):
    for encoder in (ls.LatencyEncoder(10.0, scale=2.0), ls.PopulationEncoder(3)):
        encoder.fit(table)
        assert encoder.transform(sparse.csr_array(table)) == encoder.transform(table)
        stored = sparse.csr_array(table)
        assert same_learned(clone(encoder).fit(stored), encoder)


def test_what_is_stored_in_pieces():
    """A table whose cell (0, 1) is stored as two values, and its zeros as values of their own."""
    pieces = ([1.0, 3.0, 0.0, -1.0, 2.0], [1, 0, 2, 1, 1], [0, 4, 5])
    stored = sparse.csr_array(pieces, shape=(2, 3))
    dense = np.array([[3.0, 0.0, 0.0], [0.0, 2.0, 0.0]])
    for encoder in (ls.LatencyEncoder(), ls.PopulationEncoder(3)):
        assert encoder.fit(stored).transform(stored) == clone(encoder).fit_transform(dense)
    assert stored.data.tolist() == pieces[0]


def test_blocks_of_rows(monkeypatch):
    monkeypatch.setattr(blocks, "CELLS", 30)
    whole = {}
    for case, (encoder, table) in CASES.items():
        whole[case] = clone(encoder).fit(table).transform(sparse.csr_array(table))
    assert [len(b) for b in blocks.iter_blocks(TABLE, 6)] == [5] * 8
    assert [len(b) for b in blocks.iter_blocks(TABLE[:3], 100)] == [1] * 3  # wider than a block
    monkeypatch.undo()
    for case, (encoder, table) in CASES.items():
        assert whole[case] == clone(encoder).fit_transform(table)


def test_no_dense_copy():
    rng = np.random.default_rng(0)
    shape = 2000, 50_000  # 800 MB if it were dense
    table = sparse.random_array(shape, density=1e-4, format="csr", rng=rng)
    flat = (table > 0).astype(np.uint8)
    for encoder, data in (
        (ls.LatencyEncoder(), table),
        (ls.RasterEncoder(n_channels=500), flat),
    ):
        tracemalloc.start()
        patterns = encoder.fit(data).transform(data)
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert patterns.times.size == table.nnz
        assert most < 60e6


def test_refusals():
    bad = sparse.csr_array(np.array([[0.0, 2.0], [0.0, -1.5]]))
    message = "'X' .* at least 0. Got -1.5 in row 1, column 1 instead. Negative values"
    with pytest.raises(ls.ParameterError, match=message):
        ls.LatencyEncoder().fit(bad)
    with pytest.raises(ls.ParameterError, match="only zeros instead. Give a scale"):
        ls.LatencyEncoder().fit(sparse.csr_array((3, 2)))
    encoder = ls.PopulationEncoder(outside="error").fit(sparse.csr_array(TABLE))
    far = sparse.lil_array(np.tile(TABLE, (40, 1)))
    far[1501, 2] = 99.0
    with pytest.raises(ls.ParameterError, match="in column 2. Got 99.0 in row 1501 instead"):
        encoder.transform(far)
    with pytest.raises(ls.ParameterError, match="made of 0 and 1. Got other values"):
        ls.RasterEncoder(n_channels=3).fit(sparse.csr_array(TABLE))
    with pytest.raises(ls.ParameterError, match=r"a divisor of the columns \(28\)"):
        ls.RasterEncoder().fit(sparse.csr_array(FLAT))
    for encoder in (ls.LatencyEncoder(), ls.PopulationEncoder()):
        with pytest.raises(ValueError, match="contains NaN"):
            encoder.fit(sparse.csr_array([[np.nan, 1.0]]))


@pytest.mark.parametrize(
    "settings",
    [{}, {"encoder": ls.LatencyEncoder(), "early_stopping": True, "validation_fraction": 0.3}],
)
def test_estimators(settings):
    labels = (TABLE[:, 0] > TABLE[:, 1]).astype(int)
    weights = np.arange(40) % 3
    for stored in (sparse.csr_array(TABLE), sparse.csc_matrix(TABLE)):
        clf, dense = (ls.SpikeClassifier(max_iter=3, random_state=0, **settings) for _ in "ab")
        clf.fit(stored, labels, weights)
        dense.fit(TABLE, labels, weights)
        assert np.array_equal(clf.weights_, dense.weights_)
        assert np.array_equal(clf.decision_function(stored), dense.decision_function(TABLE))
        assert np.array_equal(clf.predict(stored), clf.predict(TABLE))
    desired = [[3.0 + label] for label in labels]
    mapper = ls.SpikeMapper(settings.get("encoder"), max_iter=2, random_state=0)
    found = mapper.fit(stored, desired, weights).weights_
    assert np.array_equal(mapper.fit(TABLE, desired, weights).weights_, found)


def test_a_transformer_without_sparse_tables_refuses_them():
    class Dense(ls.PopulationEncoder):
        def __sklearn_tags__(self):
            tags = super().__sklearn_tags__()
            tags.input_tags.sparse = False
            return tags

    with pytest.raises(TypeError, match="Sparse data was passed for X, but dense data is required"):
        ls.SpikeClassifier(Dense()).fit(sparse.csr_array(TABLE), np.arange(40) % 2)
