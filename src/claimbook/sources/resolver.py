"""Finds the addresses of host names, in time, and only those that may be asked."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterable, Sequence

from claimbook.sources.address import private

Lookup = Callable[[str], Sequence[str]]
"""Host name -> IP addresses; raises OSError where there are none."""

Refused = Callable[[str], bool]
"""Whether an IP address may not be asked."""


class NameFailed(Exception):
    """A host name has no address, or none was found in time."""


class AddressRefused(Exception):
    """A host is not on the public internet."""


def system_lookup(host: str) -> Sequence[str]:
    """Ask the operating system."""
    found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


class Resolver:
    """Answers for each name once: what was allowed when it was looked up is what gets connected."""

    def __init__(self, *, timeout: float, refused: Refused = private, lookup: Lookup = system_lookup) -> None:
        self._timeout = timeout
        self._refused = refused
        self._lookup = lookup
        self._lock = threading.Lock()
        self._started: dict[str, threading.Event] = {}
        self._found: dict[str, Sequence[str] | str] = {}

    def prepare(self, hosts: Iterable[str]) -> None:
        """Begin to look up all hosts at the same time."""
        for host in hosts:
            self._start(host)

    def addresses(self, host: str) -> Sequence[str]:
        """The IP addresses of a host. Raises NameFailed or AddressRefused."""
        if not self._start(host).wait(self._timeout):
            # Later calls do not wait again for a name server that does not answer.
            self._keep(host, "its name was not found in time")
        found = self._found[host]
        if isinstance(found, str):
            raise NameFailed(found)
        for ip in filter(self._refused, found):
            raise AddressRefused(f"{host} is {ip}" if host != ip else host)
        return _one_of_each_family(found)

    def _start(self, host: str) -> threading.Event:
        with self._lock:
            if host in self._started:
                return self._started[host]
            done = self._started[host] = threading.Event()
        # A name server that never answers must hold up neither the check nor the end of the program.
        threading.Thread(target=self._look, args=(host,), daemon=True).start()
        return done

    def _look(self, host: str) -> None:
        try:
            found: Sequence[str] | str = self._lookup(host) or "its name has no address"
        except (OSError, UnicodeError):
            found = "its name was not found"
        self._keep(host, found)

    def _keep(self, host: str, found: Sequence[str] | str) -> None:
        with self._lock:
            self._found.setdefault(host, found)
            self._started[host].set()


def _one_of_each_family(ips: Sequence[str]) -> Sequence[str]:
    """The first IPv6 and the first IPv4 address, in order: a dead host costs two time limits, not ten."""
    firsts: dict[bool, str] = {}
    for ip in ips:
        firsts.setdefault(":" in ip, ip)
    return list(firsts.values())
