"""Equations as MathML: browsers draw it themselves, so that no script is fetched."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.util.math import get_node_equation_number


def visit_inline(writer: Any, node: nodes.math) -> None:
    """Write an equation within a line."""
    writer.body.append(tex2mathml(node.astext(), as_block=False))
    raise nodes.SkipNode


def visit_block(writer: Any, node: nodes.math_block) -> None:
    """Write a displayed equation, with its number behind it; a long one scrolls in its box."""
    writer.body.append(writer.starttag(node, "div", CLASS="equation"))
    formula = tex2mathml(node.astext(), as_block=True)
    writer.body.append(f'<div class="formula">{formula}</div>')
    if node["number"]:
        writer.body.append(f'<span class="eqno">({get_node_equation_number(writer, node)})')
        writer.add_permalink_ref(node, "Link to this equation")
        writer.body.append("</span>")
    writer.body.append("</div>")
    raise nodes.SkipNode


def setup(app: Any) -> dict[str, bool]:
    """Register the renderer and choose it."""
    app.add_html_math_renderer("mathml", (visit_inline, None), (visit_block, None))
    app.config.html_math_renderer_name = "mathml"
    return {"parallel_read_safe": True}
