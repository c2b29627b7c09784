"""`linspike lab`: a local page that shows learning, until Ctrl-C."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import Any

import click

from linspike.errors import FileFormatError, MissingExtraError

PACKAGES = ("anyio", "starlette", "uvicorn")  # of the extra
EXAMPLE = """\b
Example:
  linspike lab
  linspike lab patterns.npz --port 8888 --no-browser
"""


@click.command(epilog=EXAMPLE)
@click.argument("file", type=click.Path(path_type=Path, readable=False), required=False)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    show_default=True,
    help="Port of the page on this machine; 0 takes a free one.",
)
@click.option("--no-browser", is_flag=True, help="Do not open a browser.")
def lab(file: Path | None, port: int, no_browser: bool) -> None:
    """Show learning in a browser, step by step, on a page that this machine alone can see.

    Draw input spikes and desired spikes, choose rules, step or play. FILE is opened at first: a
    document of the lab (.json), patterns or a model (.npz), a table of spikes with the columns
    time, channel and maybe pattern (.csv), or events (.npy).

    Prints the address of the page, which holds a secret: others on this machine cannot use it
    without. Nothing leaves this machine, and no network is needed. Ctrl-C ends it.
    """
    serving = _import_serving()
    document = None if file is None else _open(file)
    server = serving.LabServer(serving.listen(port), document)
    click.echo(server.address)
    if not no_browser:
        webbrowser.open(server.address)
    server.run()


def _import_serving() -> Any:
    try:
        from linspike.lab import serving
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in PACKAGES:
            raise
        raise MissingExtraError(
            f"linspike lab needs the package {package}. "
            "Install it with: pip install 'linspike[lab]'"
        ) from error
    return serving


def _open(path: Path) -> dict[str, Any]:
    from linspike.lab.document import read_document
    from linspike.lab.examples import make_example
    from linspike.lab.exchange.opening import open_file

    try:
        content = path.read_bytes()
    except OSError as error:
        raise FileFormatError(f"{path} cannot be read: {error.strerror}.") from None
    return open_file(path.name, content, read_document(make_example("interference")))
