"""The library that pages are made of; while it is edited, the last good version of a broken card."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from claimbook.cards.card import Book, Concept
from claimbook.diagnostics import Diagnostic, Severity
from claimbook.settings import Settings
from claimbook.site.pages import Library
from claimbook.sources.record import load_record
from claimbook.verdicts import load_evidence


class LastGood:
    """Remembers each concept as it was when nothing was wrong with it."""

    def __init__(self) -> None:
        self.concepts: dict[str, Concept] = {}

    def library(self, settings: Settings, book: Book, problems: Sequence[Diagnostic]) -> Library:
        """The book without broken cards, those that were good before in their last good version."""
        wrong = {
            problem.path.stem: f"{problem.path}:{problem.position.line}: {problem.message}"
            for problem in reversed(problems)
            if problem.severity is Severity.ERROR and problem.path.parts[0] == "concepts"
        }
        self.concepts |= {id: card for id, card in book.concepts.items() if card.path.stem not in wrong}
        there = {*book.concepts, *book.broken}
        shown = {id: card for id, card in sorted(self.concepts.items()) if id in there}
        whole = replace(book, concepts=shown)
        return Library(
            settings=settings,
            book=whole,
            evidence=load_evidence(settings, whole),
            links=load_record(settings),
            errors=wrong,
        )
