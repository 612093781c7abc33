"""Asks for one page: HEAD where that is enough, redirects by hand, everything within limits."""

from __future__ import annotations

import codecs
import re
import zlib
from dataclasses import dataclass, replace
from urllib.parse import urljoin

import requests
from requests.cookies import RequestsCookieJar
from urllib3.exceptions import HTTPError

from claimbook.sources.address import AddressProblem, address
from claimbook.sources.answer import Answer, Body, Failure, Hop
from claimbook.sources.cache import PageCache
from claimbook.sources.failure import failure
from claimbook.sources.limits import Limits
from claimbook.sources.watchdog import Lease, Watchdog

_REDIRECTS = (301, 302, 303, 307, 308)
_CHUNK = 64 * 1024


@dataclass(frozen=True, kw_only=True)
class Fetcher:
    """What is shared by all requests of a check."""

    head: requests.Session
    get: requests.Session
    limits: Limits
    watchdog: Watchdog
    cache: PageCache | None = None

    def fetch(self, page: str, *, read: bool) -> Answer:
        """The answer to one page; its text as well if `read`."""
        if not read:
            answer = self._chain(page, self.head, "HEAD", read=False)
            # Many servers refuse HEAD, or answer it wrongly; what a GET says counts.
            if answer.failure in (Failure.REFUSED, Failure.NAME, Failure.CONNECT):
                return answer
            if answer.status is not None and (answer.status < 300 or answer.status == 429):
                return answer
        return self._chain(page, self.get, "GET", read=read)

    def _chain(self, page: str, session: requests.Session, method: str, *, read: bool) -> Answer:
        """Follow redirects to their end, with the cookies of this chain alone."""
        jar = RequestsCookieJar()
        answer = Answer(page=page, final=page)
        seen = {(page, "")}
        while True:
            answer, location = self._hop(answer, session, method, jar=jar, read=read)
            if not location:
                return answer
            try:
                target = address(urljoin(answer.final, location))
            except AddressProblem as problem:
                words = f"redirects to what is no web address: {problem}"
                return replace(answer, failure=Failure.REDIRECT, words=words)
            hop = Hop(status=answer.status or 0, to=target.page)
            answer = replace(answer, hops=(*answer.hops, hop), final=target.page)
            cookies = ";".join(sorted(f"{cookie.name}={cookie.value}" for cookie in jar))
            if (target.page, cookies) in seen:
                return replace(answer, failure=Failure.REDIRECT, words="redirects in a circle")
            if len(answer.hops) > self.limits.redirects:
                words = f"redirects more than {self.limits.redirects} times"
                return replace(answer, failure=Failure.REDIRECT, words=words)
            seen.add((target.page, cookies))

    def _hop(
        self, answer: Answer, session: requests.Session, method: str, *, jar: RequestsCookieJar, read: bool
    ) -> tuple[Answer, str]:
        """One request: the answer so far, and where it redirects to."""
        reads = read and method == "GET"
        kept = self.cache.find(answer.final) if self.cache and reads else None
        with self.watchdog.limit(self.limits.total) as lease:
            try:
                response = session.request(
                    method,
                    answer.final,
                    headers=kept.conditions if kept else None,
                    cookies=jar,
                    allow_redirects=False,
                    stream=True,
                    timeout=(self.limits.connect, self.limits.read),
                )
                _hold_to_its_end(response, lease)
            except Exception as error:
                kind, words = failure(error, expired=lease.expired, limits=self.limits)
                return replace(answer, status=None, failure=kind, words=words), ""
            with response:
                jar.update(response.cookies)
                location = _location(response)
                answer = _with_facts(answer, response)
                if kept and answer.status == 304:
                    body = Body(text=kept.text, whole=True)
                    answer = replace(answer, status=200, html=True, body=body)
                elif reads and not location and answer.html:
                    answer = replace(answer, body=_body(response, lease, self.limits))
                    self._keep(answer, response)
                return answer, location

    def _keep(self, answer: Answer, response: requests.Response) -> None:
        """Keep a page that was read whole for the next check."""
        body = answer.body
        if self.cache and body and body.whole and answer.status == 200 and not answer.challenge:
            etag = response.headers.get("ETag", "")
            modified = response.headers.get("Last-Modified", "")
            self.cache.keep(answer.final, body.text, etag=etag, modified=modified)


def _hold_to_its_end(response: requests.Response, lease: Lease) -> None:
    """Raise ConnectionError where the answer ended among its headers, which http.client lets pass."""
    message = getattr(getattr(response.raw, "_original_response", None), "msg", None)
    torn = getattr(message, "defects", None) and "Content-Type" not in response.headers
    if torn or lease.expired:
        response.close()
        raise ConnectionError("no end of headers")


def _with_facts(answer: Answer, response: requests.Response) -> Answer:
    kind = response.headers.get("Content-Type", "").partition(";")[0].strip().lower()
    return replace(
        answer,
        status=response.status_code,
        html=kind in ("text/html", "application/xhtml+xml"),
        challenge=response.headers.get("cf-mitigated", "") == "challenge",
        retry_after=response.headers.get("Retry-After", ""),
    )


def _location(response: requests.Response) -> str:
    """Where the answer sends; headers come as Latin-1, and servers mean UTF-8."""
    if response.status_code not in _REDIRECTS:
        return ""
    return response.headers.get("Location", "").encode("latin-1", "replace").decode("utf-8", "replace")


def _body(response: requests.Response, lease: Lease, limits: Limits) -> Body:
    """The text of a page, as much of it as the limits allow."""
    data = bytearray()
    why = ""
    try:
        for chunk in response.iter_content(_CHUNK):
            data += chunk
            if len(data) > limits.size:
                why = f"is larger than {limits.size // 1024} KiB"
                break
    except (requests.RequestException, HTTPError, OSError, zlib.error):
        why = "breaks off"
    if lease.expired:
        why = f"was not read in {limits.total:g} s"
    text = bytes(data[: limits.size]).decode(_charset(response, data), errors="replace")
    return Body(text=text, whole=not why, why=why)


def _charset(response: requests.Response, data: bytearray) -> str:
    """As the header says, or the page itself; UTF-8 where that is no charset."""
    stated = re.search(r"charset=[\"']?([\w.:-]+)", response.headers.get("Content-Type", ""), re.IGNORECASE)
    name = stated[1] if stated else ""
    if not name:
        inside = re.search(rb"<meta[^>]{0,200}charset=[\"']?([\w.:-]+)", data[:4096], re.IGNORECASE)
        name = inside[1].decode("ascii") if inside else "utf-8"
    try:
        found = codecs.lookup(name)
    except LookupError:
        return "utf-8"
    return found.name if getattr(found, "_is_text_encoding", True) else "utf-8"
