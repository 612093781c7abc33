"""CB010: each sentence of a claim says what backs it. CB011: what it names is there."""

from __future__ import annotations

from collections.abc import Iterator

from claimbook.cards.card import Book, Concept
from claimbook.cards.rules.finding import Statement, finding, statements
from claimbook.cards.schema import listed, similar
from claimbook.diagnostics import Diagnostic
from claimbook.settings import Settings


def evidence(book: Book, settings: Settings) -> Iterator[Diagnostic]:
    """Sentences without evidence, and names in `by` that nothing answers to."""
    for card in book.concepts.values():
        for statement in statements(card):
            yield from _unbacked(card, statement)
            yield from _unknown(card, statement)
        for at, advice in enumerate(card.check_yourself):
            if advice.by:
                message = "`by` stands in an advice, which claims nothing"
                help = "delete it; an advice may name an experiment under `run:`"
                yield finding(card, ("check_yourself", at, "by"), "CB011", message=message, help=help)


def _unbacked(card: Concept, statement: Statement) -> Iterator[Diagnostic]:
    for pointer, sentence in statement.says:
        if not sentence.by:
            names = [
                *statement.checks,
                *(f"{id}/{at}" for id, it in card.sources.items() for at in it.passages),
            ]
            yield finding(
                card,
                pointer,
                "CB010",
                message="the sentence has no evidence",
                help=f"add `by: [...]` with checks or passages: {listed(names) or 'none yet'}",
            )


def _unknown(card: Concept, statement: Statement) -> Iterator[Diagnostic]:
    for pointer, sentence in statement.sentences:
        for at, name in enumerate(sentence.by):
            source, slash, passage = name.partition("/")
            if not slash:
                known, what = list(statement.checks), "check of this claim"
            elif source not in card.sources:
                known, what = list(card.sources), "source of this card"
                name = source
            else:
                known, what = list(card.sources[source].passages), f"passage of `{source}`"
                name = passage
            if name not in known:
                message = f"`{name}` is no {what}"
                yield finding(card, (*pointer, "by", at), "CB011", message=message, help=similar(name, known))
