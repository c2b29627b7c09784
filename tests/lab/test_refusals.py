"""Requests that the lab's service refuses: each with a sentence, none with another error."""

import base64
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.lab_documents import broken_documents, good_documents, handle, scraps, toy

from linspike.errors import LinspikeError
from linspike.lab import service
from linspike.lab.service import Clock, TooLongError


def test_time_is_limited():
    clock = Clock(-1.0)
    with pytest.raises(TooLongError, match="took longer than the -1 seconds allowed"):
        list(service.play({"document": toy(), "steps": 5}, clock))
    with pytest.raises(TooLongError):
        service.handle("solve", {"document": toy()}, clock)


MESSAGES = [
    ({"version": 99}, "The 'version' parameter of the document must be at most 1"),
    ({"n_channels": 0}, "'n_channels' .* must be a whole number from 1 to 2000. Got 0"),
    ({"weights": [1.0]}, r"'weights' .* must be one number per channel \(4\)"),
    ({"weights": [True] * 4}, "'weights' .* must be a list of numbers. Got True"),
    ({"weights": [10**400] * 4}, "'weights' .* must be numbers from"),
    ({"patterns": []}, "'patterns' .* must be a list of 1 to 200 entries. Got 0 entries"),
    ({"targets": {"kind": "x"}}, "'targets.kind' .* must be one of times, counts"),
    ({"targets": {"kind": "counts", "counts": [1]}}, r"'targets.counts' .* one per pattern \(2\)"),
    ({"rules": [{"key": "x"}]}, r"'rules\[0\].key' .* must be one of dta"),
    ({"rules": [{"key": "psd", "settings": {"x": 1}}]}, r"must be settings of psd \(eta"),
    ({"rules": [{"key": "psd", "settings": {"eta": -1}}]}, "'eta' parameter of PSD"),
    ({"rules": [{"key": "mst"}]}, "SpikeCounts for MST, which cannot learn times"),
    ({"neuron": {"tau_m": 5, "tau_s": 20, "threshold": 1}}, r"must be in \(0, tau_m\)"),
    ({"skip_right": 1}, "must be true or false"),
    ({"criterion": "lax"}, "must be one of paper, strict"),
]


def test_desired_spikes_are_limited_in_all():
    pattern = {"duration": 100.0, "times": [], "channels": []}
    many = {"patterns": [pattern] * 11, "targets": {"kind": "times", "times": [[1.0] * 200] * 11}}
    with pytest.raises(LinspikeError, match=r"'targets.times\[10\]' .* a list of 0 to 0 entries"):
        handle("look", document={**toy(), **many})


@pytest.mark.parametrize(("change", "message"), MESSAGES)
def test_refusals_name_the_entry(change, message):
    with pytest.raises(LinspikeError, match=message):
        handle("look", document={**toy(), **change})


REQUESTS = ("look", "check", "solve", "export", "play")


def ask(name, request):
    """Return whether a request was handled; only the service's own refusals may pass."""
    try:
        if name == "play":
            list(service.play({**request, "steps": 2, "looks": True}, Clock(60.0)))
        else:
            json.dumps(service.handle(name, request, Clock(60.0)), allow_nan=False)
    except LinspikeError:
        return False
    return True


@given(broken_documents(), st.sampled_from(REQUESTS))
def test_broken_documents_are_refused(document, name):
    ask(name, {"document": document, "kind": "script"})


@settings(max_examples=60)
@given(good_documents(), st.sampled_from(REQUESTS))
def test_nasty_documents_do_no_harm(document, name):
    ask(name, {"document": document, "kind": "csv"})


@given(scraps, st.sampled_from([*service.HANDLERS, "play"]))
def test_scraps_are_refused(scrap, name):
    ask(name, scrap if isinstance(scrap, dict) else {"document": scrap, "name": scrap})


@given(st.binary(max_size=200), st.sampled_from(["json", "npz", "npy", "csv", "txt"]))
def test_no_file_does_harm(content, kind):
    request = {"name": f"x.{kind}", "base64": base64.b64encode(content).decode()}
    ask("open", {**request, "document": toy()})
