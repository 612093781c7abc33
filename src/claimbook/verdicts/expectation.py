"""Whether a value meets an expectation: JSON Schema, without reference to anything outside it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import jsonschema_rs

from claimbook.cards.card import Json

_REFERENCES = ("$ref", "$dynamicRef")
_DEFINITIONS = "#/$defs/"


class NoExpectation(Exception):
    """The schema cannot be judged by; the message says why."""


class Expectation:
    """A compiled expectation. Raises NoExpectation where it is no schema, or one that leads to itself."""

    def __init__(self, schema: Json) -> None:
        _refuse_recursion(schema)
        try:
            self._validator = jsonschema_rs.Draft202012Validator(
                schema, pattern_options=jsonschema_rs.RegexOptions()
            )
        except (ValueError, jsonschema_rs.ValidationError, jsonschema_rs.ReferencingError) as error:
            raise NoExpectation(f"the expectation is no JSON Schema: {str(error).splitlines()[0]}") from None

    def holds(self, value: Json) -> bool:
        """Whether the value meets it. `false` is not 0 and `true` is not 1; 1.0 is 1, as JSON has it."""
        return bool(self._validator.is_valid(value))


def _refuse_recursion(schema: Json) -> None:
    if not isinstance(schema, dict):
        return
    definitions = schema.get("$defs", {})
    if not isinstance(definitions, dict):
        raise NoExpectation("the expectation is no JSON Schema: `$defs` is no mapping")
    edges = {name: set(_references(part)) for name, part in definitions.items()}
    for name in _references({key: part for key, part in schema.items() if key != "$defs"}):
        _follow(name, edges, [])


def _follow(name: str, edges: dict[str, set[str]], path: list[str]) -> None:
    if name in path:
        raise NoExpectation("the expectation refers to itself")
    path.append(name)
    for further in sorted(edges.get(name, ())):
        _follow(further, edges, path)
    path.pop()


def _references(schema: Any) -> Iterator[str]:
    """The names of the definitions that a schema refers to."""
    if isinstance(schema, dict):
        for key, value in schema.items():
            if key in _REFERENCES and isinstance(value, str):
                yield _definition(value)
            elif key not in ("const", "enum"):
                yield from _references(value)
    elif isinstance(schema, list):
        for item in schema:
            yield from _references(item)


def _definition(reference: str) -> str:
    name = reference.removeprefix(_DEFINITIONS)
    if reference == "#":
        raise NoExpectation("the expectation refers to itself")
    if name == reference or "/" in name:
        raise NoExpectation(f"the expectation refers to {reference}; it may refer to {_DEFINITIONS}NAME only")
    return name
