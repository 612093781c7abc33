"""What all rules share: the parts of a card that they walk over, and how they report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from claimbook.cards.card import Card, Check, Concept, Pointer, Sentence
from claimbook.diagnostics import Diagnostic, Severity


@dataclass(frozen=True, kw_only=True)
class Statement:
    """A claim or a myth: its sentences and the checks that they may name."""

    pointer: Pointer
    says: tuple[tuple[Pointer, Sentence], ...]
    """Sentences that need evidence."""
    limits: tuple[tuple[Pointer, Sentence], ...]
    """Sentences that may have evidence."""
    checks: Mapping[str, Check]

    @property
    def sentences(self) -> tuple[tuple[Pointer, Sentence], ...]:
        return self.says + self.limits


def statements(card: Concept) -> Iterator[Statement]:
    """The claims of a card, then its myths."""
    for id, claim in card.claims.items():
        here: Pointer = ("claims", id)
        yield Statement(
            pointer=here,
            says=tuple(((*here, "says", at), sentence) for at, sentence in enumerate(claim.says)),
            limits=tuple(((*here, "limits", at), sentence) for at, sentence in enumerate(claim.limits)),
            checks=claim.checks,
        )
    for id, myth in card.myths.items():
        here = ("myths", id)
        yield Statement(
            pointer=here, says=(((*here, "instead"), myth.instead),), limits=(), checks=myth.checks
        )


def checks(card: Concept) -> Iterator[tuple[Pointer, Check]]:
    """Every check of a card and where it stands."""
    for statement in statements(card):
        for id, check in statement.checks.items():
            yield (*statement.pointer, "checks", id), check


def finding(
    card: Card,
    pointer: Pointer,
    code: str,
    *,
    message: str,
    help: str = "",
    severity: Severity = Severity.ERROR,
) -> Diagnostic:
    """A diagnostic at a node of a card, its key underlined."""
    last = pointer[-1] if pointer else ""
    return Diagnostic(
        path=card.path,
        position=card.position(*pointer),
        length=len(last) if isinstance(last, str) and last else 1,
        code=code,
        message=message,
        help=help,
        severity=severity,
    )
