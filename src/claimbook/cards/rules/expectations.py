"""CB018: an expectation is a JSON Schema that some observation misses."""

from __future__ import annotations

from collections.abc import Iterator

import jsonschema_rs

from claimbook.cards.card import Book, Json
from claimbook.cards.rules.finding import checks, finding
from claimbook.diagnostics import Diagnostic
from claimbook.settings import Settings

ANYTHING: tuple[Json, ...] = (
    None,
    True,
    False,
    0,
    1,
    -1,
    0.5,
    10**9,
    "",
    "x",
    [],
    [0],
    ["x"],
    [[1, 2], [3]],
    {},
    {"x": 1},
)
"""Values of every JSON type; an expectation that all of them meet tells nothing."""


def expectations(book: Book, settings: Settings) -> Iterator[Diagnostic]:
    """Expectations that are no schema, refer to others, or cannot fail."""
    for card in book.concepts.values():
        for pointer, check in checks(card):
            problem = _problem(check.expect)
            if problem:
                message, help = problem
                yield finding(card, (*pointer, "expect"), "CB018", message=message, help=help)


def _problem(expect: Json) -> tuple[str, str] | None:
    if _refers(expect):
        return "`expect` refers to another schema", "write the expectation out; references are not followed"
    try:
        validator = jsonschema_rs.Draft202012Validator(expect)
    except (jsonschema_rs.ValidationError, ValueError) as error:
        reason = getattr(error, "message", str(error)).splitlines()[0]
        return f"`expect` is no JSON Schema: {reason}", "such as {const: 0}, {minimum: 1} or {enum: [1, 2]}"
    if all(validator.is_valid(value) for value in (*ANYTHING, *_named(expect))):
        return "`expect` holds for any observation", "write what must be seen, such as {const: 0}"
    return None


def _refers(schema: Json) -> bool:
    if isinstance(schema, dict):
        literal = {"const", "enum", "default", "examples"}
        return any(
            key in ("$ref", "$dynamicRef", "$id") or (key not in literal and _refers(value))
            for key, value in schema.items()
        )
    return isinstance(schema, list) and any(map(_refers, schema))


def _named(schema: Json) -> Iterator[Json]:
    """The values that the schema itself names: `{not: {const: 0}}` fails on 0 alone."""
    if isinstance(schema, dict):
        if "const" in schema:
            yield schema["const"]
        if isinstance(schema.get("enum"), list):
            yield from schema["enum"]
        for value in schema.values():
            yield from _named(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from _named(value)
