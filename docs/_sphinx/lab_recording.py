"""A recorded run of the lab as a part of a page: stepped through by the lab's own module."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective

from linspike.lab.service import Clock, handle, play

STATIC = resources.files("linspike.lab") / "static"
CURVE_DIGITS = 3


def record(example: str, steps: int) -> dict[str, Any]:
    """Return an example with the states that all of its rules go through."""
    clock = Clock(600.0)
    document = handle("example", {"name": example}, clock)["document"]
    keys = [rule["key"] for rule in document["rules"]]
    about = handle("about", {}, clock)
    rules = [rule for rule in about["rules"] if rule["key"] in keys]
    request = {"document": document, "steps": steps, "looks": True}
    runs = [
        [
            shorten(frame)
            for frame in play({**request, "rule": rule}, Clock(600.0))
        ]
        for rule in range(len(keys))
    ]
    return {
        "about": {"rules": rules, "examples": []},
        "document": document,
        "runs": runs,
    }


def shorten(frame: dict[str, Any]) -> dict[str, Any]:
    """Return a state with fewer digits in its curves, which are only drawn."""
    curves = frame["look"]["curves"]
    for name, values in curves.items():
        curves[name] = [round(value, CURVE_DIGITS) for value in values]
    return frame


def render(example: str, steps: int) -> str:
    """Return the HTML of a recorded run, with all that it needs."""
    recorded = json.dumps(record(example, steps), separators=(",", ":"))
    recorded = recorded.replace("</", "<\\/")
    style = "".join(
        (STATIC / f"{name}.css").read_text() for name in ("uplot", "lab")
    )
    uplot, lab = (
        (STATIC / f"{name}.js").read_text() for name in ("uplot", "lab")
    )
    name = f"lab-{example}"
    return (
        f'<script type="application/json" id="{name}">{recorded}</script>'
        f"<style>{style}</style>"
        f'<div class="lab lab-recording" data-lab="{name}"></div>'
        f'<script>{uplot}</script><script type="module">{lab}</script>'
    )


class LabRecording(SphinxDirective):
    """`{lab-recording} figure-2`: an example of the lab, to be stepped through; once on a page."""

    required_arguments = 1
    option_spec = {"steps": directives.positive_int}  # noqa: RUF012

    def run(self) -> list[nodes.Node]:
        """Return the run as HTML."""
        html = render(self.arguments[0], self.options.get("steps", 10))
        return [nodes.raw("", html, format="html")]


def setup(app: Any) -> dict[str, Any]:
    """Add the directive."""
    app.add_directive("lab-recording", LabRecording)
    return {"parallel_read_safe": True}
