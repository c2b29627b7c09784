"""The lab's server: each attack gets its status code, and no response without token."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from urllib.request import urlopen

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.lab_documents import broken_documents, scraps, toy

import linspike as ls

pytest.importorskip("starlette", reason="the extra lab is not installed")
pytest.importorskip("httpx", reason="httpx is not installed")

import httpx

from linspike.lab import server, service, serving
from linspike.lab.server import HEADERS, Limits, make_app, make_token

PORT, TOKEN = 8765, "a-token-for-tests"
AUTHORITY = f"127.0.0.1:{PORT}"
GOOD = {"x-lab-token": TOKEN, "content-type": "application/json"}


def run_apart(work):
    """Run a coroutine in a thread of its own: tests of the browser leave a loop in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(lambda: asyncio.run(work())).result()


class Client:
    """Sends requests to an app, without a network."""

    def __init__(self, app):
        self._app = app

    def request(self, method, path, **given):
        async def send():
            transport = httpx.ASGITransport(self._app, raise_app_exceptions=False)
            address = f"http://{AUTHORITY}"
            async with httpx.AsyncClient(transport=transport, base_url=address) as client:
                return await client.request(method, path, **given)

        return run_apart(send)

    def get(self, path, **given):
        return self.request("GET", path, **given)

    def post(self, path, **given):
        return self.request("POST", path, **given)


def client_of(**limits):
    return Client(make_app(PORT, TOKEN, Limits(**limits)))


@pytest.fixture(scope="module")
def client():
    return client_of()


def post(client, name="about", body="{}", **headers):
    given = {key.replace("_", "-"): value for key, value in headers.items()}
    return client.post(f"/api/{name}", content=body, headers={**GOOD, **given})


def test_a_good_request_is_answered(client):
    response = post(client)
    assert response.status_code == 200
    assert response.json()["rules"]
    assert response.json()["document"] is None
    own = f"http://{AUTHORITY}"
    assert post(client, origin=own).status_code == 200
    local = post(client, host=f"localhost:{PORT}", origin=f"http://localhost:{PORT}")
    assert local.status_code == 200


@pytest.mark.parametrize(
    "host",
    ["evil.example", f"evil.example:{PORT}", "127.0.0.1", "127.0.0.1:1", f"0.0.0.0:{PORT}", ""],
)
def test_a_foreign_host_is_400(client, host):
    assert post(client, host=host).status_code == 400
    assert client.get("/", headers={"host": host}).status_code == 400


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", f"https://{AUTHORITY}", "http://127.0.0.1:1", ""]
)
def test_a_foreign_origin_is_403(client, origin):
    response = post(client, origin=origin)
    assert response.status_code == 403
    assert "own page only" in response.json()["error"]


@pytest.mark.parametrize("token", ["", "wrong", TOKEN[:-1], TOKEN + "x", "é"])
def test_a_missing_or_wrong_token_is_403(client, token):
    for name in ("about", "play", "open"):
        assert post(client, name, x_lab_token=token.encode()).status_code == 403
    bare = client.post("/api/about", content="{}", headers={"content-type": "application/json"})
    assert bare.status_code == 403
    assert client.get("/", params={"token": token}).status_code == 403


def test_the_page_needs_the_token_and_says_so(client):
    locked = client.get("/")
    assert locked.status_code == 403
    assert "lacks its token" in locked.text
    page = client.get("/", params={"token": TOKEN})
    assert page.status_code == 200
    assert "lacks its token" not in page.text
    assert TOKEN not in page.text


@pytest.mark.parametrize("kind", ["text/plain", "", "application/x-www-form-urlencoded", "x/json"])
def test_other_types_than_json_are_415(client, kind):
    assert post(client, content_type=kind).status_code == 415


@pytest.mark.parametrize("body", ["", "{", "\x00", "[" * 100_000, b"\xff\xfe"])
def test_what_is_no_json_is_400(client, body):
    assert post(client, body=body).status_code == 400


