"""The group of all commands, and the entry point that turns errors into one line."""

from __future__ import annotations

import signal
from importlib import import_module
from types import FrameType
from typing import NamedTuple

import click

from linspike.errors import LinspikeError, printable


class Entry(NamedTuple):
    """A command that is imported when it is called; `help` is its line in the list of commands."""

    module: str
    name: str
    help: str


COMMANDS = {
    "list": Entry("listing", "list_rows", "Show the paper's numbers, ours and the verdicts."),
    "reproduce": Entry("reproduce", "reproduce", "Run tables and figures of the paper."),
    "report": Entry("report", "report", "Write one HTML page with all results."),
    "store": Entry("store", "store_group", "Merge stores, or export one as text."),
    "fit": Entry("table.fit", "fit", "Train a classifier on a CSV table."),
    "predict": Entry("table.commands", "predict", "Print the class of each row of a CSV table."),
    "evaluate": Entry("table.commands", "evaluate", "Print accuracy and confusion matrix."),
    "certify": Entry("certify", "certify", "Print whether spike times can be learned at all."),
    "deploy-check": Entry(
        "model.deploy_check", "deploy_check", "Print what a grid or quantised weights change."
    ),
    "export": Entry("model.export", "export", "Write a model for NIR, Brian2 or NEST."),
    "lab": Entry("lab.command", "lab", "Show learning in a browser, step by step."),
    "data": Entry("data", "data_group", "Download data sets."),
    "cite": Entry("cite", "cite", "Print what to cite, as BibTeX."),
    "doctor": Entry("doctor", "doctor", "Check the installation; with --warm, compile all."),
}


class LazyGroup(click.Group):
    """Imports a command when it is called, so that help and small commands start at once."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands, in the order of the help text."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command."""
        entry = COMMANDS.get(cmd_name)
        if entry is None:
            return None
        command = getattr(import_module(f"linspike.cli.{entry.module}"), entry.name)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.help) for name, entry in COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="linspike", prog_name="linspike")
def cli() -> None:
    """Exact multi-spike learning for spiking neurons, by linear constraints."""


def main() -> None:
    """Run the command line; our own errors become one line and status 1, Ctrl-C status 130."""
    # A scheduler stops a job with SIGTERM; as Ctrl-C it ends the workers, too.
    signal.signal(signal.SIGTERM, _raise_interrupt)
    try:
        cli(prog_name="linspike", standalone_mode=False)
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


def _raise_interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt
