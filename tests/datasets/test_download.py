"""`linspike data mnist`, against servers on this machine."""

import functools
import http.server
import socket
import threading

import pytest
from tests.support import small_mnist
from tests.support.shell import run

from linspike.datasets import download, load_mnist, mnist
from linspike.datasets.download import fetch_mnist
from linspike.errors import DataError

NAMES = list(mnist.FILES)


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        self.server.asked.append(self.path)


@pytest.fixture
def serve(tmp_path):
    """Start a server for a folder of files; its address and what it was asked for."""
    servers = []

    def start(files):
        folder = small_mnist.write(tmp_path / f"mirror{len(servers)}", files)
        handler = functools.partial(Quiet, directory=folder)
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        server.asked = []
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        servers.append((server, thread))
        return f"http://127.0.0.1:{server.server_port}/", server.asked

    yield start
    for server, thread in servers:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture(autouse=True)
def small(monkeypatch):
    small_mnist.install(monkeypatch)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.fixture
def mirrors(monkeypatch):
    return lambda *addresses: monkeypatch.setattr(download, "MIRRORS", addresses)


def closed():
    """An address where nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{probe.getsockname()[1]}/"


def test_files_are_fetched_once_and_verified_after(serve, mirrors, tmp_path):
    address, asked = serve(small_mnist.packed())
    mirrors(address)
    home = tmp_path / "home"
    done = run("data", "mnist", "--data-dir", home)
    assert done.code == 0, done.err
    assert done.out.splitlines() == [f"fetched   {home / 'mnist' / name}" for name in NAMES]
    assert done.err.splitlines()[0].startswith(f"fetching {NAMES[0]} from 127.0.0.1:")
    assert len(asked) == 4
    assert len(load_mnist("train", data_dir=home).digits) == 20
    for folder in (home, home / "mnist"):
        done = run("data", "mnist", "--data-dir", folder)
        assert done.out.splitlines() == [f"verified  {home / 'mnist' / name}" for name in NAMES]
        assert (done.code, done.err) == (0, "")
    assert len(asked) == 4


def test_the_environment_names_the_folder_and_only_the_missing_is_fetched(
    serve, mirrors, tmp_path, monkeypatch
):
    address, asked = serve(small_mnist.packed())
    mirrors(address)
    files = small_mnist.packed()
    del files[NAMES[2]]
    small_mnist.write(tmp_path / "home" / "mnist", files)
    monkeypatch.setenv(mnist.FOLDER, str(tmp_path / "home"))
    assert [one.fetched for one in fetch_mnist()] == [False, False, True, False]
    assert asked == [f"/{NAMES[2]}"]


def test_unpacked_files_will_do(mirrors, tmp_path):
    mirrors()
    small_mnist.write(tmp_path, small_mnist.contents())
    assert [one.path.suffix for one in fetch_mnist(tmp_path)] == [""] * 4


def test_the_next_mirror_is_asked(serve, mirrors, tmp_path):
    wrong = dict.fromkeys(NAMES, b"another file")
    good, _ = serve(small_mnist.packed())
    mirrors(closed(), serve({})[0], serve(wrong)[0], good)
    assert all(one.fetched for one in fetch_mnist(tmp_path))
    assert len(load_mnist("test", data_dir=tmp_path).images) == 10


def test_a_wrong_file_is_refused_before_anything_is_fetched(serve, mirrors, tmp_path):
    address, asked = serve(small_mnist.packed())
    mirrors(address)
    path = small_mnist.write(tmp_path, {NAMES[3]: b"wrong"}) / NAMES[3]
    done = run("data", "mnist", "--data-dir", tmp_path)
    assert (done.code, done.out, asked) == (1, "", [])
    assert f"linspike: {path} is not the published file: its SHA-256 must be" in done.err
    assert "Delete it and run `linspike data mnist` again." in done.err
    assert path.read_bytes() == b"wrong"


def test_without_a_network_one_sentence(mirrors, tmp_path):
    mirrors(closed(), closed())
    done = run("data", "mnist", "--data-dir", tmp_path)
    last = done.err.splitlines()[-1]
    assert (done.code, done.out) == (1, "")
    assert last.startswith(f"linspike: {NAMES[0]} could not be fetched (127.0.0.1:")
    assert last.count("no connection") == 2
    assert last.endswith(f"; go online and try again, or put the file into {tmp_path / 'mnist'}.")
    assert "Traceback" not in done.err


def test_what_went_wrong_is_told(serve, mirrors, tmp_path):
    mirrors(serve({})[0])
    with pytest.raises(DataError, match=r"could not be fetched \(127.0.0.1:\d+: status 404\)"):
        fetch_mnist(tmp_path)
    mirrors(serve(dict.fromkeys(NAMES, b"x"))[0])
    with pytest.raises(DataError, match="another file, by its SHA-256"):
        fetch_mnist(tmp_path)
    assert list((tmp_path / "mnist").iterdir()) == []


def test_a_mirror_that_is_silent(mirrors, tmp_path, monkeypatch):
    monkeypatch.setattr(download, "TIMEOUT", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        mirrors(f"http://127.0.0.1:{deaf.getsockname()[1]}/")
        with pytest.raises(DataError, match="no response in time"):
            fetch_mnist(tmp_path)


def test_a_disk_that_is_full(mirrors, tmp_path, monkeypatch):
    def full(*arguments, **settings):
        raise OSError(28, "No space left on device")

    mirrors(closed())
    monkeypatch.setattr("pooch.retrieve", full)
    with pytest.raises(DataError, match="No space left on device"):
        fetch_mnist(tmp_path)


def test_a_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(
        DataError,
        match="file/mnist cannot be made: Not a directory. Name another folder with --data-dir or",
    ):
        fetch_mnist(tmp_path / "file")
