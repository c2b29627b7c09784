"""Import of packages that need not be installed."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from linspike.errors import MissingExtraError

EXTRAS = {
    "neo": "interop",
    "quantities": "interop",  # comes with neo
    "nir": "interop",
    "h5py": "interop",  # comes with nir
    "pynwb": "nwb",
}


def import_format(package: str, owner: str) -> Any:
    """Return the module that knows a format, or raise an error that says how to install it."""
    try:
        return import_module(package)
    except ModuleNotFoundError as error:
        raise MissingExtraError(
            f"{owner} needs the package {package}. "
            f"Install it with: pip install 'linspike[{EXTRAS[package]}]'"
        ) from error
