"""Import of solvers that need not be installed."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from linspike.errors import MissingExtraError


def import_solver(package: str) -> Any:
    """Return a solver's module, or raise an error that says how to install it."""
    try:
        return import_module(package)
    except ModuleNotFoundError as error:
        raise MissingExtraError(
            f"These constraints need the solver {package}. Install it with: "
            "pip install 'linspike[solvers]'"
        ) from error
