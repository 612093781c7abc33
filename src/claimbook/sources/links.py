"""Addresses of a book: the permalink of a source, and every address that the cards name."""

from __future__ import annotations

import re
from urllib.parse import quote

from claimbook.cards.card import Passage, Source
from claimbook.settings import Settings

_BLOB = re.compile(r"https?://[^/]+/[^/]+/[^/]+/blob/[^/#?]+")


def permalink(settings: Settings, source: Source, passage: Passage | None = None) -> str:
    """Where the source, or one passage of it, stands for good: repository, tag, file and lines.

    The address of the source itself where the card names no file. Needs no installed package.
    """
    if source.file is None:
        return source.url
    own = _BLOB.match(source.url) if source.kind == "code" else None
    base = own[0] if own else f"{settings.repository}/blob/{settings.tag}"
    return f"{base}/{quote(source.file)}{_anchor(source, passage)}"


def _anchor(source: Source, passage: Passage | None) -> str:
    if passage is None:
        return f"#L{source.line}" if source.line else ""
    first, last = passage.lines
    return f"#L{first}" if first == last else f"#L{first}-L{last}"
