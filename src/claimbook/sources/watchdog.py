"""Ends requests that take too long: a socket's own timeout starts anew with every byte that comes in."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(eq=False)
class Lease:
    """The time that one request has."""

    seconds: float
    deadline: float
    connection: Any = None
    """The urllib3 connection that the request runs on."""
    expired: bool = False

    def cut(self) -> None:
        """Shut the connection, so that whoever reads from it wakes up."""
        self.expired = True
        connection = self.connection
        sock = getattr(connection, "sock", None)
        # Back in the pool, the connection may by now be at work for another request.
        if sock is not None and connection.lease is self:
            # SSLSocket.shutdown would take the TLS state away from under the reading thread.
            with contextlib.suppress(OSError):
                socket.socket.shutdown(sock, socket.SHUT_RDWR)


_here = threading.local()


def claim(connection: Any) -> None:
    """Say that this thread's request runs on the connection."""
    lease: Lease | None = getattr(_here, "lease", None)
    connection.lease = lease
    if lease is not None:
        lease.connection = connection


def expired() -> bool:
    """Whether this thread's request has had all its time."""
    lease: Lease | None = getattr(_here, "lease", None)
    return lease is not None and lease.expired


def renew(wait: float) -> None:
    """Give this thread's request its whole time again, from the end of a wait on."""
    lease: Lease | None = getattr(_here, "lease", None)
    if lease is not None:
        lease.deadline = time.monotonic() + wait + lease.seconds


class Watchdog:
    """One thread that watches all requests, for as long as the `with` block lasts."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._leases: set[Lease] = set()
        self._closed = False
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> Watchdog:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify()
        self._thread.join()

    @contextlib.contextmanager
    def limit(self, seconds: float) -> Iterator[Lease]:
        """Give the requests of this block so many seconds."""
        lease = Lease(seconds=seconds, deadline=time.monotonic() + seconds)
        with self._changed:
            self._leases.add(lease)
            self._changed.notify()
        _here.lease = lease
        try:
            yield lease
        finally:
            _here.lease = None
            with self._changed:
                self._leases.discard(lease)

    def _watch(self) -> None:
        with self._changed:
            while not self._closed:
                now = time.monotonic()
                late = [lease for lease in self._leases if lease.deadline <= now]
                self._leases.difference_update(late)
                for lease in late:
                    lease.cut()
                left = min((lease.deadline - now for lease in self._leases), default=None)
                self._changed.wait(left)
