"""Fills in what the installed package knows of a card's sources: symbol, file, lines, fingerprint."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from claimbook.cards.card import Passage, Pointer
from claimbook.cards.document import read_document
from claimbook.sources.edit import with_value
from claimbook.sources.passage import cut, fingerprint, missing, normal, places
from claimbook.sources.symbol import Found, Package
from claimbook.sources.wheel import package_lines


@dataclass(frozen=True, kw_only=True)
class Edit:
    """One value to write."""

    mapping: Pointer
    key: str
    value: str
    after: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Filled:
    """A card with what could be filled in, and what was done or not, in words."""

    text: str
    done: tuple[str, ...]
    left: tuple[str, ...]


def filled(file: Path, shown: Path, package: Package) -> Filled:
    """The card at `file`, filled in. What cannot be read is left as it is: `claimbook check` says why."""
    # Bytes, so that line ends stay what they are.
    text = file.read_bytes().decode("utf-8", errors="replace")
    document, problems = read_document(file, shown)
    sources = document.data.get("sources") if document and isinstance(document.data, dict) else None
    if problems or not isinstance(sources, dict):
        return Filled(text=text, done=(), left=("not a card that can be read",) if problems else ())
    done: list[str] = []
    left: list[str] = []
    for id, source in sources.items():
        if isinstance(source, dict):
            for edit in _source(id, source, package=package, left=left):
                text = with_value(text, edit.mapping, edit.key, value=edit.value, after=edit.after)
                done.append(".".join(map(str, (*edit.mapping[1:], edit.key))))
    return Filled(text=text, done=tuple(done), left=tuple(left))


def _source(id: str, source: Mapping[str, Any], *, package: Package, left: list[str]) -> Iterator[Edit]:
    here: Pointer = ("sources", id)
    symbol, place = _symbol(source, package)
    if symbol and "symbol" not in source:
        yield Edit(mapping=here, key="symbol", value=symbol, after=("url", "title", "kind"))
    file, line = source.get("file"), source.get("line")
    if isinstance(place, Found):
        after = ("symbol", "url", "title", "kind")
        if file != place.file:
            file = place.file
            yield Edit(mapping=here, key="file", value=file, after=after)
        if line != place.line:
            line = place.line
            yield Edit(mapping=here, key="line", value=str(line), after=("file", *after))
    lines = package_lines(package, file) if isinstance(file, str) else None
    passages = source.get("passages")
    if lines is None or not isinstance(passages, dict):
        return
    for name, passage in passages.items():
        if isinstance(passage, dict):
            start = line if isinstance(line, int) else 1
            work = _Work(pointer=(*here, "passages", name), lines=lines, start=start)
            yield from work.edits(passage, left)


def _symbol(source: Mapping[str, Any], package: Package) -> tuple[str, Found | None]:
    """The symbol of a source and its place; read off the address or the title where the card has none."""
    written = source.get("symbol")
    fragment = unquote(urlsplit(str(source.get("url", ""))).fragment)
    for name in (written,) if isinstance(written, str) else (fragment, str(source.get("title", ""))):
        found = package.find(name) if name.startswith(f"{package.folder.name}.") else None
        if isinstance(found, Found):
            return name, found
    return "", None


@dataclass(frozen=True, kw_only=True)
class _Work:
    """One passage of a file."""

    pointer: Pointer
    lines: Sequence[str]
    start: int
    """The line from which its words are looked for."""

    def edits(self, written: Mapping[str, Any], left: list[str]) -> Iterator[Edit]:
        """What to write; what was pinned before is moved and never replaced."""
        has = tuple(words for words in written.get("has", ()) if isinstance(words, str))
        span = _span(written.get("lines")) or self._by_words(has)
        name = ".".join(map(str, self.pointer[1:]))
        if span is None:
            left.append(f"{name}: no lines of the file have its words; write `lines` or other words in `has`")
            return
        sha256 = written.get("sha256")
        passage = Passage(id=name, lines=span, has=has, sha256=sha256 or fingerprint(self._cut(span)))
        if sha256 and fingerprint(self._cut(span)) != sha256:
            found = next(places(self.lines, passage), None)
            if found is None:
                left.append(f"{name}: the text has changed; read it, and delete `sha256` to pin it anew")
                return
            span = found
        elif span[1] > len(self.lines) or missing(self._cut(span), passage):
            left.append(f"{name}: lines {span[0]} to {span[1]} do not have its words")
            return
        if not sha256:
            yield Edit(mapping=self.pointer, key="sha256", value=passage.sha256, after=("has", "lines"))
        if _span(written.get("lines")) != span:
            yield Edit(
                mapping=self.pointer, key="lines", value=f"[{span[0]}, {span[1]}]", after=("has", "sha256")
            )

    def _cut(self, span: tuple[int, int]) -> Sequence[str]:
        return cut(self.lines, Passage(id="", lines=span, sha256=""))

    def _by_words(self, has: Sequence[str]) -> tuple[int, int] | None:
        """From the first to the last of the words, each at its first place in the file from `start` on."""
        clean = [normal(line) for line in self.lines]
        hits = [
            next((at for at in range(self.start, len(clean) + 1) if normal(words) in clean[at - 1]), None)
            for words in has
        ]
        known = [at for at in hits if at is not None]
        return (min(known), max(known)) if known and len(known) == len(hits) else None


def _span(lines: object) -> tuple[int, int] | None:
    if isinstance(lines, list) and len(lines) == 2 and all(isinstance(at, int) for at in lines):
        first, last = lines
        return (first, last) if 1 <= first <= last else None
    return None
