"""The help of a command as a part of a page, read from the program: it is never out of date."""

from __future__ import annotations

import inspect
from typing import Any

import click
from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from linspike.cli.app import cli


def find_command(words: list[str]) -> tuple[click.Command, click.Context]:
    """Return a command by its name, such as ["store", "merge"], and the context of its help."""
    command: click.Command = cli
    context = click.Context(cli, info_name="linspike")
    for word in words:
        found = (
            command.get_command(context, word)
            if isinstance(command, click.Group)
            else None
        )
        if found is None:
            raise LookupError(f"There is no command {word!r}.")
        command, context = (
            found,
            click.Context(found, info_name=word, parent=context),
        )
    return command, context


def describe(
    words: list[str],
) -> tuple[str, list[str], list[tuple[str, str]]]:
    """Return the usage of a command, the paragraphs of its help, and options with their help."""
    command, context = find_command(words)
    usage = " ".join(
        [context.command_path, *command.collect_usage_pieces(context)]
    )
    paragraphs = inspect.cleandoc(command.help or "").split("\n\n")
    options = [p for p in command.params if isinstance(p, click.Option)]
    records = filter(
        None, (option.get_help_record(context) for option in options)
    )
    # The text says the range.
    listed = [
        (name.replace(" RANGE", ""), " ".join(text.split()))
        for name, text in records
    ]
    return usage, [" ".join(text.split()) for text in paragraphs], listed


class CommandHelp(SphinxDirective):
    """`{command-help} fit`: usage, help text and options of a command."""

    required_arguments = 1
    optional_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the parts of the help."""
        usage, paragraphs, options = describe(self.arguments)
        shown: list[nodes.Node] = [
            nodes.literal_block(usage, usage, language="none")
        ]
        shown += [
            nodes.paragraph("", *self._inline(text)) for text in paragraphs
        ]
        listed = nodes.definition_list(classes=["command-options"])
        for name, text in options:
            term = nodes.term("", "", nodes.literal(name, name))
            meaning = nodes.definition(
                "", nodes.paragraph("", *self._inline(text))
            )
            listed += nodes.definition_list_item("", term, meaning)
        return [*shown, listed] if options else shown

    def _inline(self, text: str) -> list[nodes.Node]:
        """Return a text whose parts between backticks are code."""
        parts = text.split("`")
        return [
            nodes.literal(part, part) if place % 2 else nodes.Text(part)
            for place, part in enumerate(parts)
        ]


def setup(app: Any) -> dict[str, bool]:
    """Register the directive."""
    app.add_directive("command-help", CommandHelp)
    return {"parallel_read_safe": True}
