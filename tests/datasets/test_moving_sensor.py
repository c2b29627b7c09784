"""The simulated sensor: against a loop over pixels, by laws, and what it refuses."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import linspike as ls
from linspike.datasets import moving_sensor, moving_sensor_events

QUIET = {"noise": 0.0, "rng": 0}
IMAGES = arrays(np.float64, (1, 3, 4), elements=st.sampled_from([0.0, 0.2, 0.55, 1.0]))


def scene(seed=0, n=2, side=6):
    return np.random.default_rng(seed).random((n, side, side))


def naive_events(image, duration, threshold, amplitude, border):
    """Events of one image: one pixel and one step after another, from the equations."""
    height, width = image.shape

    def intensity(x, y):
        total, left, top = 0.0, math.floor(x), math.floor(y)
        for i in (left, left + 1):
            for j in (top, top + 1):
                if 0 <= i < width and 0 <= j < height:
                    total += (1 - abs(x - i)) * (1 - abs(y - j)) * image[j, i]
        return total

    corners = [(0.0, 0.0), (0.5, math.sqrt(3) / 2), (1.0, 0.0), (0.0, 0.0)]
    middle = (0.5, math.sqrt(3) / 6)

    def displacement(step):
        k = min(step // 50, 2)
        share = (step - 50 * k) / 50
        eased = (1 - math.cos(math.pi * share)) / 2
        return [
            amplitude * (a - m + eased * (b - a))
            for a, b, m in zip(corners[k], corners[k + 1], middle, strict=True)
        ]

    found = []
    for y in range(height + 2 * border):
        for x in range(width + 2 * border):
            seen = []
            for step in range(151):
                dx, dy = displacement(step)
                seen.append(math.log(0.1 + intensity(x - border - dx, y - border - dy)))
            reference = seen[0]
            for step in range(150):
                before, after = seen[step], seen[step + 1]
                while abs(after - reference) >= threshold * (1 - 1e-9):
                    sign = 1 if after > reference else -1
                    reference += sign * threshold
                    share = min(1.0, (reference - before) / (after - before))
                    channel = x + (width + 2 * border) * (y + (height + 2 * border) * (sign > 0))
                    found.append((channel, duration * (step + share) / 150))
    return sorted(found)


@given(image=IMAGES, threshold=st.sampled_from([0.15, 0.37, 1.1]))
@settings(max_examples=12)
def test_events_are_those_of_a_loop_over_pixels(image, threshold):
    how = {"duration": 90.0, "threshold": threshold, "amplitude": 1.6, "border": 1}
    events = moving_sensor_events(image, mismatch=0.0, **how, **QUIET)
    expected = naive_events(image[0], **how)
    found = sorted(zip(events.channels.tolist(), events.times.tolist(), strict=True))
    assert [channel for channel, _ in found] == [channel for channel, _ in expected]
    np.testing.assert_allclose(
        [time for _, time in found], [time for _, time in expected], atol=1e-8
    )


@given(image=IMAGES)
def test_back_at_the_start_every_pixel_is_as_bright_as_before(image):
    events = moving_sensor_events(image, threshold=0.3, mismatch=0.0, **QUIET)
    darker, brighter = np.bincount(events.channels, minlength=180).reshape(2, 90)
    assert np.array_equal(darker, brighter)


def test_a_sensor_at_rest_sees_nothing():
    assert moving_sensor_events(scene(), amplitude=0.0, **QUIET).times.size == 0
    assert moving_sensor_events(np.full((2, 5, 5), 0.0), **QUIET).times.size == 0


def test_bytes_and_shares_are_the_same():
    values = np.random.default_rng(1).integers(0, 256, (2, 5, 5)).astype(np.uint8)
    assert moving_sensor_events(values, **QUIET) == moving_sensor_events(values / 255.0, **QUIET)


def test_chunks_do_not_matter(monkeypatch):
    whole = moving_sensor_events(scene(n=5), **QUIET)
    monkeypatch.setattr(moving_sensor, "CHUNK", 2)
    assert moving_sensor_events(scene(n=5), **QUIET) == whole
    assert len(whole) == 5
    assert moving_sensor_events(scene(n=5)[3:4], **QUIET)[0] == whole[3]


def test_times_scale_with_the_duration():
    one = moving_sensor_events(scene(), duration=300.0, **QUIET)
    two = moving_sensor_events(scene(), duration=150.0, **QUIET)
    assert np.array_equal(one.channels, two.channels)
    np.testing.assert_allclose(one.times, 2.0 * two.times, rtol=1e-12)
    assert (two.durations == 150.0).all()


def test_thresholds_differ_by_the_mismatch():
    flat = np.zeros((1, 40, 40))
    flat[0, 10:30, 10:30] = 1.0
    equal, unequal = (moving_sensor_events(flat, mismatch=spread, **QUIET) for spread in (0.0, 0.3))
    assert not np.array_equal(equal.channels, unequal.channels)
    assert moving_sensor_events(flat, mismatch=0.3, noise=0.0, rng=1) != unequal
    assert equal == moving_sensor_events(flat, mismatch=0.0, noise=0.0, rng=1)


def test_noise_has_its_rate():
    dark = np.zeros((4, 10, 10))
    events = moving_sensor_events(dark, noise=0.01, duration=500.0, rng=3)
    expected = 4 * 2 * 16 * 16 * 500.0 * 0.01
    assert abs(events.times.size - expected) < 5.0 * expected**0.5
    assert events == moving_sensor_events(dark, noise=0.01, duration=500.0, rng=3)
    assert events != moving_sensor_events(dark, noise=0.01, duration=500.0, rng=4)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"images": np.zeros((3, 4))}, r"'images' .* an array \(n, height, width\) .*shape \(3, 4"),
        ({"images": np.zeros((0, 4, 4))}, "'images' .* shape"),
        ({"images": [["a"]]}, "'images' .* an array"),
        ({"images": np.full((1, 4, 4), 200)}, r"'images' .* bytes \(uint8\) .* Got 200"),
        ({"images": np.full((1, 4, 4), np.nan)}, "'images' .* from 0 to 1. Got nan"),
        ({"images": np.full((1, 4, 4), -0.1)}, "'images' .* from 0 to 1. Got -0.1"),
        ({"duration": 0.0}, "'duration' .* positive and finite. Got 0.0"),
        ({"threshold": -1.0}, "'threshold' .* positive and finite. Got -1.0"),
        ({"amplitude": 5.2}, "'amplitude' .* at most 1.7 times the border.* Got 5.2"),
        ({"amplitude": -1.0}, "'amplitude' .* at least 0. Got -1.0"),
        ({"border": 1.5}, "'border' .* a whole number of at least 0. Got 1.5"),
        ({"mismatch": np.inf}, "'mismatch' .* finite and at least 0. Got inf"),
        ({"noise": -0.1}, "'noise' .* at least 0. Got -0.1"),
        ({"noise": 1e9}, "'noise' .* low enough for 100,000,000 events .* per channel and millis"),
        ({"rng": None}, "'rng' .* a numpy.random.Generator or a seed"),
    ],
)
def test_refusals(change, message):
    given_ = {"images": scene(), "rng": 0, **change}
    with pytest.raises(ls.ParameterError, match=message):
        moving_sensor_events(given_.pop("images"), **given_)
