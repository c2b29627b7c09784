"""Docstrings as they are written here, for Sphinx.

Names between single backticks are links if they have a page, and code if not. Indented blocks are
formulas.
"""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.domains.python import PyXRefRole


class NameRole(PyXRefRole):
    """A name of Python that need not have a page."""

    def process_link(
        self,
        env: Any,
        refnode: Any,
        has_explicit_title: bool,
        title: str,
        target: str,
    ) -> tuple[str, str]:
        """Search everywhere for a class, and in the current class and module for the rest."""
        refnode["refdomain"], refnode["reftype"], refnode["quiet"] = (
            "py",
            "obj",
            True,
        )
        wide = "." if target[:1].isupper() else ""
        return super().process_link(
            env, refnode, has_explicit_title, title, wide + target
        )


def show_as_code(
    app: Any, env: Any, node: Any, content: nodes.Element
) -> Any:
    """Return the text as it is where no page has the name; nothing is missing then."""
    return content if node.get("quiet") else None


def skip_foreign(
    app: Any, what: str, name: str, member: Any, skip: bool, options: Any
) -> Any:
    """Leave out methods of scikit-learn, and fields of named tuples, which the class lists."""
    foreign = str(getattr(member, "__module__", "")).startswith("sklearn")
    field = str(getattr(member, "__doc__", "")).startswith(
        "Alias for field number"
    )
    return True if foreign or field else None


def keep_formulas(
    app: Any, what: str, name: str, thing: Any, options: Any, lines: Any
) -> None:
    """Mark indented blocks before the first section: formulas, to be shown as they are written."""
    end = next(
        (i for i, line in enumerate(lines) if line.startswith("---")),
        len(lines),
    )
    shown: list[str] = []
    last = "    "
    for line in lines[:end]:
        if (
            line.startswith("    ")
            and not shown[-1]
            and not last.startswith("    ")
        ):
            shown += [".. code-block:: none", ""]
        shown.append(line)
        last = line or last
    lines[:end] = shown


def setup(app: Any) -> dict[str, bool]:
    """Make it the role of single backticks."""
    app.add_role("name", NameRole())
    app.config.default_role = "name"
    app.connect("missing-reference", show_as_code)
    app.connect("autodoc-skip-member", skip_foreign)
    app.connect(
        "autodoc-process-docstring", keep_formulas, priority=400
    )  # before numpydoc
    return {"parallel_read_safe": True}
