"""What went wrong with a request, in words that are ours: nothing of the other side's gets into them."""

from __future__ import annotations

import ssl
from collections.abc import Sequence
from http.client import HTTPException

import requests
from urllib3.exceptions import NameResolutionError, NewConnectionError, SSLError

from claimbook.sources.answer import Failure
from claimbook.sources.limits import Limits
from claimbook.sources.resolver import AddressRefused, NameFailed

Named = tuple[Failure, str]


def failure(error: Exception, *, expired: bool, limits: Limits) -> Named:
    """The kind of failure and what a person reads; `expired` if the watchdog ended the request."""
    causes = _causes(error)
    return (
        _before_connecting(causes)
        or ((Failure.TIMEOUT, f"no whole answer within {limits.total:g} s") if expired else None)
        or _tls(causes)
        or _connecting(error, causes, limits)
        or _answering(error, causes, limits)
    )


def _before_connecting(causes: Sequence[BaseException]) -> Named | None:
    for cause in causes:
        if isinstance(cause, AddressRefused):
            return Failure.REFUSED, str(cause)
        if isinstance(cause, NameFailed):
            return Failure.NAME, str(cause)
        if isinstance(cause, NameResolutionError):
            return Failure.NAME, "its name was not found"
    return None


def _tls(causes: Sequence[BaseException]) -> Named | None:
    if not any(isinstance(one, SSLError | ssl.SSLError | requests.exceptions.SSLError) for one in causes):
        return None
    text = " ".join(map(str, causes))
    if "has expired" in text:
        return Failure.TLS, "its certificate has expired"
    if "doesn't match" in text or "not valid for" in text or "Hostname mismatch" in text:
        return Failure.TLS, "its certificate is for another host"
    if "CERTIFICATE_VERIFY" in text:
        return Failure.TLS, "its certificate is not trusted"
    return Failure.TLS, "it does not speak TLS"


def _connecting(error: Exception, causes: Sequence[BaseException], limits: Limits) -> Named | None:
    if isinstance(error, requests.exceptions.ConnectTimeout):
        return Failure.CONNECT, f"no connection within {limits.connect:g} s"
    if any(isinstance(one, NewConnectionError) for one in causes):
        refused = any(isinstance(one, ConnectionRefusedError) for one in causes)
        return Failure.CONNECT, "the connection was refused" if refused else "there is no way to it"
    return None


def _answering(error: Exception, causes: Sequence[BaseException], limits: Limits) -> Named:
    if any(isinstance(one, TimeoutError | requests.exceptions.Timeout) for one in causes):
        return Failure.TIMEOUT, f"no answer within {limits.read:g} s"
    text = " ".join(map(str, causes))
    if "got more than" in text:
        return Failure.BROKEN, "its headers are too long"
    if isinstance(error, requests.exceptions.InvalidURL | requests.exceptions.InvalidSchema):
        return Failure.REDIRECT, "leads to what is no web address"
    broken = any(isinstance(one, ConnectionError) for one in causes)
    if broken or not any(isinstance(one, HTTPException) for one in causes):
        return Failure.BROKEN, "the connection broke off before an answer"
    return Failure.BROKEN, "the answer is not HTTP that can be read"


def _causes(error: BaseException) -> Sequence[BaseException]:
    """The error and all that it came from or carries: requests wraps urllib3, which wraps the system."""
    found: list[BaseException] = []
    todo: list[object] = [error]
    while todo:
        one = todo.pop()
        if isinstance(one, BaseException) and one not in found:
            found.append(one)
            todo += [one.__cause__, one.__context__, getattr(one, "reason", None), *one.args]
    return found
