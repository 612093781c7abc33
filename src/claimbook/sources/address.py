"""Addresses: what may be asked for, and the one form in which it is asked for."""

from __future__ import annotations

import ipaddress
import re
import string
from dataclasses import dataclass
from urllib.parse import SplitResult, quote, unquote, urlsplit, urlunsplit

import idna

from claimbook.errors import ClaimbookError

_KEPT = string.punctuation
"""Not encoded again: reserved characters, and the percent signs of what is encoded already."""

_HOST = re.compile(r"[a-z0-9_.:-]+", re.IGNORECASE)


class AddressProblem(ClaimbookError):
    """An address that is never asked for; caught where links are checked."""


@dataclass(frozen=True, kw_only=True)
class Address:
    """An address in its normal form: host in ASCII, everything encoded once."""

    page: str
    """Without the fragment: what is sent to the server."""
    fragment: str
    """Decoded, without a text directive."""
    host: str
    port: int


def address(url: str) -> Address:
    """The normal form of a written address. Raises AddressProblem with what is wrong with it."""
    try:
        parts = urlsplit(url.strip())
        port = parts.port
    except ValueError as error:
        raise AddressProblem(f"is not an address: {error}") from None
    if parts.scheme not in ("http", "https"):
        scheme = parts.scheme or "no scheme"
        raise AddressProblem(f"only http and https are checked, not {scheme}")
    if parts.username is not None or parts.password is not None:
        raise AddressProblem("the address holds a user name or a password")
    host = _host(parts)
    shown = f"[{host}]" if ":" in host else host
    default = 443 if parts.scheme == "https" else 80
    place = shown if port in (None, default) else f"{shown}:{port}"
    path = _encoded(parts.path, "[]") or "/"
    page = urlunsplit((parts.scheme, place, path, _encoded(parts.query, ""), ""))
    fragment = unquote(parts.fragment.partition(":~:")[0])
    return Address(page=page, fragment=fragment, host=host, port=port or default)


def _host(parts: SplitResult) -> str:
    host = parts.hostname or ""
    if not host:
        raise AddressProblem("the address names no host")
    try:
        host = host if host.isascii() else idna.encode(host, uts46=True).decode()
    except idna.IDNAError:
        raise AddressProblem(f"`{host}` is no host name") from None
    if not _HOST.fullmatch(host):
        raise AddressProblem(f"`{host}` is no host name")
    return host.lower()


def _encoded(text: str, more: str) -> str:
    """The text with what is not ASCII, a space or a stray percent sign encoded."""
    stray = re.sub(r"%(?![0-9A-Fa-f]{2})", "%25", text)
    return quote(stray, safe="".join(sign for sign in _KEPT if sign not in '"<>\\^`{|}' + more))


def private(ip: str) -> bool:
    """Whether an IP address is not of the public internet: private, loopback, link-local, reserved."""
    parsed: ipaddress.IPv4Address | ipaddress.IPv6Address = ipaddress.ip_address(ip.partition("%")[0])
    if isinstance(parsed, ipaddress.IPv6Address):
        # An IPv4 address in an IPv6 coat is judged as what it leads to.
        inner = parsed.ipv4_mapped or parsed.sixtofour or _nat64(parsed)
        parsed = inner or parsed
    return not parsed.is_global or parsed.is_multicast


def _nat64(ip: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    inside = ip in ipaddress.ip_network("64:ff9b::/96")
    return ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF) if inside else None
