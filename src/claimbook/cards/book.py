"""Reads all cards of a book and tells what is wrong with them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from claimbook.cards import typed
from claimbook.cards.card import Book, Card
from claimbook.cards.document import Document, read_document
from claimbook.cards.rules import RULES
from claimbook.cards.schema import schema_problems
from claimbook.diagnostics import Diagnostic, Position, Severity
from claimbook.settings import Settings

FOLDERS: tuple[tuple[str, str, Callable[[Document, Path], Any]], ...] = (
    ("concepts", "concept", typed.concept),
    ("courses", "course", typed.course),
    ("catalog", "gpu", typed.gpu),
)
"""Folder, kind of card, and what makes a typed card of a document."""


def load_book(settings: Settings, paths: Iterable[Path] = ()) -> tuple[Book, tuple[Diagnostic, ...]]:
    """All cards that are well formed, and every problem found; of the cards at `paths` only, if any.

    `paths` are relative to the root of the book. A card is in the book if its schema holds, even where
    a rule finds something in it.
    """
    shelves: dict[str, dict[str, Any]] = {}
    problems: list[Diagnostic] = []
    for folder, kind, make in FOLDERS:
        shelves[folder] = {}
        for file in card_files(settings.root / folder):
            card, found = _card(file, settings.root, kind=kind, make=make)
            problems += found
            if card is not None:
                shelves[folder][card.id] = card
    broken = frozenset(problem.path.stem for problem in problems)
    book = Book(
        concepts=shelves["concepts"], courses=shelves["courses"], gpus=shelves["catalog"], broken=broken
    )
    for rule in RULES:
        problems += rule(book, settings)
    only = frozenset(paths)
    return book, tuple(sorted((one for one in problems if not only or one.path in only), key=_order))


def card_files(folder: Path) -> Sequence[Path]:
    """The files of a folder that are cards, by name."""
    return sorted(folder.glob("*.yml")) if folder.is_dir() else []


def _card(
    file: Path, root: Path, *, kind: str, make: Callable[[Document, Path], Card]
) -> tuple[Card | None, list[Diagnostic]]:
    path = file.relative_to(root)
    document, problems = read_document(file, path)
    if document is None or problems:
        return None, problems
    problems += schema_problems(document, kind=kind, path=path)
    if problems:
        return None, problems
    card = make(document, path)
    if card.id != file.stem:
        problems.append(_misnamed(card))
    return card, problems


def _misnamed(card: Card) -> Diagnostic:
    return Diagnostic(
        path=card.path,
        position=card.position("id"),
        length=2,
        code="CB007",
        message=f"the id `{card.id}` is not the name of the file",
        help=f"write `id: {card.path.stem}`, or rename the file to {card.id}.yml",
    )


def _order(problem: Diagnostic) -> tuple[bool, str, Position, str]:
    return problem.severity is not Severity.ERROR, str(problem.path), problem.position, problem.code
