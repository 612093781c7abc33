"""CB016: relations lead to cards that are there or planned, are of a known kind and written once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from claimbook.cards.card import Book, Concept, Pointer, Relation
from claimbook.cards.rules.finding import finding
from claimbook.cards.schema import similar
from claimbook.diagnostics import Diagnostic
from claimbook.settings import Settings


def relations(book: Book, settings: Settings) -> Iterator[Diagnostic]:
    """Edges that lead nowhere or stand twice, and planned cards that have been written."""
    inverses = {kind.inverse: kind.id for kind in settings.relations.values()}
    for card in book.concepts.values():
        if card.id in settings.planned:
            message = f"`{card.id}` is written, and still listed as planned"
            help = f"delete `{card.id}` under [tool.claimbook.planned] in pyproject.toml"
            yield finding(card, ("id",), "CB016", message=message, help=help)
        for at, relation in enumerate(card.relations):
            here: Pointer = ("relations", at)
            yield from _kind(card, here, relation, settings=settings, inverses=inverses)
            yield from _target(book, card, here, relation=relation, settings=settings)
            if relation in card.relations[:at]:
                yield finding(card, here, "CB016", message="the relation stands twice", help="delete one")


def _kind(
    card: Concept, here: Pointer, relation: Relation, *, settings: Settings, inverses: Mapping[str, str]
) -> Iterator[Diagnostic]:
    if relation.kind in settings.relations:
        return
    if relation.kind in inverses:
        help = f"write it on the card `{relation.to}` as `{inverses[relation.kind]}`; this side is derived"
    else:
        help = similar(relation.kind, settings.relations)
    message = f"`{relation.kind}` is no kind of relation of the settings"
    yield finding(card, (*here, "kind"), "CB016", message=message, help=help)


def _target(
    book: Book, card: Concept, here: Pointer, *, relation: Relation, settings: Settings
) -> Iterator[Diagnostic]:
    to = (*here, "to")
    if relation.to == card.id:
        yield finding(card, to, "CB016", message="the relation leads to its own card", help="delete it")
        return
    if relation.to not in {*book.concepts, *settings.planned, *book.broken}:
        help = similar(relation.to, [*book.concepts, *settings.planned])
        help += "; or list it under [tool.claimbook.planned] in pyproject.toml"
        yield finding(card, to, "CB016", message=f"no card `{relation.to}`, written or planned", help=help)
        return
    other = book.concepts.get(relation.to)
    if other and other.id < card.id and _written(other, card, relation, settings):
        message = f"the relation stands on `{other.id}` as well"
        yield finding(card, to, "CB016", message=message, help="delete one; the other side is derived")


def _written(other: Concept, card: Concept, relation: Relation, settings: Settings) -> bool:
    """Whether the other card has the same edge in its own direction."""
    kind = settings.relations.get(relation.kind)
    back = {relation.kind} if kind is None or kind.inverse == kind.id else set()
    if kind is not None:
        back.add(kind.inverse)
    return any(edge.to == card.id and edge.kind in back for edge in other.relations)
