"""Training filters: the command with a stand-in for PyTorch, and the real thing where it is."""

import sys

import numpy as np
import pytest
import small_mnist

from linspike import data_commands
from linspike.errors import MissingExtraError
from linspike.features import Filters, load_filters, load_mnist, mnist, retrain, save_filters
from shell import run


@pytest.fixture
def folder(tmp_path, monkeypatch):
    small_mnist.install(monkeypatch)
    return small_mnist.write(tmp_path / "mnist", small_mnist.packed())


class Trainer:
    """Stands in for `trained`: filters that name their seed, and failure when asked for."""

    def __init__(self):
        self.seeds = []
        self.fails_at = {}

    def __call__(self, seed, train, test, *, epochs, progress):
        assert (len(train.images), len(test.images)) == (20, 10)
        for epoch in range(epochs):
            progress(epoch + 1, 0.5)
            if seed in self.fails_at:
                raise self.fails_at[seed]
        self.seeds.append(seed)
        return Filters(np.full((6, 5, 5), float(seed)), np.zeros(6), 0.98)


@pytest.fixture
def trainer(monkeypatch):
    stand_in = Trainer()
    monkeypatch.setattr(data_commands, "require_torch", lambda: None)
    monkeypatch.setattr(data_commands, "trained", stand_in)
    return stand_in


def test_the_command_writes_one_file(tmp_path, folder, trainer):
    path = tmp_path / "f.npz"
    done = run("filters", "--seeds", "3,0-1", "--epochs", 2, "-o", path, "--data-dir", folder)
    assert done.code == 0, done.err
    assert done.out.splitlines() == [
        *(f"seed {seed}  test accuracy 98.00%" for seed in (3, 0, 1)),
        f"file  {path}",
    ]
    assert "seed 0: epoch 2 of 2, test accuracy 50.00%, 0 s left" in done.err
    assert len(done.err.splitlines()) == 6
    held = load_filters(path)
    assert held.seeds.tolist() == [3, 0, 1]
    assert [one.weights[0, 0, 0] for one in held.filters] == [3.0, 0.0, 1.0]
    assert held.about["command"] == "linspike filters --seeds 3,0,1 --epochs 2"
    assert held.about["data"]["sha256"] == mnist.FILES
    assert held.about["versions"]["numpy"] == np.__version__
    assert (held.about["batch"], held.about["rate"], held.about["epochs"]) == (100, 1e-3, 2)
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["f.npz", "mnist"]


def test_a_stopped_run_goes_on(tmp_path, folder, trainer):
    path = tmp_path / "f.npz"
    path.write_text("old")
    command = ("filters", "--seeds", "0-2", "--epochs", 1, "-o", path, "--data-dir", folder)
    trainer.fails_at = {2: KeyboardInterrupt()}
    done = run(*command)
    assert (done.code, done.out) == (130, "")
    assert "interrupted; the same command goes on with this seed" in done.err
    assert path.read_text() == "old"
    trainer.fails_at = {}
    done = run(*command)
    assert done.code == 0, done.err
    assert "seed 1: kept from an earlier run" in done.err
    assert trainer.seeds == [0, 1, 2]
    assert [one.weights[0, 0, 0] for one in load_filters(path).filters] == [0.0, 1.0, 2.0]


def test_filters_trained_otherwise_are_not_kept(tmp_path, folder, trainer):
    parts = tmp_path / "f.npz.parts"
    parts.mkdir()
    other = Filters(np.ones((6, 5, 5)), np.ones(6))
    save_filters(parts / "seed-0.npz", [other], [0], retrain.provenance(1, ""))
    done = run(
        "filters", "--seeds", 0, "--epochs", 2, "-o", tmp_path / "f.npz", "--data-dir", folder
    )
    assert done.code == 0, done.err
    assert trainer.seeds == [0]
    assert not parts.exists()


@pytest.mark.parametrize(
    ("seeds", "message"),
    [
        ("a", "'a' is not like 0-9 or 1,4,7-9."),
        ("-3", "'-3' is not like 0-9 or 1,4,7-9."),
        ("", "'' is not like 0-9 or 1,4,7-9."),
        ("5-2", "'5-2' is no range of up to 1000 seeds."),
        ("0-1000", "'0-1000' is no range of up to 1000 seeds."),
        ("1,0-3", "'1,0-3' names a seed twice."),
    ],
)
def test_seeds_that_make_no_sense(tmp_path, seeds, message):
    done = run("filters", "--seeds", seeds, "-o", tmp_path / "f.npz")
    assert (done.code, done.out) == (2, "")
    assert message in done.err


def test_places_that_cannot_be_written(tmp_path, folder, trainer, monkeypatch):
    done = run("filters", "-o", tmp_path / "no" / "f.npz")
    assert done.code == 1
    assert "cannot be written: there is no folder" in done.err

    def full(*arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(data_commands, "save_filters", full)
    done = run("filters", "--seeds", 0, "-o", tmp_path / "f.npz", "--data-dir", folder)
    assert done.code == 1
    assert "seed-0.npz cannot be written: No space left on device." in done.err


def test_images_are_never_overwritten(folder, trainer):
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    contents = [path.read_bytes() for path in files]
    done = run("filters", "--seeds", 0, "-o", files[0], "--data-dir", folder)
    assert done.code == 1
    assert f"{files[0]} would be overwritten by its own results." in done.err
    assert [path.read_bytes() for path in files] == contents


def test_absent_images(tmp_path, trainer):
    done = run("filters", "-o", tmp_path / "f.npz", "--data-dir", tmp_path)
    assert (done.code, done.out) == (1, "")
    assert "linspike: MNIST is not there:" in done.err
    assert not list(tmp_path.iterdir())


def test_without_pytorch(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(
        MissingExtraError,
        match=r"Training filters needs PyTorch: pip install 'linspike\[cnn\]'. The filters that come with linspike need nothing.",
    ):
        retrain.require_torch()
    done = run("filters", "-o", tmp_path / "f.npz")
    assert (done.code, done.out) == (1, "")
    assert "linspike: Training filters needs PyTorch" in done.err


def test_versions_of_absent_packages(monkeypatch):
    monkeypatch.setattr(retrain, "PACKAGES", ("no-such-package",))
    assert retrain.provenance(1, "")["versions"]["no-such-package"] == "not installed"


def test_training_with_pytorch(folder):
    torch = pytest.importorskip("torch")
    train, test = (load_mnist(part, data_dir=folder) for part in ("train", "test"))
    seen, threads, state = [], torch.get_num_threads(), torch.get_rng_state()
    one = retrain.trained(5, train, test, epochs=2, progress=lambda *told: seen.append(told))
    torch.rand(3)
    two = retrain.trained(5, train, test, epochs=2)
    np.testing.assert_array_equal(one.weights, two.weights)
    np.testing.assert_array_equal(one.bias, two.bias)
    assert [epoch for epoch, _ in seen] == [1, 2]
    assert one.accuracy == seen[-1][1]
    assert torch.get_num_threads() == threads
    torch.set_rng_state(state)
    other = retrain.trained(6, train, test, epochs=2)
    assert torch.equal(torch.get_rng_state(), state)
    assert not np.array_equal(one.weights, other.weights)


def test_training_learns(folder):
    pytest.importorskip("torch")
    train = load_mnist("train", data_dir=folder)
    assert retrain.trained(0, train, train, epochs=60).accuracy > 0.9
