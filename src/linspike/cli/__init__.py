"""The command line: parse, call, print. Results go to stdout, remarks to stderr."""

from __future__ import annotations


def main() -> None:
    """Run the command line. It is loaded here, so that its modules can be imported alone."""
    from linspike.cli.app import main as run

    run()
