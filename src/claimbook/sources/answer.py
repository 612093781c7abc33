"""What the web answered to one request: data for the judgement of links."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Failure(StrEnum):
    """Why there is no whole answer."""

    NAME = "name"
    CONNECT = "connect"
    TIMEOUT = "timeout"
    TLS = "tls"
    BROKEN = "broken"
    REFUSED = "refused"
    REDIRECT = "redirect"


@dataclass(frozen=True, kw_only=True)
class Hop:
    """One redirect."""

    status: int
    to: str


@dataclass(frozen=True, kw_only=True)
class Body:
    """A page as text."""

    text: str
    whole: bool
    """False where it broke off, took too long or was larger than the limit."""
    why: str = ""


@dataclass(frozen=True, kw_only=True)
class Answer:
    """The end of a chain of redirects, or where it failed."""

    page: str
    """The address that was asked."""
    final: str
    hops: tuple[Hop, ...] = ()
    status: int | None = None
    html: bool = False
    challenge: bool = False
    """The server says itself that it wants to see a browser."""
    retry_after: str = ""
    body: Body | None = None
    """Only of an HTML page that was read."""
    failure: Failure | None = None
    words: str = ""
    """What a person reads about the failure."""
