"""Commands for images: fetch MNIST, and train the filters in front of the spiking layer."""

from __future__ import annotations

import json
import re
import time
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import click

from linspike._files import check_output
from linspike.errors import FileFormatError
from linspike.features.download import fetch_mnist
from linspike.features.filters import Filters, load_filters, save_filters
from linspike.features.mnist import Images, load_mnist, mnist_files
from linspike.features.retrain import EPOCHS, provenance, require_torch, trained
from linspike.progress import Display, span

PATH = click.Path(path_type=Path)
DATA_DIR = click.option(
    "--data-dir",
    type=PATH,
    metavar="DIR",
    help="Folder with the files, or with a subfolder mnist; else $LINSPIKE_DATA_DIR, else a cache.",
)


def _seeds(ctx: click.Context, param: click.Parameter, text: str) -> list[int]:
    """Whole numbers and ranges of them, in the order given."""
    seeds: list[int] = []
    for part in text.split(","):
        match = re.fullmatch(r"\s*(\d{1,9})(?:-(\d{1,9}))?\s*", part)
        if match is None:
            raise click.BadParameter(f"{text!r} is not like 0-9 or 1,4,7-9.", ctx, param)
        first, last = int(match[1]), int(match[2] or match[1])
        if not 0 <= last - first < 1000:
            raise click.BadParameter(f"{part!r} is no range of up to 1000 seeds.", ctx, param)
        seeds += range(first, last + 1)
    if len(set(seeds)) != len(seeds):
        raise click.BadParameter(f"{text!r} names a seed twice.", ctx, param)
    return seeds


@click.group("data")
def data_group() -> None:
    """Fetch the data that experiments need."""


@data_group.command("mnist")
@DATA_DIR
def mnist(data_dir: Path | None) -> None:
    """Download the MNIST digits (11 MB), or verify those that are there.

    Every file is checked by its SHA-256. Prints where the files are.
    """
    with Display() as display:
        files = fetch_mnist(data_dir, progress=display.renew)
    for path, fetched in files:
        click.echo(f"{'fetched ' if fetched else 'verified'}  {path}")


@click.command("filters")
@click.option(
    "--seeds",
    default="0-9",
    show_default=True,
    callback=_seeds,
    help="One set of filters for each; like 0-9 or 1,4,7-9.",
)
@click.option(
    "--epochs",
    type=click.IntRange(min=1),
    default=EPOCHS,
    show_default=True,
    help="Times that all images are learned.",
)
@click.option(
    "-o", "--output", type=PATH, required=True, metavar="FILE", help="Where the filters go."
)
@DATA_DIR
def filters(seeds: list[int], epochs: int, output: Path, data_dir: Path | None) -> None:
    """Train the filters that turn MNIST images into features; needs linspike[cnn].

    They are the first layer of the network 6C5-2P2-10, trained by backpropagation. Each set is
    kept in the folder FILE.parts until all are there, so that the same command goes on where it
    was stopped; then FILE is written, whole.
    """
    require_torch()
    check_output(output, *mnist_files(data_dir))
    command = f"linspike filters --seeds {','.join(map(str, seeds))} --epochs {epochs}"
    about = provenance(epochs, command)
    folder = output.with_name(f"{output.name}.parts")
    try:
        with Display() as display:
            workshop = Workshop(about, folder, data_dir, display)
            found = [workshop.filters(seed) for seed in seeds]
    except KeyboardInterrupt:
        click.echo("linspike: interrupted; the same command goes on with this seed.", err=True)
        raise SystemExit(130) from None
    _write(output, found, seeds, about)
    _clear(folder, seeds)
    for seed, one in zip(seeds, found, strict=True):
        click.echo(f"seed {seed}  test accuracy {one.accuracy:.2%}")
    click.echo(f"file  {output}")


@dataclass
class Workshop:
    """Where filters are trained, one seed after the other, and each is kept."""

    about: dict[str, Any]
    folder: Path
    data_dir: Path | None
    display: Display

    def filters(self, seed: int) -> Filters:
        """Those of an earlier run that went the same way, or new ones."""
        path = _part(self.folder, seed)
        if path.is_file():
            kept = load_filters(path)
            if kept.seeds.tolist() == [seed] and _way(kept.about) == _way(self.about):
                self.display.say(f"seed {seed}: kept from an earlier run")
                return kept.filters[0]
        one = self._trained(seed)
        _write(path, [one], [seed], self.about)
        return one

    def _trained(self, seed: int) -> Filters:
        train, test = self._images
        epochs, started = self.about["epochs"], time.monotonic()

        def show(epoch: int, accuracy: float) -> None:
            left = (time.monotonic() - started) / epoch * (epochs - epoch)
            self.display.renew(
                f"seed {seed}: epoch {epoch} of {epochs}, test accuracy {accuracy:.2%}, "
                f"{span(left)} left"
            )

        return trained(seed, train, test, epochs=epochs, progress=show)

    @cached_property
    def _images(self) -> tuple[Images, Images]:
        train = load_mnist("train", data_dir=self.data_dir)
        return train, load_mnist("test", data_dir=self.data_dir)


def _way(about: dict[str, Any]) -> str:
    """How filters came about, but for the command: other seeds may have been asked for."""
    return json.dumps({**about, "command": ""}, sort_keys=True)


def _part(folder: Path, seed: int) -> Path:
    return folder / f"seed-{seed}.npz"


def _write(path: Path, found: list[Filters], seeds: list[int], about: dict[str, Any]) -> None:
    try:
        path.parent.mkdir(exist_ok=True)
        save_filters(path, found, seeds, about)
    except OSError as error:
        raise FileFormatError(f"{path} cannot be written: {error.strerror}.") from None


def _clear(folder: Path, seeds: list[int]) -> None:
    for seed in seeds:
        _part(folder, seed).unlink(missing_ok=True)
    if folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()
