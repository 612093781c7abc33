"""One type for everything an author can be told, and its renderings."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any


class Severity(StrEnum):
    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, kw_only=True, order=True)
class Position:
    """A place in a file, 1-based."""

    line: int
    column: int


@dataclass(frozen=True, kw_only=True)
class Diagnostic:
    """What is wrong, where, and what to do about it."""

    path: Path
    """Relative to the root of the book."""
    position: Position
    code: str
    """Stable, for instance `CB012`."""
    message: str
    help: str = ""
    severity: Severity = Severity.ERROR
    length: int = 1
    """Characters that the caret underlines."""


def as_text(problems: Sequence[Diagnostic], *, root: Path, colour: bool = False) -> str:
    """`path:line:col: error[code]: message`, the line with a caret, and the help."""
    lines: dict[Path, Sequence[str]] = {}
    return "\n\n".join(_text(problem, lines, root=root, colour=colour) for problem in problems)


def _text(problem: Diagnostic, lines: dict[Path, Sequence[str]], *, root: Path, colour: bool) -> str:
    if problem.path not in lines:
        lines[problem.path] = _lines(root / problem.path)
    red = "31" if problem.severity is Severity.ERROR else "33"
    place = f"{problem.path.as_posix()}:{problem.position.line}:{problem.position.column}"
    kind = _paint(f"{problem.severity}[{problem.code}]", red, colour)
    parts = [f"{place}: {kind}: {printable(problem.message)}"]
    source = lines[problem.path]
    if 0 < problem.position.line <= len(source):
        parts += _excerpt(source[problem.position.line - 1], problem, _paint("^", red, colour))
    if problem.help:
        parts.append(f"  help: {printable(problem.help)}")
    return "\n".join(parts)


def _excerpt(line: str, problem: Diagnostic, caret: str) -> list[str]:
    """The line, cut around the caret where it is long, and the carets under it."""
    start = problem.position.column - 1
    offset = max(0, start - 40) if len(line) > 74 else 0
    cut = line[offset : offset + 74]
    before = cut[: start - offset]
    marked = cut[start - offset : start - offset + problem.length] or " "
    carets = caret * max(1, sum(map(_cells, marked)))
    return [f"    {printable(cut)}", f"    {' ' * sum(map(_cells, before))}{carets}"]


def _cells(character: str) -> int:
    """Columns that a character takes in a terminal."""
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _lines(file: Path) -> Sequence[str]:
    try:
        # A pipe or a device named like a card would never end.
        if not file.is_file():
            return ()
        return file.read_text("utf-8", errors="replace").split("\n")
    except OSError:
        return ()


def _paint(text: str, colour: str, on: bool) -> str:
    return f"\x1b[1;{colour}m{text}\x1b[0m" if on else text


def printable(text: str) -> str:
    """The text without what a terminal would obey: control characters become spaces, others `?`."""
    return "".join(
        character if character.isprintable() else " " if character in "\t\n\r" else "?" for character in text
    )


def as_github(problems: Sequence[Diagnostic], *, root: Path, colour: bool = False) -> str:
    """Annotations of a GitHub workflow, one a line."""
    return "\n".join(
        f"::{problem.severity} file={_property(problem.path.as_posix())},line={problem.position.line},"
        f"col={problem.position.column},title={_property(problem.code)}::"
        + _escaped(problem.message + (f" ({problem.help})" if problem.help else ""))
        for problem in problems
    )


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")


def as_json(problems: Sequence[Diagnostic], *, root: Path, colour: bool = False) -> str:
    """One object with a list of all problems."""
    return json.dumps(
        {"diagnostics": [_mapping(problem) for problem in problems]}, ensure_ascii=False, indent=2
    )


def _mapping(problem: Diagnostic) -> Mapping[str, Any]:
    return {
        "path": problem.path.as_posix(),
        "line": problem.position.line,
        "column": problem.position.column,
        "length": problem.length,
        "severity": problem.severity,
        "code": problem.code,
        "message": problem.message,
        "help": problem.help,
    }


def as_sarif(problems: Sequence[Diagnostic], *, root: Path, colour: bool = False) -> str:
    """A SARIF 2.1.0 log, which code hosts and editors read."""
    rules = [{"id": code} for code in sorted({problem.code for problem in problems})]
    driver = {"name": "claimbook", "rules": rules}
    run = {"tool": {"driver": driver}, "results": [_result(problem) for problem in problems]}
    log = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{**run, "columnKind": "unicodeCodePoints"}],
    }
    return json.dumps(log, ensure_ascii=False, indent=2)


def _result(problem: Diagnostic) -> Mapping[str, Any]:
    start, length = problem.position, problem.length
    region = {"startLine": start.line, "startColumn": start.column, "endColumn": start.column + length}
    location = {"artifactLocation": {"uri": problem.path.as_posix()}, "region": region}
    message = problem.message + (f" ({problem.help})" if problem.help else "")
    return {
        "ruleId": problem.code,
        "level": problem.severity,
        "message": {"text": message},
        "locations": [{"physicalLocation": location}],
    }


class Rendering(StrEnum):
    """How diagnostics are written out."""

    TEXT = "text"
    GITHUB = "github"
    JSON = "json"
    SARIF = "sarif"


RENDERINGS: Mapping[Rendering, Callable[..., str]] = {
    Rendering.TEXT: as_text,
    Rendering.GITHUB: as_github,
    Rendering.JSON: as_json,
    Rendering.SARIF: as_sarif,
}


def errors(problems: Iterable[Diagnostic]) -> int:
    """How many of them are errors."""
    return sum(problem.severity is Severity.ERROR for problem in problems)


def counted(number: int, noun: str) -> str:
    """`1 error`, `2 errors`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
