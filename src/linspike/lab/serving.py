"""A server of the lab on a port of this machine."""

from __future__ import annotations

import socket
from contextlib import suppress
from typing import Any

import uvicorn

from linspike.errors import ParameterError, Words
from linspike.lab.server import HOST, make_app, make_token

MOST_CONNECTIONS = 64


def listen(port: int) -> socket.socket:
    """Return a socket that listens at a port; 0 takes a free one."""
    # Of a socket that does not say TCP, asyncio leaves small packets to wait for 40 ms.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((HOST, port))
        listener.listen()  # now, so that no reader of the address is too early
    except OSError as error:
        listener.close()
        got = Words(f"{port} ({error.strerror})")
        remedy = "Choose another with --port, or leave it out."
        raise ParameterError.of("port", "linspike lab", "free", got, remedy) from None
    return listener


class LabServer:
    """A server that has its address already, and takes requests once it runs.

    Parameters
    ----------
    listener : socket
        Where it listens, from `listen`.
    document : dict, optional
        What the page shows at first.

    Attributes
    ----------
    address : str
        The page, with the token.
    """

    def __init__(self, listener: socket.socket, document: dict[str, Any] | None = None) -> None:
        self._listener = listener
        port, token = listener.getsockname()[1], make_token()
        self.address = f"http://{HOST}:{port}/?token={token}"
        config = uvicorn.Config(
            make_app(port, token, document=document),
            access_log=False,
            lifespan="off",
            limit_concurrency=MOST_CONNECTIONS,
            log_level="error",
            server_header=False,
            timeout_graceful_shutdown=1,
            ws="none",
        )
        self._server = uvicorn.Server(config)

    def run(self) -> None:
        """Handle requests until Ctrl-C, or until `stop` is called."""
        with self._listener, suppress(KeyboardInterrupt):  # the usual way to end it
            self._server.run(sockets=[self._listener])

    def stop(self) -> None:
        """End `run`, from another thread."""
        self._server.should_exit = True
