"""The library that pages are made of; while it is edited, the last good version of a broken card."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from claimbook.cards import load_book
from claimbook.cards.card import Book, Concept
from claimbook.diagnostics import Diagnostic, Severity, as_text, errors
from claimbook.errors import SettingsError
from claimbook.settings import Settings, load_settings
from claimbook.site.pages import Library
from claimbook.sources.record import load_record
from claimbook.verdicts import load_evidence


class LastGood:
    """Remembers each concept as it was when nothing was wrong with it."""

    def __init__(self) -> None:
        self.concepts: dict[str, Concept] = {}
        self.settings: Settings | None = None

    def read(self, root: Path) -> tuple[Library, str]:
        """The book under `root` as it is now, and what is wrong with it, in words.

        Raises SettingsError where the settings are wrong and never were right before.
        """
        wrong = ""
        try:
            self.settings = load_settings(root)
        except SettingsError as error:
            if self.settings is None:
                raise
            wrong = f"the settings are wrong, the last good ones stay\n{error}\n"
        book, problems = load_book(self.settings)
        if errors(problems):
            wrong += f"the cards have errors\n{as_text(problems, root=self.settings.root)}"
        return self.library(self.settings, book, problems), wrong

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
