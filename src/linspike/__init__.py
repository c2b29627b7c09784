"""Exact multi-spike learning for spiking neurons, by linear constraints."""

from __future__ import annotations

import ast
from importlib import import_module
from typing import Any


def _read_stub() -> dict[str, str]:
    """Return the module of every public name, as `__init__.pyi` imports them."""
    with open(__file__.removesuffix(".py") + ".pyi", encoding="utf-8") as stub:
        statements = ast.parse(stub.read()).body
    imports = [node for node in statements if isinstance(node, ast.ImportFrom)]
    return {alias.name: node.module or "" for node in imports for alias in node.names}


_MODULE_OF = _read_stub()
_MODULES = [name for name, module in _MODULE_OF.items() if module == __name__]
__all__ = [*(name for name in _MODULE_OF if name not in _MODULES), "__version__"]


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used: `import linspike` alone loads nothing."""
    if name == "__version__":
        from importlib.metadata import version

        value: Any = version("linspike")
    elif name in _MODULES:
        return import_module(f"linspike.{name}")
    elif name in _MODULE_OF:
        value = _load(name)
    else:
        raise AttributeError(f"module 'linspike' has no attribute '{name}'")
    globals()[name] = value
    return value


def _load(name: str) -> Any:
    try:
        return getattr(import_module(_MODULE_OF[name]), name)
    except ModuleNotFoundError as error:
        if str(error.name).partition(".")[0] not in ("sklearn", "scipy", "joblib"):
            raise  # scikit-learn brings the other two
        from linspike.errors import MissingExtraError

        remedy = "Install it with: pip install scikit-learn"
        raise MissingExtraError(f"{name} needs scikit-learn. {remedy}") from error


def __dir__() -> list[str]:
    return sorted(__all__)
