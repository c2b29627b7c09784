"""The lab's web server: it serves one page, and hands the requests of that page to the service.

What is refused has a status of its own: 400 foreign host, or no JSON; 403 foreign origin, or no
token; 404 no such place; 405 wrong method; 408 slow body; 413 too large; 415 another type than
JSON; 422 refused by the service; 503 takes too long.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from importlib import resources
from typing import Any

import anyio
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from linspike.errors import LinspikeError
from linspike.lab import service
from linspike.lab.service import Clock, TooLongError

HOST = "127.0.0.1"
TOKEN_HEADER = "x-lab-token"
MEDIA = {
    "css": "text/css",
    "html": "text/html",
    "js": "text/javascript",
    "svg": "image/svg+xml",
    "txt": "text/plain",
}
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}


@dataclass(frozen=True)
class Limits:
    """What a request may take.

    Attributes
    ----------
    body : int
        Bytes of a request.
    arrival : float
        Seconds in which its body must have come.
    seconds : float
        Seconds of computing.
    """

    body: int = 32 * 2**20
    arrival: float = 20.0
    seconds: float = 60.0


def make_token() -> str:
    """Return a secret for one run of the server."""
    return secrets.token_urlsafe(24)


def make_app(
    port: int,
    token: str,
    limits: Limits | None = None,
    document: dict[str, Any] | None = None,
) -> ASGIApp:
    """Return the app of a server at a port.

    Parameters
    ----------
    port : int
        Where it is served; requests to another host or port are refused.
    token : str
        What requests must bring along.
    limits : Limits, optional
        What a request may take.
    document : dict, optional
        What the page shows at first.
    """
    lab = _Lab(token, limits or Limits(), document)
    routes = [
        Route("/", lab.page),
        Route("/static/{name}", lab.static),
        Route("/api/play", lab.play, methods=["POST"]),
        Route("/api/{name}", lab.handle, methods=["POST"]),
    ]
    app = Starlette(routes=routes, exception_handlers={HTTPException: _refuse})  # type: ignore[dict-item]
    app.router.redirect_slashes = False
    return _Guard(app, [f"{HOST}:{port}", f"localhost:{port}"])


def _say(status: int, sentence: str) -> JSONResponse:
    return JSONResponse({"error": sentence}, status_code=status)


async def _refuse(request: Request, error: HTTPException) -> Response:
    return _say(error.status_code, error.detail)


class _Guard:
    """Checks host and origin before anything else, and adds the headers to every response."""

    def __init__(self, app: ASGIApp, hosts: list[str]) -> None:
        self._app, self._hosts = app, hosts
        self._origins = [f"http://{host}" for host in hosts]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
                message = {**message, "headers": [*message.get("headers", []), *own]}
            await send(message)

        names = [value for name, value in scope["headers"] if name == b"host"]
        origins = [value for name, value in scope["headers"] if name == b"origin"]
        app: ASGIApp = self._app
        if len(names) != 1 or names[0].decode("latin-1") not in self._hosts:
            app = _say(400, "This server is to be called by its own address only.")
        elif any(value.decode("latin-1") not in self._origins for value in origins):
            app = _say(403, "This server takes requests of its own page only.")
        await app(scope, receive, send_guarded)


class _Lab:
    """The routes."""

    def __init__(self, token: str, limits: Limits, document: dict[str, Any] | None) -> None:
        self._token, self._limits, self._document = token, limits, document
        folder = resources.files("linspike.lab") / "static"
        # The whole list of files: a path that is not in it leads nowhere.
        self._files = {each.name: each.read_bytes() for each in folder.iterdir() if each.is_file()}

    def _knows(self, token: str | None) -> bool:
        given = (token or "").encode()
        return secrets.compare_digest(given, self._token.encode())

    async def page(self, request: Request) -> Response:
        """Return the page, or for one who lacks the token what to do about it."""
        if self._knows(request.query_params.get("token")):
            return self._file("index.html", 200)
        return self._file("locked.html", 403)

    async def static(self, request: Request) -> Response:
        """Return one of the files that the page is made of; they hold nothing of the user's."""
        name = request.path_params["name"]
        if name not in self._files or name.endswith(".html"):
            raise HTTPException(404, "There is no such file.")
        return self._file(name, 200)

    def _file(self, name: str, status: int) -> Response:
        media = MEDIA[name.rpartition(".")[2]]
        return Response(self._files[name], status_code=status, media_type=media)

    async def handle(self, request: Request) -> Response:
        """Return the response of the service."""
        name = request.path_params["name"]
        if name not in service.HANDLERS:
            raise HTTPException(404, "There is no such request.")
        asked = await self._read(request)
        clock = Clock(self._limits.seconds)
        found = await self._compute(lambda: service.handle(name, asked, clock))
        if name == "about":
            found = {**found, "document": self._document}
        return _as_json(found)

    async def play(self, request: Request) -> Response:
        """Return the states of a chain, one line of JSON each, as they come."""
        asked = await self._read(request)
        frames = service.play(asked, Clock(self._limits.seconds))
        first = await self._compute(lambda: next(frames))
        return StreamingResponse(_lines(first, frames), media_type="application/x-ndjson")

    async def _read(self, request: Request) -> Any:
        """Return the body of a request that may be made, as JSON."""
        if not self._knows(request.headers.get(TOKEN_HEADER)):
            raise HTTPException(403, "The request lacks the token of this server.")
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/json":
            raise HTTPException(415, "Requests must be of type application/json.")
        body = bytearray()
        with anyio.move_on_after(self._limits.arrival) as scope:
            try:
                await self._receive(request, body)
            except ClientDisconnect:
                raise HTTPException(400, "The request did not arrive whole.") from None
        if scope.cancelled_caught:
            raise HTTPException(408, "The request took too long to arrive.")
        try:
            return json.loads(bytes(body))
        except (ValueError, RecursionError):
            raise HTTPException(400, "The request is no JSON.") from None

    async def _receive(self, request: Request, body: bytearray) -> None:
        most = self._limits.body
        too_large = HTTPException(413, f"Requests may have at most {most} bytes.")
        declared = request.headers.get("content-length", "0")
        if not declared.isdecimal() or int(declared[:20]) > most:
            raise too_large
        async for part in request.stream():
            body += part
            if len(body) > most:
                raise too_large

    async def _compute(self, work: Any) -> Any:
        """Return the result of work in a thread, or refuse what it refuses."""
        try:
            with anyio.fail_after(2.0 * self._limits.seconds):
                return await anyio.to_thread.run_sync(work, abandon_on_cancel=True)
        except TooLongError as error:
            raise HTTPException(503, str(error)) from None
        except TimeoutError:
            raise HTTPException(503, "The request took too long.") from None
        except LinspikeError as error:
            raise HTTPException(422, str(error)) from None


def _as_json(found: Any) -> Response:
    return Response(_pack(found), media_type="application/json")


def _pack(found: Any) -> bytes:
    return json.dumps(found, allow_nan=False, separators=(",", ":")).encode()


async def _lines(first: Any, frames: Iterator[Any]) -> AsyncIterator[bytes]:
    """Yield one line per state; of an error on the way the last line tells."""
    yield _pack(first) + b"\n"
    while True:
        try:
            frame = await anyio.to_thread.run_sync(lambda: next(frames, None))
        except LinspikeError as error:
            yield _pack({"error": str(error)}) + b"\n"
            return
        if frame is None:
            return
        yield _pack(frame) + b"\n"
