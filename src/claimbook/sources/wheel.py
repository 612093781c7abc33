"""Holds the sources of a book against the installed package: commit, symbols, passages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import unquote, urlsplit

from claimbook.cards.card import Book, Concept, Passage, Source
from claimbook.cards.rules.finding import finding
from claimbook.cards.schema import listed
from claimbook.diagnostics import Diagnostic, Position, Severity
from claimbook.experiment.installed import Installed
from claimbook.settings import Settings
from claimbook.sources.links import permalink
from claimbook.sources.passage import cut, fingerprint, missing, nearest, places
from claimbook.sources.symbol import Found, Package

_SHOWN = 4
"""Lines of a changed passage that a message quotes."""


@dataclass(frozen=True, kw_only=True)
class WheelReport:
    """What the installed package has to say about the sources of a book."""

    problems: tuple[Diagnostic, ...]
    symbols: int
    passages: int
    pinned: bool
    """Whether the package was built from the commit of the tag; if not, differences are warnings."""


def against_wheel(book: Book, settings: Settings, installed: Installed) -> WheelReport:
    """Compare every symbol and passage with the files of the package."""
    package = Package(installed.folder)
    pinned = installed.commit == settings.commit
    problems = [] if pinned else [_other_commit(settings, installed)]
    symbols = passages = 0
    for card, id, source in _sources(book):
        symbols += source.symbol is not None
        passages += len(source.passages)
        for problem in _source(card, id, package=package, settings=settings):
            problems.append(problem if pinned else replace(problem, severity=Severity.WARNING))
    return WheelReport(problems=tuple(problems), symbols=symbols, passages=passages, pinned=pinned)


def _sources(book: Book) -> Iterator[tuple[Concept, str, Source]]:
    for card in book.concepts.values():
        for id, source in card.sources.items():
            yield card, id, source


def _other_commit(settings: Settings, installed: Installed) -> Diagnostic:
    built = f"commit {installed.commit[:12]}" if installed.commit else "no commit that it names"
    lines = (settings.root / "pyproject.toml").read_text("utf-8").splitlines()
    table = next((at for at, line in enumerate(lines, 1) if line.strip() == "[tool.claimbook]"), 1)
    rest = enumerate(lines[table:], table + 1)
    line = next((at for at, text in rest if re.match(r"commit\s*=", text)), table)
    return Diagnostic(
        path=Path("pyproject.toml"),
        position=Position(line=line, column=1),
        length=len("commit"),
        code="CB101",
        message=f"the installed {settings.package} {installed.version} is of {built}, not of {settings.tag}",
        help=f"install {settings.package}=={settings.version}; until then differences are warnings",
    )


def _source(card: Concept, id: str, *, package: Package, settings: Settings) -> Iterator[Diagnostic]:
    source = card.sources[id]
    yield from _symbol(card, source, package)
    yield from _address(card, source, package)
    if source.file is None:
        if source.passages:
            message = "the passages stand in no file"
            help = "add `file:`, the path in the repository"
            yield finding(card, ("sources", id, "passages"), "CB107", message=message, help=help)
        return
    lines = package_lines(package, source.file)
    if lines is None:
        message = f"the installed package has no file {source.file}"
        yield finding(card, ("sources", id, "file"), "CB103", message=message)
        return
    if source.line is not None and source.line > len(lines):
        message = f"{source.file} has {len(lines)} lines"
        yield finding(card, ("sources", id, "line"), "CB103", message=message)
    for passage in source.passages.values():
        there = permalink(settings, source, passage)
        yield from _passage(card, source, passage=passage, lines=lines, pinned=there)


def _symbol(card: Concept, source: Source, package: Package) -> Iterator[Diagnostic]:
    if source.symbol is None:
        return
    found = package.find(source.symbol)
    here = ("sources", source.id)
    if not isinstance(found, Found):
        if not found.compiled:
            message = f"no symbol `{source.symbol}`: {found.reason}"
            yield finding(card, (*here, "symbol"), "CB102", message=message)
    elif source.file is None:
        message = f"`{source.symbol}` stands in no file"
        help = f"add `file: {found.file}` and `line: {found.line}`"
        yield finding(card, (*here, "symbol"), "CB107", message=message, help=help)
    elif source.file != found.file:
        message = f"`{source.symbol}` is defined in {found.file}, line {found.line}"
        help = f"write `file: {found.file}` and `line: {found.line}`"
        yield finding(card, (*here, "file"), "CB103", message=message, help=help)
    elif source.line != found.line:
        message = f"`{source.symbol}` is defined on line {found.line}"
        key = "file" if source.line is None else "line"
        yield finding(card, (*here, key), "CB103", message=message, help=f"write `line: {found.line}`")


def _address(card: Concept, source: Source, package: Package) -> Iterator[Diagnostic]:
    """The file and lines that the address of a code source names."""
    parts = urlsplit(source.url)
    blob = re.search(r"/blob/[^/]+/(.+)", parts.path)
    if source.kind != "code" or blob is None:
        return
    here = ("sources", source.id, "url")
    file = unquote(blob[1])
    if source.file is not None and source.file != file:
        yield finding(card, here, "CB108", message=f"the address names {file}, `file` {source.file}")
        return
    lines = package_lines(package, file)
    named = re.fullmatch(r"L(\d+)(?:-L(\d+))?", parts.fragment)
    if lines is not None and named and int(named[2] or named[1]) > len(lines):
        yield finding(card, here, "CB108", message=f"{file} has {len(lines)} lines")


def package_lines(package: Package, file: str) -> Sequence[str] | None:
    """The lines of a file of the package, by its path in the repository; None where it has no such file."""
    top = package.folder.parent
    path = (top / file).resolve()
    if not path.is_relative_to(package.folder.resolve()) or not path.is_file():
        return None
    return path.read_text("utf-8", errors="replace").removesuffix("\n").split("\n")


def _passage(
    card: Concept, source: Source, *, passage: Passage, lines: Sequence[str], pinned: str
) -> Iterator[Diagnostic]:
    here = ("sources", source.id, "passages", passage.id)
    now = cut(lines, passage)
    if fingerprint(now) != passage.sha256:
        found = next(places(lines, passage), None)
        if found is None:
            yield _changed(card, source.id, passage=passage, lines=lines, pinned=pinned)
        else:
            message = f"`{passage.id}` stands on lines {found[0]} to {found[1]} now"
            help = f"write `lines: [{found[0]}, {found[1]}]`"
            yield finding(card, (*here, "lines"), "CB104", message=message, help=help)
            now = lines[found[0] - 1 : found[1]]
    elif passage.lines[1] > len(lines):
        message = f"{source.file} has {len(lines)} lines"
        yield finding(card, (*here, "lines"), "CB105", message=message)
    absent = missing(now, passage)
    if absent:
        message = f"`{passage.id}` lacks the words {listed([f'“{words}”' for words in absent])}"
        yield finding(card, (*here, "has"), "CB106", message=message, help=_elsewhere(lines, passage))


def _changed(
    card: Concept, source: str, *, passage: Passage, lines: Sequence[str], pinned: str
) -> Diagnostic:
    now = _elsewhere(lines, passage) or f"they read now: {_quoted(cut(lines, passage))}"
    first, last = passage.lines
    return finding(
        card,
        ("sources", source, "passages", passage.id, "sha256"),
        "CB105",
        message=f"lines {first} to {last} are not the passage `{passage.id}`",
        help=f"{now}; what was pinned: {pinned}",
    )


def _elsewhere(lines: Sequence[str], passage: Passage) -> str:
    at = nearest(lines, passage)
    if at is None or passage.lines[0] <= at <= passage.lines[1]:
        return ""
    return f"line {at} has some of its words: {_quoted(lines[at - 1 : at])}"


def _quoted(lines: Sequence[str]) -> str:
    text = " / ".join(line.strip() for line in lines[:_SHOWN])
    return text + (" / …" if len(lines) > _SHOWN else "") if text else "nothing"
