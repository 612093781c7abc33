"""What the selectors of the command line name: `card`, `card#claim`, `card#claim/check`."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from claimbook.cards.card import Book, Check, Claim, Concept, Exercise, Myth
from claimbook.errors import UsageError


@dataclass(frozen=True, kw_only=True)
class Subject:
    """A claim or myth that is to be verified, wholly or by some of its checks."""

    card: Concept
    claim: Claim | Myth
    checks: Mapping[str, Check]

    @property
    def name(self) -> str:
        """`card#claim`."""
        return f"{self.card.id}#{self.claim.id}"

    @property
    def whole(self) -> bool:
        """Whether all its checks are selected."""
        return len(self.checks) == len(self.claim.checks)


@dataclass(frozen=True, kw_only=True)
class Selection:
    """Everything selected, in the order of the book."""

    subjects: tuple[Subject, ...]
    cards: tuple[Concept, ...]
    """Cards that are selected wholly, with their exercises."""

    kept: frozenset[str] = frozenset()
    """Names of exercises whose answer is up to date."""

    @property
    def exercises(self) -> Iterator[tuple[str, Exercise]]:
        """Every selected exercise with its name, `card#exercise`."""
        for card in self.cards:
            names = [f"{card.id}#{id}" for id in card.exercises]
            # The answers of a card stand in one file: one that is out of date takes all with it.
            if not self.kept.issuperset(names):
                yield from zip(names, card.exercises.values(), strict=True)

    def without(self, current: Collection[str]) -> Selection:
        """The selection less the claims, myths and exercises whose evidence is up to date."""
        left = tuple(subject for subject in self.subjects if subject.name not in current)
        return replace(self, subjects=left, kept=frozenset(current))


def select(book: Book, selectors: Iterable[str]) -> Selection:
    """What the selectors name; the whole book where there are none. Raises UsageError for an unknown one."""
    wanted = tuple(selectors)
    names = frozenset(_names(book))
    for selector in wanted:
        if selector not in names and selector not in book.broken:
            raise UsageError(f"{selector!r} names nothing in this book", help=_hint(selector, names))
    return Selection(
        subjects=tuple(_subjects(book, frozenset(wanted))),
        cards=tuple(card for card in book.concepts.values() if not wanted or card.id in wanted),
    )


def claims_of(card: Concept) -> Iterator[Claim | Myth]:
    """The claims of a card, then the myths that have checks of their own."""
    yield from card.claims.values()
    yield from (myth for myth in card.myths.values() if myth.checks)


def _names(book: Book) -> Iterator[str]:
    for card in book.concepts.values():
        yield card.id
        for claim in claims_of(card):
            yield f"{card.id}#{claim.id}"
            yield from (f"{card.id}#{claim.id}/{check}" for check in claim.checks)


def _subjects(book: Book, wanted: frozenset[str]) -> Iterator[Subject]:
    for card in book.concepts.values():
        for claim in claims_of(card):
            name = f"{card.id}#{claim.id}"
            if not wanted or wanted & {card.id, name}:
                yield Subject(card=card, claim=claim, checks=claim.checks)
            elif checks := {key: check for key, check in claim.checks.items() if f"{name}/{key}" in wanted}:
                yield Subject(card=card, claim=claim, checks=checks)


def _hint(selector: str, names: Iterable[str]) -> str:
    near = difflib.get_close_matches(selector, sorted(names), n=3)
    return f"did you mean {' or '.join(near)}?" if near else "name a card, card#claim or card#claim/check"
