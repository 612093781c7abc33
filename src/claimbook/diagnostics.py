"""One type for everything an author can be told, and its renderings."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path


class Severity(StrEnum):
    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, kw_only=True, order=True)
class Position:
    """A place in a file, 1-based."""

    line: int
    column: int


@dataclass(frozen=True, kw_only=True)
class Diagnostic:
    """What is wrong, where, and what to do about it."""

    path: Path
    """Relative to the root of the book."""
    position: Position
    code: str
    """Stable, for instance `CB012`."""
    message: str
    help: str = ""
    severity: Severity = Severity.ERROR
    length: int = 1
    """Characters that the caret underlines."""
