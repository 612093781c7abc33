"""The schemas of the cards, and their findings in the words of an editor."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs

from claimbook.cards.card import Pointer
from claimbook.cards.document import Document
from claimbook.diagnostics import Diagnostic

_TYPES = {
    "object": "a mapping",
    "array": "a list",
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "null": "nothing",
}

_ID_HELP = "lowercase Latin words joined by hyphens, such as `true-frees`"

_HELP_BY_KEY = {
    "ru": "write the Russian text",
    "en": "write the English text",
    "url": "an address such as https://host/page, without a name or a password in it",
    "source": "an address such as https://host/page, without a name or a password in it",
    "run": "`module.function`, a function in verifiers/module.py",
    "observe": "a key of the observations, or a JSON pointer such as `/forward/0`",
    "expect": "a JSON Schema that some observation can miss, such as {const: 0}",
    "sha256": "64 hexadecimal digits of the normalised lines",
    "by": "names of checks of this claim, or passages as `source/passage`",
}


@cache
def schema(kind: str) -> dict[str, Any]:
    """The schema of `concept`, `course` or `gpu`, from the checkout or from the installed package."""
    package = Path(__file__).resolve().parent.parent
    folder = next(folder for folder in (package / "schema", package.parents[1] / "schema") if folder.is_dir())
    loaded: dict[str, Any] = json.loads((folder / f"{kind}.schema.json").read_text("utf-8"))
    return loaded


@cache
def _validator(kind: str) -> jsonschema_rs.Draft202012Validator:
    return jsonschema_rs.Draft202012Validator(schema(kind))


def schema_problems(document: Document, *, kind: str, path: Path) -> Iterator[Diagnostic]:
    """What the schema of the kind finds in a card: one diagnostic a mistake."""
    findings = [
        _Finding(error=error, document=document, path=path, kind=kind)
        for error in _validator(kind).iter_errors(document.data)
    ]
    meant = {key for finding in findings for key in finding.meant()}
    for finding in findings:
        if finding.missing not in meant:
            yield from finding.diagnostics()


@dataclass(frozen=True, kw_only=True)
class _Finding:
    """One error of the validator and where it stands."""

    error: Any
    document: Document
    path: Path
    kind: str

    @property
    def pointer(self) -> Pointer:
        return tuple(self.error.instance_path)

    @property
    def name(self) -> str:
        """The node as an editor would call it."""
        words = [step for step in self.pointer if isinstance(step, str)]
        return f"`{words[-1]}`" if words else "the card"

    @property
    def missing(self) -> Pointer | None:
        """The key that is missing, if that is the mistake."""
        is_missing = self.error.kind.name == "required"
        return (*self.pointer, self.error.kind.property) if is_missing else None

    def meant(self) -> Iterator[Pointer]:
        """Keys that unknown ones stand for: that they are missing as well is the same mistake."""
        if self.error.kind.name == "additionalProperties":
            for key in self.error.kind.unexpected:
                for close in _closest(key, self.possible_keys()):
                    yield (*self.pointer, close)

    def diagnostics(self) -> Iterator[Diagnostic]:
        """The error as an editor needs it."""
        detail = self.error.kind
        match detail.name:
            case "additionalProperties":
                for key in detail.unexpected:
                    here = (*self.pointer, key)
                    yield self.at(here, "CB004", f"unknown key `{key}`", similar(key, self.possible_keys()))
            case "required":
                message = f"{self.name} has no `{detail.property}:`"
                yield self.at(self.pointer, "CB005", message, self.description(detail.property))
            case "propertyNames":
                key = detail.error.instance
                yield self.at((*self.pointer, key), "CB006", f"`{key}` is no id", _ID_HELP)
            case _:
                yield self.at(self.pointer, "CB006", *self.words())

    def words(self) -> tuple[str, str]:
        """Message and help for a value that is not what it must be."""
        detail, shown = self.error.kind, _shown(self.error.instance)
        help = _HELP_BY_KEY.get(str(self.pointer[-1]) if self.pointer else "", "")
        match detail.name:
            case "type":
                wanted = " or ".join(_TYPES[of] for of in detail.types)
                return f"{self.name} is {shown}, not {wanted}", help
            case "enum":
                return f"{self.name} is {shown}", similar(str(self.error.instance), map(str, detail.options))
            case "const":
                return f"{self.name} is {shown}", f"the only value here is `{detail.expected_value}`"
            case "pattern":
                return f"{self.name} is {shown}", help or (_ID_HELP if "a-z0-9" in detail.pattern else "")
            case "minLength" | "minItems" | "minProperties":
                return f"{self.name} is empty", help or "write something, or delete the key"
            case "uniqueItems":
                return f"{self.name} names something twice", "delete the second"
            case "minimum" | "maximum" | "exclusiveMinimum":
                return f"{self.name} is {shown}", f"{detail.name} here is {detail.limit}"
        return f"{self.name}: {self.error.message}", help

    def possible_keys(self) -> list[str]:
        """The keys that the schema has where the unknown one stands."""
        node = self.schema_node()
        there = self.error.instance if isinstance(self.error.instance, dict) else {}
        return [key for key in node.get("properties", ()) if key not in there]

    def description(self, key: str) -> str:
        """What the schema says of a missing key."""
        if key in _HELP_BY_KEY:
            return _HELP_BY_KEY[key]
        node = self.schema_node().get("properties", {}).get(key, {})
        text = node.get("description") or self.reference(node).get("description", "")
        return f"{key}: {text.partition(' / ')[0]}" if text else f"add `{key}:`"

    def schema_node(self) -> dict[str, Any]:
        node: Any = schema(self.kind)
        for step in self.error.schema_path[:-1]:
            node = node[step]
        return node if isinstance(node, dict) else {}

    def reference(self, node: dict[str, Any]) -> dict[str, Any]:
        name = node.get("$ref", "").rpartition("/")[2]
        found: dict[str, Any] = schema(self.kind)["$defs"].get(name, {})
        return found

    def at(self, pointer: Pointer, code: str, message: str, help: str) -> Diagnostic:
        """A diagnostic at the node, or at its nearest ancestor that is written down."""
        while pointer and pointer not in self.document.positions:
            pointer = pointer[:-1]
        return Diagnostic(
            path=self.path,
            position=self.document.position(pointer),
            length=self.document.lengths.get(pointer, 1),
            code=code,
            message=message,
            help=help,
        )


def similar(word: str, known: Iterable[str]) -> str:
    """`did you mean …?`, or the list of what is possible."""
    known = list(known)
    close = _closest(word, known)
    return f"did you mean `{close[0]}`?" if close else f"possible here: {listed(known)}"


def listed(names: Sequence[str], *, most: int = 8) -> str:
    """The names, the rest of a long list as its number."""
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


def _closest(word: str, known: Sequence[str]) -> list[str]:
    return difflib.get_close_matches(word, known, n=1, cutoff=0.6)


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:57]}…"
