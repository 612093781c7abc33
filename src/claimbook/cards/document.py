"""One YAML file as JSON values with the place of every node.

YAML 1.1 has readings that no author of a card means: `no` is false, `1:30` is ninety, `2024-01-01` a date.
Here a plain scalar is text, null, true, false, a decimal integer or a float; the other readings are errors.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from claimbook.cards.card import Json, Pointer
from claimbook.diagnostics import Diagnostic, Position

MAX_BYTES = 1_000_000
MAX_DEPTH = 40

_CONSTANTS: dict[str, Json] = {"true": True, "false": False, "null": None, "~": None, "": None}
_INTEGER = re.compile(r"[-+]?(0|[1-9][0-9]*)")
_FLOAT = re.compile(r"[-+]?(0|[1-9][0-9]*)(\.[0-9]+([eE][-+]?[0-9]+)?|[eE][-+]?[0-9]+)")
_TRAPS = (
    (re.compile(r"(?i)yes|no|on|off|y|n|true|false|null"), "YAML 1.1 reads it as a boolean or null"),
    (re.compile(r"[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9]*)?"), "YAML 1.1 reads it in base sixty"),
    (re.compile(r"[-+]?0[0-9_]{1,18}|0o[0-7]+"), "YAML 1.1 reads it as an octal number"),
    (re.compile(r"[-+]?0[xb][0-9a-fA-F_]+"), "YAML 1.1 reads it as a number in another base"),
    (re.compile(r"[-+]?[0-9]+(_[0-9]+)+"), "YAML 1.1 reads it as a number"),
    (re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}.*"), "YAML 1.1 reads it as a date"),
    (re.compile(r"[-+]?\.(inf|nan)", re.IGNORECASE), "JSON has no such number"),
)
_FORBIDDEN = re.compile(
    r"[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]"
)


@dataclass(frozen=True, kw_only=True)
class Document:
    """A parsed file: its value, and where each of its nodes stands."""

    data: Json
    positions: dict[Pointer, Position]
    """Of the key for members of a mapping, of the value for items of a list."""
    lengths: dict[Pointer, int]
    """Characters that the key or the value takes on its first line."""

    def position(self, pointer: Pointer) -> Position:
        """Where the node stands, or its nearest ancestor that is written down."""
        while pointer and pointer not in self.positions:
            pointer = pointer[:-1]
        return self.positions.get(pointer, Position(line=1, column=1))


class _Stop(Exception):
    """Nothing after this can be read."""

    def __init__(self, position: Position, message: str, help: str = "", code: str = "CB001") -> None:
        super().__init__(message)
        self.position, self.message, self.help, self.code = position, message, help, code


def read_document(file: Path, shown: Path) -> tuple[Document | None, list[Diagnostic]]:
    """Read one card. `shown` is its path in diagnostics. The document is None where it cannot be parsed."""
    try:
        text = _text(file)
        reader = _Reader(shown)
        data = reader.read(text)
    except _Stop as stop:
        problem = Diagnostic(
            path=shown, position=stop.position, code=stop.code, message=stop.message, help=stop.help
        )
        return None, [problem]
    document = Document(data=data, positions=reader.positions, lengths=reader.lengths)
    return document, reader.problems


def _text(file: Path) -> str:
    """The file as text. Raises _Stop where it is no UTF-8 text of a sensible size."""
    start = Position(line=1, column=1)
    try:
        if not file.is_file():
            raise _Stop(start, "is a folder or a broken link, not a file", "a card is a YAML file")
        if file.stat().st_size > MAX_BYTES:
            raise _Stop(start, f"is larger than {MAX_BYTES:,} bytes", "a card is a few kilobytes of text")
        raw = file.read_bytes()
    except OSError as error:
        raise _Stop(start, f"cannot be read: {error.strerror}") from None
    if raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise _Stop(start, "is UTF-16", "save it as UTF-8")
    if raw.startswith(b"\xef\xbb\xbf"):
        raise _Stop(start, "starts with a byte order mark", "save it as UTF-8 without BOM")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        before = raw[: error.start].decode("utf-8")
        raise _Stop(_at(before, len(before)), "is not UTF-8", "save it as UTF-8") from None
    _refuse_characters(text)
    return text


def _refuse_characters(text: str) -> None:
    found = _FORBIDDEN.search(text)
    if found:
        name = unicodedata.name(found[0], f"U+{ord(found[0]):04X}")
        raise _Stop(_at(text, found.start()), f"invisible character {name}", "delete it")
    if not unicodedata.is_normalized("NFC", text):
        lines = text.splitlines()
        line = next(at for at, line in enumerate(lines) if not unicodedata.is_normalized("NFC", line))
        raise _Stop(
            Position(line=line + 1, column=1),
            "letters with separate accents (text is not in Unicode form NFC)",
            "write the composed letters",
        )


def _at(text: str, offset: int) -> Position:
    return Position(line=text.count("\n", 0, offset) + 1, column=offset - text.rfind("\n", 0, offset))


@dataclass
class _Reader:
    """Builds values from the events of the parser, noting where each came from."""

    shown: Path
    positions: dict[Pointer, Position] = field(default_factory=dict)
    lengths: dict[Pointer, int] = field(default_factory=dict)
    problems: list[Diagnostic] = field(default_factory=list)
    events: Iterator[Any] = field(default_factory=lambda: iter(()))

    def read(self, text: str) -> Json:
        try:
            self.events = iter(yaml.parse(text, Loader=yaml.CSafeLoader))
            next(self.events)
            first = next(self.events)
            if isinstance(first, yaml.StreamEndEvent):
                raise _Stop(Position(line=1, column=1), "is empty", "write a card, or delete the file")
            data = self._node(next(self.events), ())
            next(self.events)
            after = next(self.events)
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            raise _Stop(_mark(mark), *_reworded(error)) from None
        except yaml.YAMLError as error:
            raise _Stop(Position(line=1, column=1), f"is not YAML: {error}") from None
        if not isinstance(after, yaml.StreamEndEvent):
            raise _Stop(_mark(after.start_mark), "a second document begins here", "one file is one card")
        return data

    def _node(self, event: Any, pointer: Pointer) -> Json:
        if len(pointer) > MAX_DEPTH:
            raise _Stop(_mark(event.start_mark), f"nested more than {MAX_DEPTH} levels deep")
        if isinstance(event, yaml.AliasEvent):
            raise _Stop(
                _mark(event.start_mark),
                f"alias *{event.anchor}",
                "write the value out: cards have no aliases",
            )
        if event.anchor:
            raise _Stop(
                _mark(event.start_mark), f"anchor &{event.anchor}", "delete it: cards have no aliases"
            )
        if event.tag and event.tag != "!":
            raise _Stop(_mark(event.start_mark), f"tag {event.tag}", "delete it: cards hold plain values")
        if isinstance(event, yaml.MappingStartEvent):
            return self._mapping(pointer)
        if isinstance(event, yaml.SequenceStartEvent):
            return self._sequence(pointer)
        return self._scalar(event)

    def _mapping(self, pointer: Pointer) -> dict[str, Json]:
        result: dict[str, Json] = {}
        while not isinstance(event := next(self.events), yaml.MappingEndEvent):
            if not isinstance(event, yaml.ScalarEvent):
                raise _Stop(_mark(event.start_mark), "a key is a plain word", "put braces in quotes")
            key = event.value
            if key == "<<" and event.implicit[0]:
                raise _Stop(
                    _mark(event.start_mark), "merge key <<", "write the keys out: cards have no merge keys"
                )
            if event.implicit[0] and not isinstance(self._scalar(event), str):
                self._report(event, f"key `{key}` is not text", "put it in quotes")
            here = (*pointer, key)
            if key in result:
                first = self.positions[here]
                self._report(
                    event, f"duplicate key `{key}`", f"it stands on line {first.line} already", code="CB002"
                )
                self._node(next(self.events), here)
                continue
            self._note(here, event)
            result[key] = self._node(next(self.events), here)
        return result

    def _sequence(self, pointer: Pointer) -> list[Json]:
        result: list[Json] = []
        while not isinstance(event := next(self.events), yaml.SequenceEndEvent):
            here = (*pointer, len(result))
            self._note(here, event)
            result.append(self._node(event, here))
        return result

    def _scalar(self, event: Any) -> Json:
        value: str = event.value
        if not event.implicit[0]:
            return value
        if value in _CONSTANTS:
            return _CONSTANTS[value]
        if _INTEGER.fullmatch(value) and len(value) < 19:
            return int(value)
        if _FLOAT.fullmatch(value) and len(value) < 32:
            return self._float(event)
        for pattern, reading in _TRAPS:
            if pattern.fullmatch(value):
                self._report(
                    event, f"`{value}`: {reading}", f'put it in quotes: "{value}", or write what is meant'
                )
        return value

    def _float(self, event: Any) -> Json:
        number = float(event.value)
        if math.isinf(number):
            self._report(
                event, f"`{event.value}`: JSON has no such number", "write one of 308 digits or fewer"
            )
            return str(event.value)
        return number

    def _note(self, pointer: Pointer, event: Any) -> None:
        self.positions[pointer] = _mark(event.start_mark)
        same_line = event.end_mark.line == event.start_mark.line
        self.lengths[pointer] = max(1, event.end_mark.column - event.start_mark.column) if same_line else 1

    def _report(self, event: Any, message: str, help: str, code: str = "CB001") -> None:
        length = max(1, event.end_mark.column - event.start_mark.column)
        position = _mark(event.start_mark)
        self.problems.append(
            Diagnostic(
                path=self.shown, position=position, code=code, message=message, help=help, length=length
            )
        )


def _mark(mark: Any) -> Position:
    return Position(line=mark.line + 1, column=mark.column + 1) if mark else Position(line=1, column=1)


def _reworded(error: yaml.MarkedYAMLError) -> tuple[str, str]:
    """The parser's words as a message and a help."""
    problem = " ".join(part for part in (error.problem, error.context) if part)
    if "\\t" in problem or "tab" in problem:
        return "a tab where YAML wants spaces", "indent with spaces"
    if "cannot start any token" in problem:
        return f"is not YAML: {problem}", "put text that starts with such a character in quotes"
    if "mapping values are not allowed" in problem:
        return "a colon in unquoted text", "put the text in quotes, or in a block after `>-`"
    return f"is not YAML: {problem}", "compare the indentation of this line and the ones before"
