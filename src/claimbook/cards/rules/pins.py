"""CB020: sources do not move."""

from __future__ import annotations

from collections.abc import Iterator

from claimbook.cards.card import Book
from claimbook.cards.pin import pin_problem
from claimbook.cards.rules.finding import finding
from claimbook.diagnostics import Diagnostic
from claimbook.settings import Settings


def pins(book: Book, settings: Settings) -> Iterator[Diagnostic]:
    """Sources whose address is not pinned to the release or the tag."""
    for card in book.concepts.values():
        for id, source in card.sources.items():
            problem = pin_problem(source, settings)
            if problem:
                message, help = problem
                yield finding(card, ("sources", id, "url"), "CB020", message=message, help=help)
