"""CB023: one name leads to one card."""

from __future__ import annotations

from collections.abc import Iterator

from claimbook.cards.card import Book, Concept, Pointer
from claimbook.cards.rules.finding import finding
from claimbook.diagnostics import Diagnostic
from claimbook.settings import Settings


def names(book: Book, settings: Settings) -> Iterator[Diagnostic]:
    """Aliases and former ids that another card has already."""
    owners: dict[str, str] = {}
    for id in book.concepts:
        owners[id] = id
    for card in book.concepts.values():
        for pointer, name in _names(card):
            owner = owners.setdefault(name.casefold(), card.id)
            if owner != card.id:
                message = f"`{name}` leads to the card `{owner}` already"
                yield finding(card, pointer, "CB023", message=message, help="keep it on one of the two")


def _names(card: Concept) -> Iterator[tuple[Pointer, str]]:
    for key, names in (("aliases", card.aliases), ("was", card.was)):
        for at, name in enumerate(names):
            yield (key, at), name
