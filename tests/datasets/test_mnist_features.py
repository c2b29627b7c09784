"""The frozen convolution: equal to PyTorch's and to the obvious loops."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from tests.support.paths import GOLDEN

from linspike._files import save_arrays
from linspike.datasets import Filters, load_filters, save_filters, shipped_filters
from linspike.datasets.mnist_features import CHUNK, SHIPPED
from linspike.errors import FileFormatError, ParameterError

FEATURES = GOLDEN / "torch_features.npz"


ACTIVATE = {
    "relu": lambda x: np.maximum(x, 0.0),
    "sigmoid": lambda x: 1.0 / (1.0 + np.exp(-x)),
    "tanh": np.tanh,
}


def some_filters(seed=0, activation="relu"):
    rng = np.random.default_rng(seed)
    weights, bias = rng.normal(0.0, 0.3, (6, 5, 5)), rng.normal(0.0, 0.3, 6)
    return Filters(weights, bias, 0.5 + 0.01 * seed, activation)


def some_images(count, seed=0):
    return np.random.default_rng(seed).integers(0, 256, (count, 28, 28), np.uint8)


def naive(filters, image):
    """One activation after the other; those below 0 make no spike."""
    pixels, activate = image / 255.0, ACTIVATE[filters.activation]
    found = np.zeros((6, 12, 12))
    for number, row, column in np.ndindex(found.shape):
        responses = []
        for down, right in np.ndindex(2, 2):
            top, left = 2 * row + down, 2 * column + right
            window = pixels[top : top + 5, left : left + 5]
            response = (filters.weights[number] * window).sum() + filters.bias[number]
            responses.append(activate(response))
        found[number, row, column] = max(0.0, *responses)
    return found.ravel()


@pytest.mark.parametrize("which", [0, 1])
def test_equal_to_what_pytorch_made(which):
    with np.load(FEATURES, allow_pickle=False) as golden:
        filters = Filters(golden["weights"][which], golden["bias"][which])
        expected = golden["features"][which]
        found = filters.features(golden["images"])
    assert found.dtype == np.float32
    assert 0.05 < np.mean(expected > 0.0) < 0.95  # both sides of the rectifier are seen
    np.testing.assert_allclose(found, expected, rtol=0.0, atol=1e-5)


@pytest.mark.parametrize(
    ("activation", "name"), [("relu", "ReLU"), ("sigmoid", "Sigmoid"), ("tanh", "Tanh")]
)
def test_equal_to_pytorch_itself(activation, name):
    torch = pytest.importorskip("torch")
    filters, images = some_filters(3, activation), some_images(30)
    network = torch.nn.Sequential(
        torch.nn.Conv2d(1, 6, 5),
        getattr(torch.nn, name)(),
        torch.nn.MaxPool2d(2),
        torch.nn.Flatten(),
    )
    with torch.no_grad():
        network[0].weight.copy_(torch.from_numpy(filters.weights.copy())[:, None])
        network[0].bias.copy_(torch.from_numpy(filters.bias.copy()))
        expected = network(torch.from_numpy(images.astype(np.float32) / 255.0)[:, None]).numpy()
    expected = np.maximum(expected, 0.0)
    np.testing.assert_allclose(filters.features(images), expected, rtol=0.0, atol=1e-5)


@pytest.mark.parametrize("activation", ACTIVATE)
def test_equal_to_the_naive_twin(activation):
    filters, images = some_filters(1, activation), some_images(3)
    expected = [naive(filters, image) for image in images]
    found = filters.features(images)
    assert found.dtype == np.float32
    assert found.min() >= 0.0
    np.testing.assert_allclose(found, expected, rtol=0.0, atol=1e-5)


def test_chunks_do_not_show():
    filters, images = some_filters(2), some_images(CHUNK + 7)
    whole = filters.features(images)
    alone = np.concatenate([filters.features(images[at : at + 1]) for at in range(len(images))])
    np.testing.assert_allclose(whole, alone, rtol=0.0, atol=1e-6)
    assert filters.features(images[:0]).shape == (0, 864)


@pytest.mark.parametrize("kind", [np.int64, np.uint16, np.int16])
def test_whole_numbers_are_bytes_and_fractions_are_taken_as_they_are(kind):
    filters, images = some_filters(), some_images(2)
    expected = filters.features(images)
    np.testing.assert_array_equal(filters.features(images.astype(kind)), expected)
    np.testing.assert_allclose(filters.features(images / 255.0), expected, rtol=0.0, atol=1e-6)


@pytest.mark.parametrize(
    ("images", "message"),
    [
        (np.zeros((28, 28)), r"must be of shape \(n, 28, 28\). Got shape \(28, 28\) instead"),
        (np.zeros((2, 28, 27)), r"must be of shape \(n, 28, 28\). Got shape \(2, 28, 27\) instead"),
        (np.full((1, 28, 28), "a"), "must be whole numbers or fractions. Got type <U1 instead"),
        (np.full((1, 28, 28), np.nan), "must be finite. Got nan or infinity instead"),
        (np.full((1, 28, 28), 256), "must be in 0 to 255, or fractions. Got whole numbers of 256 to 256"),
        (np.full((1, 28, 28), -1), "must be in 0 to 255, or fractions. Got whole numbers of -1 to -1"),
    ],
)  # fmt: skip
def test_images_are_checked(images, message):
    with pytest.raises(ParameterError, match=f"The 'images' parameter of features {message}"):
        some_filters().features(images)


def test_activation_and_network_are_checked():
    with pytest.raises(
        ParameterError,
        match="The 'activation' parameter of Filters must be .*'sigmoid'.*Got 'softplus' instead",
    ):
        some_filters(activation="softplus")
    with pytest.raises(
        ParameterError,
        match="The 'network' parameter of shipped_filters must be .*'relu, SGD'.*Got 'lenet' instead",
    ):
        shipped_filters("lenet")


def test_filters_are_checked_and_do_not_change():
    with pytest.raises(
        ParameterError,
        match=r"The 'weights' parameter of Filters must be finite, of shape \(6, 5, 5\), with 6 biases. Got shapes \(6, 5\) and \(6,\) instead",
    ):
        Filters(np.zeros((6, 5)), np.zeros(6))
    with pytest.raises(ParameterError, match="Got nan or infinity instead"):
        Filters(np.zeros((6, 5, 5)), np.full(6, np.inf))
    weights = np.zeros((6, 5, 5))
    filters = Filters(weights, np.zeros(6))
    weights[:] = 1.0
    assert not filters.weights.any()
    with pytest.raises(ValueError, match="read-only"):
        filters.weights[0] = 1.0


@pytest.mark.parametrize("activation", ACTIVATE)
def test_a_file_comes_back_as_it_went(tmp_path, activation):
    path = tmp_path / "f.npz"
    several = [some_filters(seed, activation) for seed in (4, 2)]
    save_filters(path, several, [4, 2], {"epochs": 3})
    found = load_filters(path)
    assert found.seeds.tolist() == [4, 2]
    assert found.about == {"activation": activation, "epochs": 3}
    for one, two in zip(several, found.filters, strict=True):
        np.testing.assert_array_equal(one.weights, two.weights)
        np.testing.assert_array_equal(one.bias, two.bias)
        assert one.accuracy == two.accuracy
        assert two.activation == activation


@pytest.mark.parametrize("seeds", [[], [1], [1, 1]])
def test_seeds_are_checked(tmp_path, seeds):
    with pytest.raises(
        ParameterError,
        match="The 'seeds' parameter of save_filters must be different, one for each filter. Got 2 filters and seeds",
    ):
        save_filters(tmp_path / "f.npz", [some_filters(), some_filters()], seeds, {})
    assert not list(tmp_path.iterdir())


def arrays(**changes):
    whole = {"weights": np.zeros((2, 6, 5, 5)), "bias": np.zeros((2, 6)), "accuracy": np.ones(2)}
    return {**whole, "seeds": np.arange(2), "about": np.str_("{}"), **changes}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"bias": np.zeros((1, 6))}, "is damaged: its arrays differ in length"),
        ({"weights": np.zeros((2, 6, 5, 4))}, "is damaged and cannot be read .*of shape"),
        ({"weights": np.full((2, 6, 5, 5), np.nan)}, "is damaged and cannot be read .*finite"),
        ({"about": np.str_("{")}, "is damaged and cannot be read"),
        ({"bias": np.float64(1.0)}, "is damaged and cannot be read"),
    ],
)
def test_damaged_files_are_refused(tmp_path, changes, message):
    path = tmp_path / "f.npz"
    save_arrays(path, "linspike filters", 1, **arrays(**changes))
    with pytest.raises(FileFormatError, match=message):
        load_filters(path)


def test_other_files_are_refused(tmp_path):
    path = tmp_path / "f.npz"
    path.write_text("no")
    with pytest.raises(FileFormatError, match="is not a linspike filters file"):
        load_filters(path)
    save_arrays(path, "linspike filters", 2, **arrays())
    with pytest.raises(FileFormatError, match="was written by a newer linspike"):
        load_filters(path)


def test_a_file_that_names_no_activation_is_of_a_rectifier(tmp_path):
    path = tmp_path / "f.npz"
    save_arrays(path, "linspike filters", 1, **arrays())
    assert {one.activation for one in load_filters(path).filters} == {"relu"}


def read_shipped(network):
    import linspike.datasets

    return load_filters(Path(linspike.datasets.__file__).parent / SHIPPED[network])


@pytest.mark.parametrize(
    ("network", "activation", "optimiser", "layer"),
    [
        ("sigmoid", "sigmoid", "Adam", "Sigmoid"),
        ("tanh", "tanh", "Adam", "Tanh"),
        ("relu, SGD", "relu", "SGD", "ReLU"),
    ],
)
def test_three_sets_of_every_other_network_come_with_the_package(
    network, activation, optimiser, layer
):
    shipped = shipped_filters(network)
    assert len({one.weights.tobytes() for one in shipped}) == len(shipped) == 3
    assert all(one.accuracy > 0.97 for one in shipped)
    assert {one.activation for one in shipped} == {activation}
    images = some_images(2)
    for one in shipped:
        found = one.features(images)
        np.testing.assert_allclose(found[0], naive(one, images[0]), rtol=0.0, atol=1e-5)
    about = read_shipped(network).about
    assert (about["activation"], about["optimiser"]) == (activation, optimiser)
    assert layer in about["network"]
    assert f"--activation {activation} --optimiser {optimiser}" in about["command"]
    plain = {one.weights.tobytes() for one in shipped_filters()}
    assert not plain & {one.weights.tobytes() for one in shipped}


def test_ten_filters_come_with_the_package():
    shipped = shipped_filters()
    assert len(shipped) == 10
    assert all(one.accuracy > 0.97 for one in shipped)
    assert len({one.weights.tobytes() for one in shipped}) == 10
    images = some_images(2)
    for one in shipped:
        found = one.features(images)
        np.testing.assert_allclose(found[0], naive(one, images[0]), rtol=0.0, atol=1e-5)
    held = read_shipped("relu")
    assert {one.activation for one in shipped} == {"relu"}
    assert held.seeds.tolist() == list(range(10))
    assert held.about["epochs"] == 30
    desired = {"network", "optimiser", "epochs", "batch", "rate", "versions", "data", "command"}
    assert desired <= set(held.about)


@pytest.mark.parametrize(
    ("module", "heavy"),
    [
        ("linspike", {"torch", "pooch", "requests", "sklearn", "matplotlib", "numpy"}),
        ("linspike.datasets", {"torch", "pooch", "requests", "sklearn", "matplotlib"}),
        ("linspike.cli", {"torch", "pooch", "requests"}),
    ],
)
def test_what_is_not_needed_is_not_loaded(module, heavy):
    script = f"import sys, json, {module}; print(json.dumps(sorted(sys.modules)))"
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert not heavy & set(json.loads(done.stdout))
