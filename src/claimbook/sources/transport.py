"""HTTP through requests, on connections that lead only where they may, with retries of what passes."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from http.cookiejar import DefaultCookiePolicy
from typing import Any
from urllib.parse import urlsplit

import requests
from requests.adapters import HTTPAdapter
from requests.auth import AuthBase
from requests.utils import select_proxy
from urllib3 import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import ConnectTimeoutError, InvalidHeader, MaxRetryError, NewConnectionError
from urllib3.util.retry import Retry

from claimbook import __version__
from claimbook.sources.limits import Limits
from claimbook.sources.resolver import NameFailed, Resolver
from claimbook.sources.watchdog import claim, expired, renew

HEADERS = {
    "User-Agent": f"claimbook/{__version__} (checks links)",
    "Accept": "text/html,application/xhtml+xml,*/*;q=0.8",
    "Accept-Encoding": "gzip, deflate",
}

PASSING = (429, 500, 502, 503, 504)
"""States of a server that may be over at the next try."""

Wait = Callable[[float], None]


class PatientRetry(Retry):
    """Retries what may pass, and waits as long as the server asks unless that is too long."""

    wait: Wait = staticmethod(time.sleep)
    patience: float = 0

    def new(self, **kw: Any) -> PatientRetry:
        retry = super().new(**kw)
        retry.wait, retry.patience = self.wait, self.patience
        return retry

    def get_retry_after(self, response: Any) -> float | None:
        try:
            return super().get_retry_after(response)
        except InvalidHeader:
            return None

    def increment(
        self,
        method: str | None = None,
        url: str | None = None,
        response: Any = None,
        error: Exception | None = None,
        _pool: Any = None,
        _stacktrace: Any = None,
    ) -> PatientRetry:
        asked = self.get_retry_after(response) if response is not None else None
        if asked is not None and asked > self.patience:
            # Handled by the pool: the response is returned as it is.
            raise MaxRetryError(_pool, url or "", None)
        if isinstance(error, ConnectTimeoutError | NewConnectionError) or expired():
            # Nobody is there, or the time is over: asking again would only make the check slow.
            raise MaxRetryError(_pool, url or "", error)
        return super().increment(method, url, response, error, _pool, _stacktrace)

    def sleep(self, response: Any = None) -> None:
        renew(0)
        super().sleep(response)

    def sleep_for_retry(self, response: Any) -> bool:
        asked = self.get_retry_after(response)
        if asked:
            self._pause(asked)
        return bool(asked)

    def _sleep_backoff(self) -> None:
        seconds = self.get_backoff_time()
        if seconds > 0:
            self._pause(seconds)

    def _pause(self, seconds: float) -> None:
        renew(seconds)
        self.wait(seconds)


class _NoCredentials(AuthBase):
    """Keeps requests from sending what a .netrc file holds."""

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        return request


class _Session(requests.Session):
    """Leaves redirects alone: requests reads the whole body of one, however long, even if not to follow."""

    def get_redirect_target(self, resp: requests.Response) -> None:
        return None


class _Adapter(HTTPAdapter):
    """Hands the vetted connections to the pool."""

    def __init__(self, resolver: Resolver, limits: Limits, retry: Retry) -> None:
        super().__init__(pool_connections=256, pool_maxsize=limits.per_host, max_retries=retry)
        self.poolmanager.pool_classes_by_scheme = {
            "http": _pool(HTTPConnectionPool, HTTPConnection, resolver),
            "https": _pool(HTTPSConnectionPool, HTTPSConnection, resolver),
        }
        self._resolver = resolver

    def send(self, request: requests.PreparedRequest, *args: Any, **kwargs: Any) -> requests.Response:
        """Refuse what is known here not to be public also where a proxy would connect to it."""
        if select_proxy(request.url or "", kwargs.get("proxies")):
            host = (urlsplit(request.url).hostname if request.url else "") or ""
            # Behind a proxy, names are often known to it alone.
            with contextlib.suppress(NameFailed):
                self._resolver.addresses(str(host))
        return super().send(request, *args, **kwargs)


def _pool(pool: type, connection: type, resolver: Resolver) -> type:
    """A pool class whose connections go to addresses of the resolver and obey the watchdog."""

    class Vetted(connection):  # type: ignore[misc]
        _dns_host: str

        def _new_conn(self) -> Any:
            name: str = self._dns_host
            failure: Exception | None = None
            for ip in resolver.addresses(self.host):
                self._dns_host = ip
                try:
                    return super()._new_conn()
                except (ConnectTimeoutError, NewConnectionError) as error:
                    failure = error
                finally:
                    self._dns_host = name
            assert failure is not None
            raise failure

        def connect(self) -> None:
            claim(self)
            super().connect()

        def request(self, *args: Any, **kwargs: Any) -> None:
            claim(self)
            super().request(*args, **kwargs)

    return type("VettedPool", (pool,), {"ConnectionCls": Vetted})


def sessions(
    resolver: Resolver, limits: Limits, *, wait: Wait = time.sleep
) -> tuple[requests.Session, requests.Session]:
    """A session for HEAD, which only waits where it is asked to, and one for GET, which tries again."""
    once = PatientRetry(total=1, connect=0, read=0, other=0, raise_on_status=False)
    again = PatientRetry(
        total=limits.tries - 1,
        read=1,
        status_forcelist=PASSING,
        backoff_factor=limits.backoff,
        backoff_jitter=limits.backoff,
        raise_on_status=False,
    )
    return _session(resolver, limits, once, wait), _session(resolver, limits, again, wait)


def _session(resolver: Resolver, limits: Limits, retry: PatientRetry, wait: Wait) -> requests.Session:
    retry.wait, retry.patience = wait, limits.patience
    session = _Session()
    session.headers.clear()
    session.headers.update(HEADERS)
    session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
    session.auth = _NoCredentials()
    adapter = _Adapter(resolver, limits, retry)
    session.mount("http://", adapter)
    session.mount("https://", adapter)
    return session
