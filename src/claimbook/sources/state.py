"""The state of a link: a closed set, and the words that go with it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class State(StrEnum):
    """What is known of a link after one look at it."""

    OK = "ok"
    MOVED = "moved"
    """For good, to an address that is known."""
    GONE = "gone"
    """The page, or the place on it, is not there; or it is not what it is cited as."""
    UNSURE = "unsure"
    """Somebody answered, and the answer does not settle it."""
    UNREACHABLE = "unreachable"
    """Nobody answered. Never called ok."""
    SKIPPED = "skipped"


@dataclass(frozen=True, kw_only=True)
class Seen:
    """A state with its reason."""

    state: State
    code: str = ""
    """Of the diagnostic that it becomes; none for ok and unreachable."""
    words: str = ""
    help: str = ""
    note: str = ""
    """Said of an ok link in the summary: no [source] link there, for instance."""
