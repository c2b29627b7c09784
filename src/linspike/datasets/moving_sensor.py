"""Events of a simulated event camera that moves in front of images, as N-MNIST was recorded."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from linspike._typing import Floats, Ints
from linspike._validation import check_integer, check_real
from linspike.errors import ParameterError, Words
from linspike.spikes.generators import Seed, check_generator
from linspike.spikes.pattern_set import PatternSet

SACCADES = 3
STEPS = 50  # in a saccade: between two of them log intensities are straight lines
DARK = 0.1  # intensity of black, in those of white: what a sensor sees of stray light
TOUCH = 1e-9  # thresholds: reaching a level but for rounding, as at the end of the path
MOST_NOISE = 10**8  # events without a cause, which take gigabytes
CHUNK = 64  # images at a time, so that a step's arrays stay in the cache
CORNERS = np.array([[0.0, 0.0], [0.5, math.sqrt(0.75)], [1.0, 0.0], [0.0, 0.0]])
CENTRE = CORNERS[:SACCADES].mean(axis=0)
REACH = 1.7  # sides of the triangle per distance of its corners from the centre, below sqrt(3)


class _Events(NamedTuple):
    """Events of a few images, in any order."""

    images: Ints
    channels: Ints
    times: Floats


@dataclass(frozen=True)
class _Sensor:
    """What all images share: the path, the size and the thresholds of all pixels."""

    duration: float
    amplitude: float
    border: int
    thresholds: Floats  # (off and on, height, width)

    def see(self, padded: Floats, position: Floats) -> Floats:
        """Return the log intensity of each pixel while images are displaced by (x, y)."""
        height, width = self.thresholds.shape[1:]
        whole = np.floor(position).astype(int)
        x, y = position - whole
        top, left = self.border + 1 - whole[1], self.border + 1 - whole[0]
        corner = [
            padded[:, top - down : top - down + height, left - right : left - right + width]
            for down in (0, 1)
            for right in (0, 1)
        ]
        upper = (1.0 - x) * corner[0] + x * corner[1]
        lower = (1.0 - x) * corner[2] + x * corner[3]
        seen: Floats = np.log(DARK + (1.0 - y) * upper + y * lower)
        return seen


def moving_sensor_events(
    images: Any,
    *,
    duration: float = 300.0,
    threshold: float = 0.3,
    amplitude: float = 4.0,
    border: int = 3,
    mismatch: float = 0.1,
    noise: float = 1e-4,
    rng: Seed,
) -> PatternSet:
    r"""Return the events of an event camera that makes three saccades in front of each image.

    The camera is simulated as N-MNIST was recorded (Orchard et al. 2015): it moves along a
    triangle, back to where it began. A pixel has an event whenever its log intensity has changed
    by its threshold since its last event.

    Parameters
    ----------
    images : array, (n, height, width)
        Images of bytes from 0 to 255, or of numbers from 0 (black) to 1 (white).
    duration : float
        Length of the three saccades together, in milliseconds.
    threshold : float
        Change of log intensity that makes an event.
    amplitude : float
        Length of a saccade in pixels, at most 1.7 times the border.
    border : int
        Number of black pixels around the image that the sensor sees as well.
    mismatch : float
        Standard deviation of the logarithms of the thresholds, which are drawn once for each
        pixel and polarity.
    noise : float
        Rate of events without a cause, per channel and millisecond.
    rng : numpy.random.Generator or int
        Source of randomness, or a seed.

    Returns
    -------
    PatternSet
        A pattern per image, with channels as in `PatternSet.from_structured` with
        ``sensor_size=(width + 2 * border, height + 2 * border, 2)``: channel
        ``x + w * (y + h * p)`` for polarity p, 0 for darker and 1 for brighter.

    Notes
    -----
    With the intensity I of an image, bilinear between pixels and 0 outside, pixel (x, y) sees

    .. math:: L(x, y, t) = \log\bigl(0.1 + I(x - r_x(t), y - r_y(t))\bigr),

    where the displacement r goes from corner to corner of an equilateral triangle with sides of
    `amplitude`, along saccade k by

    .. math:: r(t) = c_k + \tfrac12 (1 - \cos \pi u)(c_{k+1} - c_k),
              \qquad u = 3t/\text{duration} - k.

    An event of polarity p happens when L leaves the reference of its pixel by the threshold
    theta_p; the reference then moves by theta_p. It begins at L(x, y, 0). L is evaluated
    fifty times in a saccade and taken as linear between these times, so that events have times
    between them.

    Examples
    --------
    >>> import numpy as np
    >>> from linspike.datasets import moving_sensor_events
    >>> bar = np.zeros((1, 8, 8))
    >>> bar[0, 2:6, 3:5] = 1.0
    >>> events = moving_sensor_events(bar, threshold=0.5, noise=0.0, rng=0)
    >>> events.n_channels, events.durations
    (392, array([300.]))
    """
    owner = "moving_sensor_events"
    scenes = _check_images(images, owner)
    length = check_real(duration, "duration", owner, above=0.0)
    step = check_real(threshold, "threshold", owner, above=0.0)
    around = check_integer(border, "border", owner, least=0)
    reach = check_real(amplitude, "amplitude", owner, least=0.0)
    if reach > REACH * around:
        domain = f"at most {REACH:.3g} times the border, which keeps the image on the sensor"
        raise ParameterError.of("amplitude", owner, domain, amplitude)
    spread = check_real(mismatch, "mismatch", owner, least=0.0)
    rate = check_real(noise, "noise", owner, least=0.0)
    random = check_generator(rng, owner)
    shape = 2, scenes.shape[1] + 2 * around, scenes.shape[2] + 2 * around
    _check_noise(rate * length * math.prod(shape) * len(scenes), noise, owner)
    thresholds = step * np.exp(spread * random.standard_normal(shape))
    sensor = _Sensor(length, reach, around, thresholds)
    parts = [
        _record(sensor, scenes[at : at + CHUNK], rate, random)
        for at in range(0, len(scenes), CHUNK)
    ]
    return parts[0] if len(parts) == 1 else PatternSet.concatenate(parts)


def _check_images(images: Any, owner: str) -> Floats:
    """Return images as intensities from 0 to 1."""
    try:
        array = np.asarray(images)
        if array.dtype.kind not in "iufb" or array.ndim != 3 or not array.size:
            raise ValueError
    except ValueError:
        domain = "an array (n, height, width) of numbers"
        shape = f"shape {np.shape(images)}" if isinstance(images, np.ndarray) else "no such array"
        raise ParameterError.of("images", owner, domain, Words(shape)) from None
    whole = array.dtype == np.uint8
    values: Floats = array.astype(np.float64) / (255.0 if whole else 1.0)
    wrong = ~((values >= 0.0) & (values <= 1.0))
    if wrong.any():
        domain = "bytes (uint8) from 0 to 255, or numbers from 0 to 1"
        raise ParameterError.of("images", owner, domain, float(values[wrong][0]))
    return values


def _check_noise(expected: float, noise: Any, owner: str) -> None:
    """Refuse more events without a cause than memory would hold."""
    if expected > MOST_NOISE:
        domain = f"low enough for {MOST_NOISE:,} events in all images at most"
        remedy = "It is a rate per channel and millisecond."
        raise ParameterError.of("noise", owner, domain, noise, remedy)


def find_displacements(amplitude: float) -> Floats:
    """Return where images are at the bounds of all steps, (steps + 1, 2), in pixels as (x, y)."""
    eased = 0.5 - 0.5 * np.cos(np.pi * np.arange(STEPS) / STEPS)
    sides = [start + eased[:, np.newaxis] * (end - start) for start, end in pairwise(CORNERS)]
    path: Floats = amplitude * (np.concatenate([*sides, CORNERS[-1:]]) - CENTRE)
    return path


def _record(sensor: _Sensor, scenes: Floats, noise: float, random: Any) -> PatternSet:
    """Return the events of a few images."""
    # One more than the sensor sees at rest: displacements reach at most a border and a fraction.
    margin = 2 * sensor.border + 1
    padded = np.pad(scenes, ((0, 0), (margin, margin), (margin, margin)))
    path = find_displacements(sensor.amplitude)
    width = sensor.duration / (len(path) - 1)
    before = sensor.see(padded, path[0])
    reference, found = before.copy(), []
    for step, position in enumerate(path[1:]):
        after = sensor.see(padded, position)
        for polarity in (0, 1):
            part = _cross(sensor.thresholds[polarity], before, after, reference, polarity)
            found.append(part._replace(times=width * (step + part.times)))
        before = after
    found.append(_draw_noise(sensor, len(scenes), noise, random))
    images, channels, times = (np.concatenate(column) for column in zip(*found, strict=True))
    order = np.argsort(images, kind="stable")
    offsets = np.searchsorted(images[order], np.arange(len(scenes) + 1))
    n_channels = sensor.thresholds.size
    return PatternSet.sorted(
        np.minimum(times[order], sensor.duration),
        channels[order],
        offsets,
        n_channels,
        sensor.duration,
    )


def _cross(
    thresholds: Floats, before: Floats, after: Floats, reference: Floats, polarity: int
) -> _Events:
    """Return the events of one step and polarity, times in steps; move the references.

    A pixel whose log intensity goes from l0 to l1 meets its levels ref + j theta at the share
    (ref + j theta - l0)/(l1 - l0) of the step.
    """
    sign = 1.0 if polarity else -1.0
    distance = sign * (after - reference)
    reached = distance >= (1.0 - TOUCH) * thresholds
    where = np.nonzero(reached & (after != before))
    theta = thresholds[where[1:]]
    counts = np.maximum(1, np.floor(distance[where] / theta + TOUCH)).astype(np.int64)
    of_pixel = np.repeat(np.arange(counts.size), counts)
    number = np.arange(of_pixel.size) - np.repeat(np.cumsum(counts) - counts, counts) + 1
    start, change = before[where], (after - before)[where]
    levels = reference[where][of_pixel] + sign * number * theta[of_pixel]
    share = np.clip((levels - start[of_pixel]) / change[of_pixel], 0.0, 1.0)
    reference[where] += sign * counts * theta
    height, width = before.shape[1:]
    channels = where[2] + width * (where[1] + height * polarity)
    return _Events(where[0][of_pixel], channels[of_pixel], share)


def _draw_noise(sensor: _Sensor, n_images: int, rate: float, random: Any) -> _Events:
    """Return events without a cause: a homogeneous Poisson process on every channel."""
    n_channels = sensor.thresholds.size
    count = int(random.poisson(rate * sensor.duration * n_channels * n_images))
    return _Events(
        random.integers(0, n_images, count),
        random.integers(0, n_channels, count),
        random.uniform(0.0, sensor.duration, count),
    )
