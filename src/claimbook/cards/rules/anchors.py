"""CB024: the id of a claim or a myth is an anchor and an evidence file of its own."""

from __future__ import annotations

from collections.abc import Iterator

from claimbook.cards.card import Book
from claimbook.cards.rules.finding import finding
from claimbook.diagnostics import Diagnostic
from claimbook.settings import Settings

RESERVED = frozenset(
    {
        "top",
        "definition",
        "why",
        "map",
        "claims",
        "myths",
        "check-yourself",
        "exercise",
        "exercises",
        "sources",
        "related",
        "courses",
        "catalog",
    }
)
"""Anchors of the parts of a page, and the file of a card's answers."""


def anchors(book: Book, settings: Settings) -> Iterator[Diagnostic]:
    """Ids of claims and myths that stand for something else already."""
    for card in book.concepts.values():
        for kind, ids in (("claims", card.claims), ("myths", card.myths)):
            for id in ids:
                if id in RESERVED:
                    message, help = f"`{id}` is the name of a part of the page", "choose another id"
                    yield finding(card, (kind, id), "CB024", message=message, help=help)
                elif kind == "myths" and id in card.claims:
                    message, help = f"a claim is called `{id}` already", "choose another id for the myth"
                    yield finding(card, (kind, id), "CB024", message=message, help=help)