@pytest.mark.parametrize("name", ["look", "play", "open", "draw", "export", "check", "solve"])
@pytest.mark.parametrize("body", ["[]", "null", "7", "{}", '{"document": {"version": NaN}}'])
def test_what_the_service_refuses_is_422(client, name, body):
    response = post(client, name, body)
    assert response.status_code == 422
    assert response.json()["error"]


@settings(max_examples=60)
@given(st.sampled_from([*service.HANDLERS, "play"]), scraps, broken_documents())
def test_no_request_makes_the_server_fail(name, scrap, document):
    client = client_of()
    for request in (scrap, {"document": document}, {"document": document, "state": scrap}):
        assert post(client, name, json.dumps(request)).status_code in (200, 422)


def test_too_large_a_request_is_413():
    small = client_of(body=1000)
    assert post(small, body=json.dumps({"x": "a" * 900})).status_code == 200
    assert post(small, body=json.dumps({"x": "a" * 1000})).status_code == 413
    assert post(small, content_length="1" * 30).status_code == 413
    assert post(small, content_length="-1").status_code == 413

    async def parts():  # without a length
        for _ in range(20):
            yield b" " * 100

    assert post(small, body=parts()).status_code == 413


def test_too_long_a_request_is_503():
    hasty = client_of(seconds=-1.0)
    body = json.dumps({"document": toy()})
    assert post(hasty, "solve", body).status_code == 503


def test_work_that_hangs_is_503(monkeypatch):
    released = threading.Event()
    monkeypatch.setitem(service.HANDLERS, "about", lambda *_: released.wait(20.0))
    start = time.monotonic()
    assert post(client_of(seconds=0.1)).status_code == 503
    assert time.monotonic() - start < 5.0
    released.set()


def test_play_that_takes_too_long_ends_with_a_sentence():
    document = toy("psd")
    post(
        client_of(), "play", json.dumps({"document": document, "steps": 1, "looks": True})
    )  # loads
    hasty = client_of(seconds=1.0)
    body = json.dumps({"document": document, "steps": 5000, "looks": True})
    response = post(hasty, "play", body)
    assert response.status_code == 200
    *frames, last = [json.loads(line) for line in response.text.splitlines()]
    assert [frame["step"] for frame in frames] == list(range(len(frames)))
    assert "took longer than the 1 seconds" in last["error"]


def call_raw(scope, messages):
    """Return the status that the app gives to raw messages."""
    app, sent = make_app(PORT, TOKEN, Limits(arrival=0.1)), []

    async def receive():
        if not messages:
            await asyncio.sleep(30.0)
        return messages.pop(0)

    async def send(message):
        sent.append(message)

    run_apart(lambda: app(scope, receive, send))
    return sent[0]["status"] if sent else None


def scope_of(path="/api/about", *, headers=(), method="POST"):
    given = [(b"host", AUTHORITY.encode()), *((k.encode(), v.encode()) for k, v in GOOD.items())]
    return {
        "type": "http",
        "method": method,
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [*given, *headers],
    }


def test_a_body_that_does_not_come_is_408():
    part = {"type": "http.request", "body": b"{", "more_body": True}
    assert call_raw(scope_of(), [part]) == 408


def test_a_client_that_leaves_or_names_two_hosts_is_400():
    assert call_raw(scope_of(), [{"type": "http.disconnect"}]) == 400
    assert call_raw(scope_of(headers=[(b"host", AUTHORITY.encode())]), []) == 400
    assert call_raw({**scope_of(), "type": "websocket"}, []) is None


PATHS = [
    "/static/../service.py",
    "/static/..%2fservice.py",
    "/static/%2e%2e/service.py",
    "/static/..%5cservice.py",
    "/static//etc/passwd",
    "/static/%2fetc%2fpasswd",
    "/static/index.html",
    "/static/",
    "/service.py",
    "/api/../service.py",
    "/api/about/",
    "/favicon.ico",
    "/nothing",
]


@pytest.mark.parametrize("path", PATHS)
def test_other_paths_are_404(client, path):
    response = client.get(path)
    assert response.status_code == 404
    assert "import" not in response.text
    assert call_raw(scope_of(path, method="GET"), []) == 404


