"""The book of this repository with evidence made up for tests: no verdict of it comes from a run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from claimbook.cards import load_book
from claimbook.cards.card import Check, Claim, Concept, Myth
from claimbook.settings import load_settings
from claimbook.site import Library
from claimbook.verdicts import EnvironmentEvidence
from claimbook.verdicts.verdict import CheckEvidence, ClaimEvidence, ControlSeen, Environment, Verdict

ROOT = Path(__file__).parent.parent.parent
ENVIRONMENT = Environment(torch="2.9.1", commit="5811a8d7da873dd6", device="cpu", backend="gloo")
MESH = {
    "mesh": [[0, 1], [2, 3]],
    "shard_groups": [[0, 1], [2, 3]],
    "local_shapes": [[4, 8], [4, 8], [4, 8], [4, 8]],
}


def library(verdict: Verdict = Verdict.VERIFIED, **changes: Any) -> Library:
    """The real book, each check with that verdict; `changes` replace fields of the FSDP2 card."""
    settings = load_settings(ROOT)
    book, _ = load_book(settings)
    card = replace(book.concepts["fsdp2"], **changes)
    evidence = EnvironmentEvidence(environment=ENVIRONMENT, claims=claims(card, verdict))
    return Library(settings=settings, book=replace(book, concepts={"fsdp2": card}), evidence=(evidence,))


def claims(card: Concept, verdict: Verdict) -> dict[str, ClaimEvidence]:
    """Evidence for each claim and myth of a card."""
    subjects: list[Claim | Myth] = [*card.claims.values(), *card.myths.values()]
    return {
        f"{card.id}#{claim.id}": ClaimEvidence(
            claim=f"{card.id}#{claim.id}",
            verdict=verdict,
            environment=ENVIRONMENT,
            digest="",
            date="2026-12-01",
            checks={id: seen(check, verdict) for id, check in claim.checks.items()},
        )
        for claim in subjects
    }


def seen(check: Check, verdict: Verdict) -> CheckEvidence:
    """Evidence of a check that observed what it expects."""
    return CheckEvidence(
        id=check.id,
        verdict=verdict,
        reason="" if verdict is Verdict.VERIFIED else f"made {verdict} for a test",
        run=check.run,
        ranks=check.ranks,
        given=check.given,
        observe=check.observe,
        expect=check.expect,
        observed=check.expect.get("const"),
        controls=tuple(ControlSeen(given=it, observed="other", failed=True) for it in check.controls),
        observations=MESH,
    )
