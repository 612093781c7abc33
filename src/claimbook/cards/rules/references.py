"""CB015: families, kinds of relation, courses, entries of the catalog and sources that cards name exist."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from claimbook.cards.card import Book, Card, Concept, Pointer
from claimbook.cards.rules.finding import finding
from claimbook.cards.schema import similar
from claimbook.diagnostics import Diagnostic
from claimbook.settings import Settings


def references(book: Book, settings: Settings) -> Iterator[Diagnostic]:
    """Names that nothing answers to."""
    for card in book.concepts.values():
        yield from _named(card, ("family",), card.family, "family of the settings", settings.families)
        for at, course in enumerate(card.courses):
            yield from _card(book, card, ("courses", at), course, "course", book.courses)
        for at, entry in enumerate(card.catalog):
            yield from _card(book, card, ("catalog", at, "gpu"), entry.gpu, "entry of the catalog", book.gpus)
        yield from _sources(card)


def _sources(card: Concept) -> Iterator[Diagnostic]:
    for id, claim in card.claims.items():
        for at, source in enumerate(claim.sources):
            pointer = ("claims", id, "sources", at)
            yield from _named(card, pointer, source, "source of this card", card.sources)


def _card(
    book: Book, card: Card, pointer: Pointer, name: str, what: str, known: Iterable[str]
) -> Iterator[Diagnostic]:
    if name not in book.broken:
        yield from _named(card, pointer, name, what, known)


def _named(card: Card, pointer: Pointer, name: str, what: str, known: Iterable[str]) -> Iterator[Diagnostic]:
    if name not in known:
        yield finding(card, pointer, "CB015", message=f"`{name}` is no {what}", help=similar(name, known))
