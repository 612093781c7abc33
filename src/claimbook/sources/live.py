"""Looks at every link of a book once and says in which state each one is."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from claimbook.settings import Settings
from claimbook.sources.address import Address, AddressProblem, address, private
from claimbook.sources.answer import Answer
from claimbook.sources.cache import PageCache
from claimbook.sources.docs import expected, other_release, source_link
from claimbook.sources.fetch import Fetcher
from claimbook.sources.judge import judge, names_element, page_of, refreshed
from claimbook.sources.lanes import ask_all
from claimbook.sources.limits import Limits
from claimbook.sources.links import Link
from claimbook.sources.page import Page
from claimbook.sources.resolver import Lookup, Refused, Resolver, system_lookup
from claimbook.sources.state import Seen, State
from claimbook.sources.transport import sessions
from claimbook.sources.watchdog import Watchdog


@dataclass(frozen=True, kw_only=True)
class Looked:
    """A link and the state it was found in."""

    link: Link
    seen: Seen
    host: str


@dataclass(frozen=True, kw_only=True)
class Web:
    """How the web is asked; the defaults are for the real one."""

    limits: Limits = field(default_factory=Limits)
    refused: Refused = private
    lookup: Lookup = system_lookup
    wait: Callable[[float], None] = time.sleep
    cache: PageCache | None = None


def look(links: Iterable[Link], settings: Settings, web: Web) -> Sequence[Looked]:
    """The state of each link, in their order; a page that many links name is asked once."""
    wanted = [(link, _address(link)) for link in links]
    good = [(link, at) for link, at in wanted if isinstance(at, Address)]
    answers = _answers(good, settings, web)
    pages = {page: page_of(answer) for page, answer in answers.items()}
    looked = []
    for link, at in wanted:
        if isinstance(at, Address):
            seen = _seen(link, at, answer=answers[at.page], page=pages[at.page], settings=settings)
            looked.append(Looked(link=link, seen=seen, host=at.host))
        else:
            looked.append(Looked(link=link, seen=at, host=""))
    return looked


def _address(link: Link) -> Address | Seen:
    try:
        return address(link.url)
    except AddressProblem as problem:
        return Seen(state=State.SKIPPED, code="CB115", words=f"was not checked: {problem}")


def _answers(links: Sequence[tuple[Link, Address]], settings: Settings, web: Web) -> Mapping[str, Answer]:
    read = {at.page for link, at in links if names_element(at) or _is_docs(link, settings)}
    resolver = Resolver(timeout=web.limits.name, refused=web.refused, lookup=web.lookup)
    resolver.prepare({at.host for _, at in links})
    head, get = sessions(resolver, web.limits, wait=web.wait)
    with head, get, Watchdog() as watchdog:
        fetcher = Fetcher(head=head, get=get, limits=web.limits, watchdog=watchdog, cache=web.cache)
        return ask_all(
            {at.page: at.host for _, at in links},
            lambda page: fetcher.fetch(page, read=page in read),
            limits=web.limits,
            wait=web.wait,
        )


def _is_docs(link: Link, settings: Settings) -> bool:
    return link.source is not None and link.source.kind == "docs" and link.url.startswith(settings.docs)


def _seen(link: Link, at: Address, *, answer: Answer, page: Page | None, settings: Settings) -> Seen:
    sent_on = refreshed(answer, page)
    if _is_docs(link, settings):
        wrong = other_release(answer, sent_on, settings)
        if wrong and answer.status is not None and answer.status < 300:
            return wrong
    if sent_on is not None:
        words = "the page only sends its reader on"
        return Seen(state=State.MOVED, code="CB111", words=words, help=f"write {sent_on}")
    seen = judge(at, answer, page)
    wanted = expected(link.source) if link.source is not None else None
    if seen.state is State.OK and _is_docs(link, settings) and wanted is not None and page is not None:
        return source_link(page, wanted, settings)
    return seen
