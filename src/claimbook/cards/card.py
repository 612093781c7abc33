"""Typed cards: what the YAML of a book says, once it is known to be well formed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from claimbook.diagnostics import Position
from claimbook.settings import Text

Json = Any
"""A JSON value: None, bool, int, float, str, list or dict with string keys."""

Pointer = tuple[str | int, ...]
"""The way to a node of a card: keys and list indexes."""


@dataclass(frozen=True, kw_only=True)
class Sentence:
    """One sentence and the checks (`check-id`) or passages (`source/passage`) that back it."""

    text: Text
    by: tuple[str, ...] = ()
    run: str | None = None
    """An experiment that a reader can run, in `check_yourself` only."""


@dataclass(frozen=True, kw_only=True)
class Needs:
    """Hardware without which a check is not run."""

    cuda: bool = False
    nccl: bool = False
    gpus: int = 0


@dataclass(frozen=True, kw_only=True)
class Check:
    """What the card expects of one observation under given parameters, and what must not meet it."""

    id: str
    run: str
    """`module.function` of an experiment under `verifiers/`."""
    ranks: int = 2
    given: Mapping[str, Json] = field(default_factory=dict)
    observe: str
    """A key of the observations, or a JSON pointer (`/forward/0`) into them."""
    expect: Json
    """JSON Schema 2020-12."""
    controls: tuple[Mapping[str, Json], ...] = ()
    """Each replaces `given` whole and must miss the expectation."""
    fault: str | None = None
    needs: Needs | None = None
    across_ranks: bool = False
    """The expectation gets the list of all ranks' values instead of each rank's value."""
    timeout: float | None = None
    """Seconds; None for the deadline of the command line."""


@dataclass(frozen=True, kw_only=True)
class Claim:
    """A short group of sentences on a concept, with its limits and checks."""

    id: str
    title: Text
    says: tuple[Sentence, ...]
    limits: tuple[Sentence, ...] = ()
    sources: tuple[str, ...] = ()
    checks: Mapping[str, Check] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Myth:
    """What is often said and is not so."""

    id: str
    said: Text
    instead: Sentence
    checks: Mapping[str, Check] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Passage:
    """A place in a pinned source: lines of the file, 1-based and inclusive, with their fingerprint."""

    id: str
    lines: tuple[int, int]
    has: tuple[str, ...] = ()
    sha256: str


@dataclass(frozen=True, kw_only=True)
class Source:
    """A pinned source of a card."""

    id: str
    kind: str
    """docs, code, paper, release-notes or issue."""
    title: str
    url: str
    symbol: str | None = None
    """Dotted public name in the package."""
    file: str | None = None
    """Path in the repository at the pinned tag, where `symbol` is defined or the passages stand."""
    line: int | None = None
    """Where the symbol's definition begins in `file`, its decorators included, 1-based."""
    note: Text | None = None
    passages: Mapping[str, Passage] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Relation:
    """An edge of the concept map from this card to another."""

    to: str
    kind: str


@dataclass(frozen=True, kw_only=True)
class Exercise:
    """A question whose answer is an observation."""

    id: str
    ask: Text
    run: str
    ranks: int
    given: Mapping[str, Json]
    observe: str


@dataclass(frozen=True, kw_only=True)
class CatalogNote:
    """Why an entry of the catalog matters for this concept."""

    gpu: str
    note: Text


@dataclass(frozen=True, kw_only=True)
class Card:
    """What every card has: its id, which is its file name, and where its nodes stand."""

    id: str
    path: Path
    """Relative to the root of the book."""
    positions: Mapping[Pointer, Position]
    """Of the key for members of a mapping, of the value for items of a list."""

    def position(self, *pointer: str | int) -> Position:
        """Where the node stands, or its nearest ancestor that is written down."""
        while pointer and pointer not in self.positions:
            pointer = pointer[:-1]
        return self.positions.get(pointer, Position(line=1, column=1))


@dataclass(frozen=True, kw_only=True)
class Concept(Card):
    """A concept card: `concepts/ID.yml`."""

    term: Text
    abbr: str | None
    aliases: tuple[str, ...]
    family: str
    definition: Text
    why: Text
    claims: Mapping[str, Claim]
    myths: Mapping[str, Myth]
    check_yourself: tuple[Sentence, ...]
    sources: Mapping[str, Source]
    relations: tuple[Relation, ...]
    exercises: Mapping[str, Exercise]
    courses: tuple[str, ...]
    catalog: tuple[CatalogNote, ...]
    forms: Mapping[str, tuple[str, ...]]
    was: tuple[str, ...]
    data: Mapping[str, Json]
    """The card as written, for digests and exports."""


@dataclass(frozen=True, kw_only=True)
class Course(Card):
    """A course, tutorial or book: `courses/ID.yml`."""

    title: str
    provider: str
    url: str
    language: str
    """Of the course: `ru`, `en`, …"""
    kind: str
    level: str
    access: str
    note: Text | None


@dataclass(frozen=True, kw_only=True)
class Figure:
    """One figure of a catalog entry and where it was published."""

    value: Json
    source: str
    vendor: bool
    """Whether the source is the vendor's own page."""
    seen: bool
    """Whether the vendor's page itself was read; otherwise `note` names where the figure was found."""
    note: Text | None


@dataclass(frozen=True, kw_only=True)
class Gpu(Card):
    """A catalog entry: `catalog/ID.yml`."""

    name: str
    vendor: str
    architecture: str
    form_factor: str
    figures: Mapping[str, Figure]
    """By name with its unit: memory_gb, memory_bandwidth_gbs, …"""


@dataclass(frozen=True, kw_only=True)
class Book:
    """All cards of a book that are well formed, by id, in the order of their ids."""

    concepts: Mapping[str, Concept]
    courses: Mapping[str, Course]
    gpus: Mapping[str, Gpu]
    broken: frozenset[str] = frozenset()
    """Ids, by file name, of the cards that are there but are not well formed."""
