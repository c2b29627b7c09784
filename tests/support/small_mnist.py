"""A handful of images in the four files of MNIST, with checksums of their own."""

import gzip
import hashlib

import numpy as np

from linspike.datasets import mnist

COUNTS = {"train": 20, "t10k": 10}


def idx(array, magic):
    """An idx file as it lies on disk, unpacked."""
    head = [magic, *array.shape]
    return b"".join(size.to_bytes(4, "big") for size in head) + array.astype(np.uint8).tobytes()


def contents():
    """Unpacked files by name."""
    rng = np.random.default_rng(0)
    files = {}
    for stem, count in COUNTS.items():
        pictures = rng.integers(0, 256, (count, 28, 28))
        files[f"{stem}-images-idx3-ubyte"] = idx(pictures, mnist.IMAGES)
        files[f"{stem}-labels-idx1-ubyte"] = idx(rng.integers(0, 10, count), mnist.LABELS)
    return files


def packed():
    """Compressed files by name."""
    return {f"{name}.gz": gzip.compress(raw, mtime=0) for name, raw in contents().items()}


def sums(files):
    return {name: hashlib.sha256(raw).hexdigest() for name, raw in files.items()}


def write(folder, files):
    folder.mkdir(parents=True, exist_ok=True)
    for name, raw in files.items():
        (folder / name).write_bytes(raw)
    return folder


def install(monkeypatch):
    """Let these few images be the published ones."""
    monkeypatch.setattr(mnist, "PARTS", {"train": ("train", 20), "test": ("t10k", 10)})
    for name, digest in sums(packed()).items():
        monkeypatch.setitem(mnist.FILES, name, digest)
    monkeypatch.setattr(mnist, "UNPACKED", sums(contents()))
    monkeypatch.delenv(mnist.FOLDER, raising=False)
