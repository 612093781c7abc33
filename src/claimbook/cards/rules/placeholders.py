"""CB019: `{check-id}` in a text names a check that expects one value."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from claimbook.cards.card import Book, Check, Concept, Pointer
from claimbook.cards.placeholder import PLACEHOLDER
from claimbook.cards.rules.finding import finding, statements
from claimbook.cards.schema import similar
from claimbook.diagnostics import Diagnostic
from claimbook.settings import Settings, Text


def placeholders(book: Book, settings: Settings) -> Iterator[Diagnostic]:
    """Placeholders that no check answers to, or whose check has no single value."""
    for card in book.concepts.values():
        for pointer, text, checks in _texts(card):
            for language, words in text.items():
                for match in re.finditer(PLACEHOLDER, words):
                    yield from _problem(card, (*pointer, language), match[1], checks)


def _texts(card: Concept) -> Iterator[tuple[Pointer, Text, Mapping[str, Check]]]:
    for statement in statements(card):
        for pointer, sentence in statement.sentences:
            yield pointer, sentence.text, statement.checks


def _problem(card: Concept, pointer: Pointer, id: str, checks: Mapping[str, Check]) -> Iterator[Diagnostic]:
    if id not in checks:
        message, help = f"`{{{id}}}` names no check of this claim", similar(id, checks)
    elif "const" not in checks[id].expect:
        message = f"`{{{id}}}` stands for no single value"
        help = "name a check whose expectation is {const: …}"
    else:
        return
    yield finding(card, pointer, "CB019", message=message, help=help)
