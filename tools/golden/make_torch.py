"""Make torch_features.npz: what PyTorch's convolution makes of a few images.

PyTorch is no test dependency. To make the file again, install it and run

    python -m tools.golden.make_torch

'images' are 8 of 28 by 28 bytes: strokes, noise, all black, all white. 'weights' and 'bias' are
two sets of six filters, one small and one with large negative biases, where rectifying matters.
'features' (2, 8, 864) are the answers after ReLU and max-pooling, in float64, so good to 1e-12.
"""

import numpy as np
import torch
from tests.support.paths import GOLDEN
from tools.golden.cases import make_rng

SEED = 19980101


def strokes(rng: np.random.Generator) -> np.ndarray:
    """Return an image of a few soft lines, more like a digit than noise is."""
    rows, columns = np.mgrid[0:28, 0:28]
    image = np.zeros((28, 28))
    for _ in range(3):
        start, end = rng.uniform(4.0, 24.0, (2, 2))
        for share in np.linspace(0.0, 1.0, 40):
            row, column = start + share * (end - start)
            image = np.maximum(image, np.exp(-((rows - row) ** 2 + (columns - column) ** 2)))
    return np.round(255.0 * image).astype(np.uint8)


def responses(images: np.ndarray, weights: np.ndarray, bias: np.ndarray) -> np.ndarray:
    """Return what PyTorch makes of the images, as float64."""
    network = torch.nn.Sequential(
        torch.nn.Conv2d(1, 6, 5), torch.nn.ReLU(), torch.nn.MaxPool2d(2), torch.nn.Flatten()
    ).double()
    with torch.no_grad():
        network[0].weight.copy_(torch.from_numpy(weights)[:, None])
        network[0].bias.copy_(torch.from_numpy(bias))
        return network(torch.from_numpy(images / 255.0)[:, None]).numpy()


def main() -> None:
    """Write the file."""
    rng = make_rng(SEED)
    plain = [np.zeros((28, 28), np.uint8), np.full((28, 28), 255, np.uint8)]
    noise = [rng.integers(0, 256, (28, 28), np.uint8) for _ in range(2)]
    images = np.stack([strokes(rng) for _ in range(4)] + noise + plain)
    weights = rng.uniform(-1.0, 1.0, (2, 6, 5, 5)) * np.array([0.2, 1.0])[:, None, None, None]
    bias = np.stack([rng.uniform(-0.2, 0.2, 6), rng.uniform(-2.0, 0.0, 6)])
    features = np.stack([responses(images, w, b) for w, b in zip(weights, bias, strict=True)])
    np.savez_compressed(
        GOLDEN / "torch_features.npz",
        images=images,
        weights=weights,
        bias=bias,
        features=features,
        command=np.str_("python -m tools.golden.make_torch"),
        torch=np.str_(torch.__version__),
        seed=np.int64(SEED),
    )


if __name__ == "__main__":
    main()
