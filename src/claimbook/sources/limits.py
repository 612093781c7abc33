"""How long, how much and how often: what a check of links takes at most."""

from __future__ import annotations

from dataclasses import dataclass

MIB = 1024 * 1024


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Times in seconds, sizes in bytes."""

    name: float = 5
    """Until a host name is found."""
    connect: float = 4
    """Until one address of a host takes the connection."""
    read: float = 10
    """Between two pieces of an answer."""
    total: float = 30
    """One request with its answer."""
    size: int = 8 * MIB
    """Of a page, unpacked."""
    redirects: int = 10
    tries: int = 3
    """Of a request that failed in passing."""
    patience: float = 20
    """The longest wait that a server may ask for before another try."""
    backoff: float = 0.5
    """Before the second retry; doubled for each further one, with as much again by chance."""
    at_once: int = 32
    per_host: int = 2
    pause: float = 0.1
    """Between two requests to a host, in each of the `per_host` lines."""
