"""A page of the pinned documentation: the right release, and [source] links to the tag and the line."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import unquote, urldefrag

from claimbook.cards.card import Source
from claimbook.settings import Settings
from claimbook.sources.answer import Answer
from claimbook.sources.page import Page
from claimbook.sources.state import Seen, State


@dataclass(frozen=True, kw_only=True)
class Expected:
    """Where the [source] link of a documented symbol has to lead."""

    symbol: str
    file: str
    line: int | None


def expected(source: Source) -> Expected | None:
    """What a card says of its symbol; what it says is held against the installed package elsewhere."""
    if source.symbol is None or source.file is None:
        return None
    return Expected(symbol=source.symbol, file=source.file, line=source.line)


def other_release(answer: Answer, sent_on: str | None, settings: Settings) -> Seen | None:
    """A page of the pinned release that leads out of it."""
    final = sent_on or answer.final
    if final.startswith(settings.docs) or answer.failure is not None:
        return None
    words = f"the page leads out of release {settings.release}"
    return Seen(state=State.GONE, code="CB113", words=words, help=f"it leads to {urldefrag(final).url}")


def source_link(page: Page, wanted: Expected, settings: Settings) -> Seen:
    """Whether the item's [source] link leads to the tag, the file and the line."""
    if wanted.symbol not in page.items:
        return Seen(state=State.GONE, code="CB112", words=f"the page has no item `{wanted.symbol}`")
    link = page.items[wanted.symbol]
    if link is None:
        return Seen(state=State.OK, note="the documentation has no [source] link for the symbol")
    repository = re.escape(settings.repository)
    there = re.fullmatch(rf"{repository}/blob/([^/]+)/([^#]+)#L(\d+)(?:-L\d+)?", link)
    if there is None:
        return _wrong("its [source] link does not lead into the repository", wanted, settings)
    tag, file, line = there[1], unquote(there[2]), int(there[3])
    if tag not in (settings.tag, settings.commit):
        return _wrong(f"its [source] link leads to {tag}, not to {settings.tag}", wanted, settings)
    if file != wanted.file or line != (wanted.line or line):
        return _wrong(f"its [source] link leads to {file}, line {line}", wanted, settings)
    return Seen(state=State.OK)


def _wrong(words: str, wanted: Expected, settings: Settings) -> Seen:
    at = f"{wanted.file}, line {wanted.line}" if wanted.line else wanted.file
    return Seen(state=State.GONE, code="CB114", words=words, help=f"{settings.tag} has it in {at}")
