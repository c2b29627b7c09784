"""The command line: parse, call, print. Results go to stdout, remarks to stderr."""

from __future__ import annotations

import dataclasses
import json
import signal
import sys
from types import FrameType

import click

from linspike.cli import data as data_commands
from linspike.cli import doctor as examination
from linspike.cli import model as model_commands
from linspike.cli import reproduce as commands
from linspike.errors import LinspikeError, printable


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="linspike", prog_name="linspike")
def cli() -> None:
    """Exact multi-spike learning for spiking neurons, by linear constraints."""


@cli.command()
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
def doctor(as_json: bool) -> None:
    """Show versions, threads, cache, data and optional parts.

    Ends with status 1 if something that must work does not.
    """
    findings = examination.examine()
    if as_json:
        rows = [dataclasses.asdict(finding) for finding in findings]
        click.echo(json.dumps({"schema": 1, "findings": rows}, indent=1))
    else:
        _print_findings(findings)
    if not examination.healthy(findings):
        raise SystemExit(1)


cli.add_command(commands.reproduce)
cli.add_command(commands.list_rows)
cli.add_command(commands.report)
cli.add_command(commands.store_group)
cli.add_command(model_commands.fit)
cli.add_command(model_commands.predict)
cli.add_command(model_commands.evaluate)
cli.add_command(data_commands.data_group)


def _print_findings(findings: list[examination.Finding]) -> None:
    from rich.console import Console
    from rich.table import Table

    marks = {True: "ok", False: "PROBLEM", None: ""}
    table = Table(box=None, pad_edge=False, show_header=False)
    topic = ""
    for finding in findings:
        shown = "" if finding.topic == topic else finding.topic
        topic = finding.topic
        table.add_row(shown, finding.name, finding.value, marks[finding.ok])
    width = None if sys.stdout.isatty() else 1000  # in a file no line is cut
    Console(width=width, highlight=False, markup=False).print(table)


def _as_ctrl_c(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def main() -> None:
    """Entry point: our own errors become one line and status 1, Ctrl-C status 130."""
    signal.signal(signal.SIGTERM, _as_ctrl_c)  # a scheduler's way to stop; workers must not live on
    try:
        cli(standalone_mode=False)
    except click.exceptions.Exit as stop:
        raise SystemExit(stop.exit_code) from None
    except click.ClickException as error:
        error.show()
        raise SystemExit(error.exit_code) from None
    except LinspikeError as error:
        click.echo(f"linspike: {printable(error)}", err=True)
        raise SystemExit(1) from None
    except (click.Abort, KeyboardInterrupt):
        click.echo("linspike: interrupted", err=True)
        raise SystemExit(130) from None
