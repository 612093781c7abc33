"""Evidence on disk: `evidence/ENVIRONMENT/CARD/CLAIM.json`, and the answers of a card's exercises beside."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from claimbook.cards.card import Book, Claim, Exercise, Json, Myth
from claimbook.errors import CannotRun
from claimbook.settings import Settings
from claimbook.verdicts.digest import EVIDENCE_VERSION, Digests
from claimbook.verdicts.verdict import CheckEvidence, ClaimEvidence, ControlSeen, Environment, Verdict

FOLDER = "evidence"
EXERCISES = "exercises"


@dataclass(frozen=True, kw_only=True)
class Observed:
    """What the run of an exercise showed: its answer."""

    run: str
    ranks: int
    given: Mapping[str, Json]
    observe: str
    value: Json
    """The value that every rank saw, or the list of values by rank where they differ."""
    observations: Json
    """All that the run returned, less `volatile`: a mapping where the ranks agree, else a list by rank."""
    digest: str
    stale: bool = False


@dataclass(frozen=True, kw_only=True)
class EnvironmentEvidence:
    """All evidence of one environment; what is about another text, check or experiment is marked stale."""

    environment: Environment
    claims: Mapping[str, ClaimEvidence]
    """By `card#claim`; myths by `card#myth`."""
    exercises: Mapping[str, Observed] = field(default_factory=dict)
    """By `card#exercise`."""


def subjects(book: Book) -> Iterator[tuple[str, Claim | Myth]]:
    """Every claim and myth with its name, in the order of the book."""
    for card in book.concepts.values():
        for claim in card.claims.values():
            yield f"{card.id}#{claim.id}", claim
        for myth in card.myths.values():
            yield f"{card.id}#{myth.id}", myth


def exercises(book: Book) -> Iterator[tuple[str, Exercise]]:
    """Every exercise with its name, in the order of the book."""
    for card in book.concepts.values():
        for exercise in card.exercises.values():
            yield f"{card.id}#{exercise.id}", exercise


def load_evidence(settings: Settings, book: Book) -> tuple[EnvironmentEvidence, ...]:
    """The evidence of every environment, in the order of their folders.

    What no longer has a claim is left out; a file that cannot be read counts as missing.
    """
    folder = settings.root / FOLDER
    digests = Digests(settings.root)
    found = []
    for place in sorted(folder.iterdir()) if folder.is_dir() else ():
        loaded = _load_environment(place, settings, book, digests) if place.is_dir() else None
        if loaded is not None:
            found.append(loaded)
    return tuple(found)


def _load_environment(
    place: Path, settings: Settings, book: Book, digests: Digests
) -> EnvironmentEvidence | None:
    claims = {}
    answers: dict[str, Observed] = {}
    environment = None
    for name, subject in subjects(book):
        claim = read_claim(evidence_file(place, name))
        if claim is None:
            continue
        environment = claim.environment
        current = claim.digest == digests.of(subject, environment) and _of_release(environment, settings)
        claims[name] = claim if current else as_stale(claim)
    for name, exercise in exercises(book):
        card = name.partition("#")[0]
        recorded = _read_answer(place / card / f"{EXERCISES}.json", exercise.id)
        if recorded is None:
            continue
        environment, answer = recorded
        current = answer.digest == digests.of(exercise, environment) and _of_release(environment, settings)
        answers[name] = replace(answer, stale=not current)
    if environment is None:
        return None
    return EnvironmentEvidence(environment=environment, claims=claims, exercises=answers)


def _of_release(environment: Environment, settings: Settings) -> bool:
    """Whether evidence that carries the version of the book is of the book's commit too."""
    return environment.torch != settings.version or environment.commit == settings.commit


def as_stale(claim: ClaimEvidence) -> ClaimEvidence:
    """The same evidence, of no more use than to show what was seen once."""
    checks = {identifier: replace(check, verdict=Verdict.STALE) for identifier, check in claim.checks.items()}
    return replace(claim, verdict=Verdict.STALE, checks=checks)


def evidence_file(place: Path, name: str) -> Path:
    """The file of `card#claim` in the folder of an environment."""
    card, _, claim = name.partition("#")
    return place / card / f"{claim}.json"


