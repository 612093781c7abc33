"""The rules beyond the schema, one file each: from the book to what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from claimbook.cards.card import Book
from claimbook.cards.rules.anchors import anchors
from claimbook.cards.rules.controls import controls
from claimbook.cards.rules.evidence import evidence
from claimbook.cards.rules.expectations import expectations
from claimbook.cards.rules.experiments import experiments
from claimbook.cards.rules.names import names
from claimbook.cards.rules.parity import parity
from claimbook.cards.rules.pins import pins
from claimbook.cards.rules.placeholders import placeholders
from claimbook.cards.rules.references import references
from claimbook.cards.rules.relations import relations
from claimbook.cards.rules.unused import unused
from claimbook.diagnostics import Diagnostic
from claimbook.settings import Settings

RULES: tuple[Callable[[Book, Settings], Iterator[Diagnostic]], ...] = (
    evidence,
    controls,
    unused,
    references,
    relations,
    experiments,
    expectations,
    placeholders,
    pins,
    parity,
    names,
    anchors,
)
