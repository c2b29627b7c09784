"""The errors a user can meet; each is also a ValueError or a RuntimeError."""

from __future__ import annotations

import os
import sys
from types import FrameType

PACKAGE = os.path.dirname(os.path.abspath(__file__)) + os.sep


class Words(str):
    """A description that stands in a message as it is, without quotes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def printable(text: object) -> str:
    """A text as a terminal may show it: control characters, line ends and the like are escaped."""
    return "".join(
        mark if mark.isprintable() else mark.encode("unicode_escape").decode() for mark in str(text)
    )


class LinspikeError(Exception):
    """Any error that linspike raises on purpose."""


class ParameterError(LinspikeError, ValueError):
    """A parameter outside its domain."""

    @classmethod
    def of(
        cls, name: str, owner: str, domain: str, got: object, remedy: str = ""
    ) -> ParameterError:
        """The one form of message, with the remedy if there is one."""
        message = f"The '{name}' parameter of {owner} must be {domain}. Got {got!r} instead."
        return cls(f"{message} {remedy}".rstrip())


class SpikeDataError(LinspikeError, ValueError):
    """Spikes, channels, targets or weights that do not make sense together."""


class FileFormatError(LinspikeError, ValueError):
    """A file that is damaged, of another kind, or from a newer version."""


class TableError(LinspikeError, ValueError):
    """A table whose columns or cells cannot be used."""


class DataError(LinspikeError, RuntimeError):
    """Data that are not there and could not be fetched."""


class StoreError(LinspikeError, RuntimeError):
    """A store that cannot be opened, is in use, or cannot be written to."""


class SearchError(LinspikeError, RuntimeError):
    """A search that goes in circles."""


class ClusterError(LinspikeError, RuntimeError):
    """Workers that cannot be reached, or that died."""


class MissingExtraError(LinspikeError, RuntimeError):
    """A feature whose optional packages are not installed."""


class RunawayWarning(RuntimeWarning):
    """A response was cut off: the weights ask for more spikes than the stated cap."""


class UnitWarning(UserWarning):
    """Times or rates that look as if they were in another unit, such as seconds or hertz."""


def caller_level() -> int:
    """Return the stacklevel that makes a warning name the first caller outside of linspike."""
    level = 1
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(PACKAGE):
        level, frame = level + 1, frame.f_back
    return level
