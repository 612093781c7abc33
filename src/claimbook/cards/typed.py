"""From a well-formed document to a typed card."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypedDict

from claimbook.cards.card import (
    CatalogNote,
    Check,
    Claim,
    Concept,
    Course,
    Exercise,
    Figure,
    Gpu,
    Json,
    Myth,
    Needs,
    Passage,
    Relation,
    Sentence,
    Source,
)
from claimbook.cards.document import Document
from claimbook.settings import Text


class _Place(TypedDict):
    id: str
    path: Path
    positions: Any


def concept(document: Document, path: Path) -> Concept:
    """A concept card that the schema has nothing against."""
    data = document.data
    return Concept(
        **_place(document, path),
        term=_text(data["term"]),
        abbr=data.get("abbr"),
        aliases=tuple(data.get("aliases", ())),
        family=data["family"],
        definition=_text(data["definition"]),
        why=_text(data["why"]),
        claims={id: _claim(id, entry) for id, entry in data["claims"].items()},
        myths={id: _myth(id, entry) for id, entry in data.get("myths", {}).items()},
        check_yourself=tuple(map(_sentence, data.get("check_yourself", ()))),
        sources={id: _source(id, entry) for id, entry in data["sources"].items()},
        relations=tuple(Relation(**entry) for entry in data.get("relations", ())),
        exercises={id: _exercise(id, entry) for id, entry in data.get("exercises", {}).items()},
        courses=tuple(data.get("courses", ())),
        catalog=tuple(
            CatalogNote(gpu=entry["gpu"], note=_text(entry["note"])) for entry in data.get("catalog", ())
        ),
        forms={language: tuple(forms) for language, forms in data.get("forms", {}).items()},
        was=tuple(data.get("was", ())),
        data=data,
    )


def course(document: Document, path: Path) -> Course:
    """A course card that the schema has nothing against."""
    data = document.data
    return Course(
        **_place(document, path),
        title=data["title"],
        provider=data["provider"],
        url=data["url"],
        language=data["language"],
        kind=data["kind"],
        level=data["level"],
        access=data["access"],
        note=_optional_text(data),
    )


def gpu(document: Document, path: Path) -> Gpu:
    """A catalog entry that the schema has nothing against."""
    data = document.data
    return Gpu(
        **_place(document, path),
        name=data["name"],
        vendor=data["vendor"],
        architecture=data["architecture"],
        form_factor=data["form_factor"],
        figures={
            name: Figure(
                value=entry["value"],
                source=entry["source"],
                vendor=entry["vendor"],
                seen=entry["seen"],
                note=_optional_text(entry),
            )
            for name, entry in data["figures"].items()
        },
    )


def _place(document: Document, path: Path) -> _Place:
    return {"id": document.data["id"], "path": path, "positions": document.positions}


def _text(entry: Mapping[str, str]) -> Text:
    return {language: text.strip() for language, text in entry.items() if language in ("ru", "en")}


def _optional_text(entry: Mapping[str, Any]) -> Text | None:
    return _text(entry["note"]) if "note" in entry else None


def _sentence(entry: Mapping[str, Any]) -> Sentence:
    return Sentence(text=_text(entry), by=tuple(entry.get("by", ())), run=entry.get("run"))


def _claim(id: str, entry: Mapping[str, Any]) -> Claim:
    return Claim(
        id=id,
        title=_text(entry["title"]),
        says=tuple(map(_sentence, entry["says"])),
        limits=tuple(map(_sentence, entry.get("limits", ()))),
        sources=tuple(entry.get("sources", ())),
        checks=_checks(entry),
    )


def _myth(id: str, entry: Mapping[str, Any]) -> Myth:
    return Myth(id=id, said=_text(entry["said"]), instead=_sentence(entry["instead"]), checks=_checks(entry))


def _checks(entry: Mapping[str, Any]) -> Mapping[str, Check]:
    return {id: _check(id, check) for id, check in entry.get("checks", {}).items()}


def _check(id: str, entry: Mapping[str, Any]) -> Check:
    control = entry.get("control", [])
    return Check(
        id=id,
        run=entry["run"],
        ranks=entry.get("ranks", 2),
        given=entry.get("given", {}),
        observe=entry["observe"],
        expect=entry["expect"],
        controls=tuple(control if isinstance(control, list) else [control]),
        fault=entry.get("fault"),
        needs=_needs(entry.get("needs")),
        across_ranks=entry.get("across") == "ranks",
        timeout=entry.get("timeout"),
    )


def _needs(entry: Json) -> Needs | None:
    if entry is None:
        return None
    if isinstance(entry, str):
        return Needs(cuda=True, nccl=entry == "nccl")
    return Needs(cuda=True, nccl=entry.get("nccl", False), gpus=entry.get("gpus", 0))


def _source(id: str, entry: Mapping[str, Any]) -> Source:
    return Source(
        id=id,
        kind=entry["kind"],
        title=entry["title"],
        url=entry["url"],
        symbol=entry.get("symbol"),
        file=entry.get("file"),
        line=entry.get("line"),
        note=_optional_text(entry),
        passages={
            passage: Passage(
                id=passage,
                lines=(found["lines"][0], found["lines"][1]),
                has=tuple(found.get("has", ())),
                sha256=found["sha256"],
            )
            for passage, found in entry.get("passages", {}).items()
        },
    )


def _exercise(id: str, entry: Mapping[str, Any]) -> Exercise:
    return Exercise(
        id=id,
        ask=_text(entry["ask"]),
        run=entry["run"],
        ranks=entry.get("ranks", 2),
        given=entry.get("given", {}),
        observe=entry["observe"],
    )
