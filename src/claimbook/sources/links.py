"""Addresses of a book: the permalink of a source, and every address that the cards name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote

from claimbook.cards.card import Book, Card, Concept, Json, Passage, Pointer, Source
from claimbook.settings import Settings, Text

_IN_TEXT = re.compile(r"https?://[^\s<>\"`]+")

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


@dataclass(frozen=True, kw_only=True)
class Link:
    """An address and the node of a card that names it."""

    url: str
    card: Card
    pointer: Pointer
    source: Source | None = None
    """The source whose own address this is."""


def links(book: Book, settings: Settings) -> Iterator[Link]:
    """Every address that a reader of the book can follow, in the order of the book."""
    for concept in book.concepts.values():
        for id, source in concept.sources.items():
            yield Link(url=source.url, card=concept, pointer=("sources", id, "url"), source=source)
            if source.file is not None and permalink(settings, source) != source.url:
                yield Link(url=permalink(settings, source), card=concept, pointer=("sources", id, "file"))
        yield from _written(concept, concept.data, ())
    for course in book.courses.values():
        yield Link(url=course.url, card=course, pointer=("url",))
        yield from _noted(course, course.note, ("note",))
    for gpu in book.gpus.values():
        for name, figure in gpu.figures.items():
            yield Link(url=figure.source, card=gpu, pointer=("figures", name, "source"))
            yield from _noted(gpu, figure.note, ("figures", name, "note"))


def _written(concept: Concept, node: Json, here: Pointer) -> Iterator[Link]:
    """Addresses in the texts of a card; those of its sources stand under `url`."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key != "url":
                yield from _written(concept, value, (*here, key))
    elif isinstance(node, list):
        for at, value in enumerate(node):
            yield from _written(concept, value, (*here, at))
    elif isinstance(node, str):
        for url in in_text(node):
            yield Link(url=url, card=concept, pointer=here)


def _noted(card: Card, note: Text | None, here: Pointer) -> Iterator[Link]:
    for language, text in (note or {}).items():
        for url in in_text(text):
            yield Link(url=url, card=card, pointer=(*here, language))


def in_text(text: str) -> Iterator[str]:
    """The addresses in a text, without the punctuation that follows them."""
    for found in _IN_TEXT.findall(text):
        url = found
        while url and (url[-1] in ".,;:!?»”'*_" or (url[-1] in ")]" and _unopened(url))):
            url = url[:-1]
        # What follows the target of a Markdown link: `[name](https://…)`, glued to the next word.
        yield _balanced(url)


def _unopened(url: str) -> bool:
    """Whether the last bracket of the address was opened before it."""
    close = url[-1]
    return url.count(close) > url.count({")": "(", "]": "["}[close])


def _balanced(url: str) -> str:
    depth = 0
    for at, sign in enumerate(url):
        depth += (sign == "(") - (sign == ")")
        if depth < 0:
            return url[:at]
    return url
