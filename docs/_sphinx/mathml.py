"""Equations as MathML: browsers draw it themselves, so that no script is fetched."""

from __future__ import annotations

from html import escape
from typing import Any

from docutils import nodes
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number


def render(node: nodes.Element, *, as_block: bool) -> str:
    """Return an equation as MathML; what cannot be read is shown as written, with a warning."""
    try:
        return str(tex2mathml(node.astext(), as_block=as_block))
    except MathError as error:
        logging.getLogger(__name__).warning(str(error), location=node)
        return escape(node.astext())


def visit_inline(writer: Any, node: nodes.math) -> None:
    """Write an equation within a line."""
    writer.body.append(render(node, as_block=False))
    raise nodes.SkipNode


def visit_block(writer: Any, node: nodes.math_block) -> None:
    """Write a displayed equation, with its number behind it; a long one scrolls in its box."""
    writer.body.append(writer.starttag(node, "div", CLASS="equation"))
    writer.body.append(
        f'<div class="formula">{render(node, as_block=True)}</div>'
    )
    if node["number"]:
        writer.body.append(
            f'<span class="eqno">({get_node_equation_number(writer, node)})'
        )
        writer.add_permalink_ref(node, "Link to this equation")
        writer.body.append("</span>")
    writer.body.append("</div>")
    raise nodes.SkipNode


def setup(app: Any) -> dict[str, bool]:
    """Register the renderer and choose it."""
    app.add_html_math_renderer(
        "mathml", (visit_inline, None), (visit_block, None)
    )
    app.config.html_math_renderer_name = "mathml"
    return {"parallel_read_safe": True}
