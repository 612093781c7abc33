"""A claim beside its evidence: what a page shows of each check and each sentence."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from claimbook.cards.card import Check, Claim, Concept, Json, Myth, Passage, Sentence, Source
from claimbook.cards.placeholder import filled
from claimbook.settings import Settings
from claimbook.sources import permalink
from claimbook.verdicts import EnvironmentEvidence
from claimbook.verdicts.verdict import CheckEvidence, ClaimEvidence, Verdict, worst


@dataclass(frozen=True, kw_only=True)
class Row:
    """A check and what was seen of it."""

    claim: str
    check: Check
    verdict: Verdict
    evidence: CheckEvidence | None

    @property
    def anchor(self) -> str:
        # Two claims may have checks of one name, and no id has two hyphens in a row.
        return f"{self.claim}--{self.check.id}"


@dataclass(frozen=True, kw_only=True)
class Quote:
    """A passage that a sentence rests on."""

    source: Source
    passage: Passage
    address: str
    """Its permalink; empty where the source names no file."""


@dataclass(frozen=True, kw_only=True)
class Proven:
    """A sentence with the rows and quotes that back it."""

    text: str
    rows: tuple[Row, ...]
    quotes: tuple[Quote, ...]

    @property
    def verdict(self) -> Verdict | None:
        """The worst of its checks; None where it rests on passages alone or on nothing."""
        return worst(row.verdict for row in self.rows) if self.rows else None


@dataclass(frozen=True, kw_only=True)
class Proof:
    """A claim or a myth with everything that was seen of it."""

    id: str
    name: str
    """`card#claim`."""
    verdict: Verdict
    rows: tuple[Row, ...]
    evidence: ClaimEvidence | None
    says: tuple[Proven, ...]
    limits: tuple[Proven, ...]

    @property
    def anchor(self) -> str:
        return self.id

    def count(self, verdict: Verdict) -> int:
        """How many of its checks have this verdict."""
        return sum(row.verdict == verdict for row in self.rows)

    @property
    def mesh(self) -> Mapping[str, Json] | None:
        """Observations that a mesh can be drawn from, of the first verified check that has them."""
        for row in self.rows:
            seen = row.evidence.observations if row.evidence and row.verdict is Verdict.VERIFIED else None
            if isinstance(seen, dict) and _has_two_axes(seen):
                return seen
        return None


def _has_two_axes(seen: Mapping[str, Json]) -> bool:
    keys = {"mesh", "shard_groups", "local_shapes"}
    return keys <= seen.keys() and isinstance(seen["mesh"][0], list) and isinstance(seen["mesh"][0][0], int)


def proof(
    card: Concept,
    claim: Claim | Myth,
    *,
    language: str,
    evidence: EnvironmentEvidence | None,
    settings: Settings,
) -> Proof:
    """Join a claim or a myth with its evidence in one environment."""
    name = f"{card.id}#{claim.id}"
    found = evidence.claims.get(name) if evidence else None
    rows = {id: _row(claim.id, check, found) for id, check in claim.checks.items()}
    join = _Join(card=card, rows=rows, language=language, settings=settings)
    says, limits = (claim.says, claim.limits) if isinstance(claim, Claim) else ((claim.instead,), ())
    return Proof(
        id=claim.id,
        name=name,
        verdict=found.verdict if found else Verdict.NOT_RUN,
        rows=tuple(rows.values()),
        evidence=found,
        says=tuple(map(join.sentence, says)),
        limits=tuple(map(join.sentence, limits)),
    )


def _row(claim: str, check: Check, found: ClaimEvidence | None) -> Row:
    seen = found.checks.get(check.id) if found else None
    return Row(claim=claim, check=check, evidence=seen, verdict=seen.verdict if seen else Verdict.NOT_RUN)


@dataclass(frozen=True, kw_only=True)
class _Join:
    card: Concept
    rows: Mapping[str, Row]
    language: str
    settings: Settings

    def sentence(self, sentence: Sentence) -> Proven:
        """The sentence with its placeholders filled and its evidence looked up."""
        checks = {id: row.check for id, row in self.rows.items()}
        return Proven(
            text=filled(sentence.text[self.language], checks),
            rows=tuple(self.rows[name] for name in sentence.by if name in self.rows),
            quotes=tuple(self.quotes(sentence)),
        )

    def quotes(self, sentence: Sentence) -> Iterator[Quote]:
        for name in sentence.by:
            source, _, passage = name.partition("/")
            if passage and source in self.card.sources:
                cited = self.card.sources[source]
                found = cited.passages[passage]
                address = permalink(self.settings, cited, found)
                yield Quote(source=cited, passage=found, address=address)


def main_environment(
    evidence: tuple[EnvironmentEvidence, ...], settings: Settings
) -> EnvironmentEvidence | None:
    """The environment that pages speak of: of the book's release, the one with most claims."""
    own = [found for found in evidence if found.environment.torch == settings.version]
    return max(own, key=lambda found: len(found.claims), default=None)


def shown(value: Json) -> str:
    """A JSON value as one line."""
    return json.dumps(value, ensure_ascii=False)


def expectation(expect: Json) -> str:
    """An expectation as a reader would write it: `= 3`, or the schema."""
    if isinstance(expect, dict) and expect.keys() == {"const"}:
        return f"= {shown(expect['const'])}"
    return shown(expect)
