"""CB014: nothing stands in a card that no sentence uses."""

from __future__ import annotations

from collections.abc import Iterator

from claimbook.cards.card import Book, Concept
from claimbook.cards.rules.finding import Statement, finding, statements
from claimbook.diagnostics import Diagnostic, Severity
from claimbook.settings import Settings


def unused(book: Book, settings: Settings) -> Iterator[Diagnostic]:
    """Checks that back no sentence; passages and sources that none names (a warning)."""
    for card in book.concepts.values():
        yield from _checks(card)
        yield from _sources(card)


def _checks(card: Concept) -> Iterator[Diagnostic]:
    for statement in statements(card):
        named = {name for _, sentence in statement.sentences for name in sentence.by}
        if _incomplete(card, statement, named):
            continue
        for id in statement.checks:
            if id not in named:
                pointer = (*statement.pointer, "checks", id)
                message = f"no sentence rests on the check `{id}`"
                help = "name it in the `by:` of a sentence, or delete it"
                yield finding(card, pointer, "CB014", message=message, help=help)


def _incomplete(card: Concept, statement: Statement, named: set[str]) -> bool:
    """Whether a sentence lacks evidence or misspells it: what seems unused may well be meant for it."""
    known = {f"{id}/{passage}" for id, source in card.sources.items() for passage in source.passages}
    unknown = named - statement.checks.keys() - known
    return bool(unknown) or not all(sentence.by for _, sentence in statement.says)


def _sources(card: Concept) -> Iterator[Diagnostic]:
    passages = {name for statement in statements(card) for _, it in statement.sentences for name in it.by}
    if any(
        _incomplete(card, it, {name for _, s in it.sentences for name in s.by}) for it in statements(card)
    ):
        return
    named = {name.partition("/")[0] for name in passages if "/" in name}
    named |= {source for claim in card.claims.values() for source in claim.sources}
    for id, source in card.sources.items():
        if id not in named:
            yield finding(
                card,
                ("sources", id),
                "CB014",
                message=f"no claim names the source `{id}`",
                help="name it under `sources:` of a claim, or delete it",
                severity=Severity.WARNING,
            )
        for passage in source.passages:
            if f"{id}/{passage}" not in passages:
                yield finding(
                    card,
                    ("sources", id, "passages", passage),
                    "CB014",
                    message=f"no sentence rests on the passage `{id}/{passage}`",
                    help="name it in the `by:` of a sentence, or delete it",
                    severity=Severity.WARNING,
                )