def test_unknown_requests_are_404_and_other_methods_405(client):
    assert post(client, "nothing").status_code == 404
    assert post(client, "__class__").status_code == 404
    assert client.get("/api/about", headers=GOOD).status_code == 405
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS"):
        assert client.request(method, "/api/about", headers=GOOD).status_code == 405
    assert client.post("/", headers=GOOD).status_code == 405


def test_every_response_has_the_headers(client):
    responses = [client.get("/"), client.get("/nothing"), post(client), post(client, host="evil")]
    responses += [client.get("/static/lab.js"), post(client, "look", "[]")]
    for response in responses:
        for name, value in HEADERS.items():
            assert response.headers[name] == value
        assert "access-control-allow-origin" not in response.headers
        assert "server" not in response.headers
    assert "unsafe" not in HEADERS["content-security-policy"]
    assert "default-src 'none'" in HEADERS["content-security-policy"]


def test_the_page_has_all_its_files(client):
    page = client.get("/", params={"token": TOKEN}).text
    linked = re.findall(r'(?:src|href)="(static/[^"]+)"', page)
    linked += re.findall(r'(?:src|href)="(static/[^"]+)"', client.get("/").text)
    assert linked
    for path in linked:
        response = client.get(f"/{path}")
        assert response.status_code == 200
        kind = server.MEDIA[path.rpartition(".")[2]]
        assert response.headers["content-type"].startswith(kind)


def test_tokens_are_long_and_differ():
    tokens = {make_token() for _ in range(50)}
    assert len(tokens) == 50
    assert min(map(len, tokens)) >= 32


def start_lab(*arguments):
    command = [sys.executable, "-m", "linspike", "lab", "--no-browser", *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.skipif(os.name == "nt", reason="SIGINT cannot be sent to one process there")
def test_the_command_serves_until_ctrl_c(tmp_path):
    path = tmp_path / "mine.npz"
    ls.poisson_patterns(2, n_channels=3, duration=50.0, rate=0.01, rng=1).save(path)
    with start_lab(path) as lab:
        address = lab.stdout.readline().strip()
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/\?token=[\w-]{32,}", address)
        with urlopen(address, timeout=20) as response:
            assert response.status == 200
        with start_lab("--port", address.split(":")[2].partition("/")[0]) as other:
            _, said = other.communicate(timeout=30)
        assert other.returncode == 1
        assert "must be free. Got" in said
        lab.send_signal(signal.SIGINT)
        printed, said = lab.communicate(timeout=20)
        assert (lab.returncode, printed, said) == (0, "", "")


def test_a_server_runs_in_a_thread_until_it_is_stopped():
    running = serving.LabServer(serving.listen(0), document=toy())
    thread = threading.Thread(target=running.run)
    thread.start()
    with urlopen(running.address, timeout=20) as response:
        assert b"linspike lab" in response.read()
    running.stop()
    thread.join(20)
    assert not thread.is_alive()


def test_a_port_in_use_is_refused():
    with serving.listen(0) as listener:
        port = listener.getsockname()[1]
        with pytest.raises(
            ls.ParameterError, match="'port' parameter of linspike lab must be free"
        ):
            serving.listen(port)


def test_a_file_that_is_none_is_refused(tmp_path):
    path = tmp_path / "x.npz"
    path.write_bytes(b"nonsense")
    for file, message in ((path, "no file of patterns"), (tmp_path / "none.csv", "cannot be read")):
        with start_lab(file) as lab:
            _, said = lab.communicate(timeout=30)
        assert lab.returncode == 1
        assert said.startswith("linspike: ")
        assert message in said


def test_without_the_extra_the_remedy_is_named():
    hide = "import sys; sys.modules['starlette'] = None; sys.argv = ['linspike', 'lab'];"
    run = "from linspike.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", hide + run], capture_output=True, text=True)
    assert done.returncode == 1
    assert "needs the package starlette" in done.stderr
    assert "pip install 'linspike[lab]'" in done.stderr