def read_claim(path: Path) -> ClaimEvidence | None:
    """The evidence in that file; None where there is none that this version can read."""
    content = _read(path)
    if content is None:
        return None
    try:
        return ClaimEvidence(
            claim=content["claim"],
            verdict=Verdict(content["verdict"]),
            environment=Environment(**content["environment"]),
            digest=content["digest"],
            date=content["date"],
            checks={
                identifier: CheckEvidence(
                    id=identifier,
                    verdict=Verdict(check.pop("verdict")),
                    controls=tuple(ControlSeen(**seen) for seen in check.pop("controls")),
                    **check,
                )
                for identifier, check in content["checks"].items()
            },
        )
    except _MALFORMED:
        return None


_MALFORMED = (AttributeError, KeyError, TypeError, ValueError)
"""Raised where a file has not the form in which evidence is written."""


def _read_answer(path: Path, exercise: str) -> tuple[Environment, Observed] | None:
    content = _read(path)
    if content is None:
        return None
    try:
        return Environment(**content["environment"]), Observed(**content["exercises"][exercise])
    except _MALFORMED:
        return None


def _read(path: Path) -> Any:
    """The content of a file as it was written; None where it is not there or was changed by other hands."""
    try:
        content = json.loads(path.read_bytes())
        if not isinstance(content, dict) or content.get("version") != EVIDENCE_VERSION:
            return None
        return content if content.get("seal") == _seal(content) else None
    except (OSError, ValueError, RecursionError):
        return None


def _seal(content: Mapping[str, Any]) -> str:
    """Fingerprint of everything but the date: a verdict that was typed in by hand does not fit it."""
    sealed = {key: value for key, value in content.items() if key not in ("date", "seal")}
    return hashlib.sha256(_canonical(sealed)).hexdigest()


def write_claim(place: Path, evidence: ClaimEvidence) -> bool:
    """Write the evidence of a claim, unless the file says the same but for the date; returns whether it did.

    Raises CannotRun where the file cannot be written.
    """
    content = {
        "version": EVIDENCE_VERSION,
        "claim": evidence.claim,
        "verdict": evidence.verdict,
        "environment": vars(evidence.environment),
        "digest": evidence.digest,
        "date": evidence.date,
        "checks": {identifier: _check(check) for identifier, check in evidence.checks.items()},
    }
    return _write(evidence_file(place, evidence.claim), content)


def _check(check: CheckEvidence) -> dict[str, Any]:
    content = dict(vars(check))
    for name in ("id", "seconds"):
        del content[name]
    if not check.detail:
        del content["detail"]
    content["controls"] = [vars(seen) for seen in check.controls]
    return content


def write_exercises(
    place: Path, card: str, answers: Mapping[str, Observed], *, environment: Environment, date: str
) -> bool:
    """Write the answers of all exercises of a card, by exercise; as `write_claim`."""
    content = {
        "version": EVIDENCE_VERSION,
        "environment": vars(environment),
        "date": date,
        "exercises": {
            identifier: {key: value for key, value in vars(answer).items() if key != "stale"}
            for identifier, answer in answers.items()
        },
    }
    return _write(place / card / f"{EXERCISES}.json", content)


def prune(place: Path, book: Book) -> None:
    """Delete the evidence of claims and exercises that the book no longer has. Raises CannotRun."""
    wanted = {evidence_file(place, name) for name, _ in subjects(book)}
    wanted |= {evidence_file(place, f"{name.partition('#')[0]}#{EXERCISES}") for name, _ in exercises(book)}
    for path in sorted(place.glob("*/*.json")):
        if path not in wanted and path.parent.name not in book.broken:
            try:
                path.unlink()
            except OSError as error:
                raise CannotRun(f"cannot delete {path}: {error.strerror}") from None


def _write(path: Path, content: dict[str, Any]) -> bool:
    # As it will be read: mappings and tuples of the cards become plain JSON.
    content = json.loads(json.dumps(content, default=dict))
    content["seal"] = _seal(content)
    before = _read(path)
    if before is not None and path.read_bytes() == _canonical({**content, "date": before.get("date")}):
        return False
    replace_file(path, _canonical(content))
    return True


def replace_file(path: Path, content: bytes) -> None:
    """Write a file whole or not at all. Raises CannotRun where that is not possible."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_bytes(content)
        temporary.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise CannotRun(f"cannot write {path}: {error.strerror}") from None


def _canonical(content: Any) -> bytes:
    return (json.dumps(content, sort_keys=True, indent=2, ensure_ascii=False) + "\n").encode()
