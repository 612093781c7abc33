"""Whether the address of a source is pinned: to the release for documentation, to the tag for code."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from claimbook.cards.card import Source
from claimbook.settings import Settings

MOVING = frozenset({"stable", "main", "master", "latest", "HEAD", "head", "nightly", "develop", "trunk"})
"""Names in an address that mean something else tomorrow."""

Problem = tuple[str, str]
"""Message and help."""


def pin_problem(source: Source, settings: Settings) -> Problem | None:
    """Why the source is not pinned, and the address that would be; None where it is."""
    if "@" in urlsplit(source.url).netloc:
        return "the address holds a user name or a password", "delete what stands before the `@`"
    match source.kind:
        case "docs":
            return _docs(source.url, settings)
        case "code":
            return _code(source.url, settings)
        case "paper":
            return _paper(source.url)
    return _moving(source.url)


def _docs(url: str, settings: Settings) -> Problem | None:
    """Documentation stands under the docs of the release."""
    if url.startswith(settings.docs):
        return None
    docs = urlsplit(settings.docs)
    before, release = docs.path.rstrip("/").rsplit("/", 1)
    here = re.match(rf"https?://(?:[\w.-]+){re.escape(before)}/([^/]+)/(.*)", url)
    if here is None:
        return (
            f"the page is not documentation of release {settings.release}",
            f"it starts with {settings.docs}",
        )
    moves = (
        f"`{here[1]}` is another release at another time"
        if here[1] in MOVING
        else f"`{here[1]}` is not {release}"
    )
    return f"the address is not pinned: {moves}", f"write {settings.docs}{here[2]}"


def _code(url: str, settings: Settings) -> Problem | None:
    """Code stands at the tag, or at its commit."""
    here = re.match(r"(https?://[^/]+/[^/]+/[^/]+)/(?:blob|tree|raw)/([^/]+)/(.*)", url)
    if here is None:
        return "the address names no file at a tag", f"write {settings.repository}/blob/{settings.tag}/…"
    repository, name, rest = here.groups()
    if repository == settings.repository and name not in (settings.tag, settings.commit):
        return f"the address is not pinned: `{name}` is not {settings.tag}", (
            f"write {settings.repository}/blob/{settings.tag}/{rest}"
        )
    return _moving(url)


def _paper(url: str) -> Problem | None:
    """An arXiv address names its version; a DOI does not move."""
    parts = urlsplit(url)
    if parts.hostname in ("arxiv.org", "www.arxiv.org") and not re.search(r"v\d+(\.pdf)?$", parts.path):
        return "the address names no version of the paper", f"write {url}v1, or the version that was read"
    return _moving(url)


def _moving(url: str) -> Problem | None:
    moving = [step for step in urlsplit(url).path.split("/") if step in MOVING]
    if moving:
        return f"the address is not pinned: `{moving[0]}` moves", "name a tag, a commit or a version"
    return None
