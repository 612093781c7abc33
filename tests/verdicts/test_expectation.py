"""JSON Schema as the judge takes it: strict about types, closed, and never without end."""

from __future__ import annotations

from typing import Any

import pytest

from claimbook.verdicts.expectation import Expectation, NoExpectation

EVEN = {"$defs": {"even": {"multipleOf": 2}}, "items": {"$ref": "#/$defs/even"}}


@pytest.mark.parametrize(
    ("schema", "value", "holds"),
    [
        ({"const": 1}, 1, True),
        ({"const": 1}, 1.0, True),
        ({"const": 1}, True, False),
        ({"const": True}, 1, False),
        ({"const": 0}, False, False),
        ({"const": [0, {"a": False}]}, [0, {"a": False}], True),
        ({"const": [0, {"a": False}]}, [0, {"a": 0}], False),
        ({"const": [0]}, [False], False),
        ({"enum": [0, 2]}, False, False),
        ({"enum": [[1], 2]}, [True], False),
        ({"uniqueItems": True}, [0, False], True),
        ({"uniqueItems": True}, [1, 1.0], False),
        ({"type": "integer"}, True, False),
        ({"type": "integer"}, 2.0, True),
        ({"type": "number"}, True, False),
        ({"const": 2**53 + 1}, 2**53, False),
        ({"const": 10**30}, 10**30, True),
        ({"const": 10**30}, 10**30 + 1, False),
        ({"minimum": 0.3}, 0.1 + 0.2, True),
        ({"multipleOf": 0.01}, 0.07, True),
        ({"const": None}, None, True),
        ({"not": {"const": 0}}, 1, True),
        # Keywords of 2020-12.
        ({"prefixItems": [{"const": 1}], "items": False}, [1], True),
        ({"prefixItems": [{"const": 1}], "items": False}, [1, 2], False),
        ({"contains": {"const": 1}, "maxContains": 1}, [1, 1], False),
        ({"dependentRequired": {"a": ["b"]}}, {"a": 1}, False),
        ({"unevaluatedProperties": False, "properties": {"a": {}}}, {"b": 1}, False),
        # Definitions of its own.
        (EVEN, [2, 4], True),
        (EVEN, [2, 3], False),
        ({"const": {"$ref": "#"}}, {"$ref": "#"}, True),
        ({"properties": {"$ref": {"const": 1}}}, {"$ref": 1}, True),
        # A pattern that would take ages where it backtracks.
        ({"pattern": "^(a+)+$"}, "a" * 50 + "b", False),
        # The draft is always the same one, whatever it calls itself.
        ({"$schema": "http://127.0.0.1:9/x", "const": 1}, 1, True),
        (True, 1, True),
        (False, 1, False),
    ],
)
def test_a_value_meets_it_or_not(schema: Any, value: Any, holds: bool) -> None:
    assert Expectation(schema).holds(value) is holds


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        ({"type": "numbr"}, "the expectation is no JSON Schema: "),
        ({"minimum": "1"}, "the expectation is no JSON Schema: "),
        ({"pattern": "("}, "the expectation is no JSON Schema: "),
        ({"$defs": [1]}, "the expectation is no JSON Schema: "),
        (5, "the expectation is no JSON Schema: "),
        (None, "the expectation is no JSON Schema: "),
        ({"$ref": "#/$defs/absent"}, "the expectation is no JSON Schema: "),
        ({"$ref": "#"}, "the expectation refers to itself"),
        ({"items": {"anyOf": [{"$ref": "#"}]}}, "the expectation refers to itself"),
        ({"$defs": {"a": {"$ref": "#/$defs/a"}}, "$ref": "#/$defs/a"}, "the expectation refers to itself"),
        (
            {
                "$defs": {"a": {"items": {"$ref": "#/$defs/b"}}, "b": {"not": {"$ref": "#/$defs/a"}}},
                "$ref": "#/$defs/a",
            },
            "the expectation refers to itself",
        ),
        # Nothing is fetched, no file is read.
        (
            {"$ref": "http://127.0.0.1:9/x"},
            "the expectation refers to http://127.0.0.1:9/x; it may refer to #/$defs/NAME only",
        ),
        (
            {"$ref": "file:///etc/passwd"},
            "the expectation refers to file:///etc/passwd; it may refer to #/$defs/NAME only",
        ),
        (
            {"$ref": "#/items"},
            "the expectation refers to #/items; it may refer to #/$defs/NAME only",
        ),
    ],
)
def test_what_cannot_be_judged_by(schema: Any, message: str) -> None:
    with pytest.raises(NoExpectation) as error:
        Expectation(schema)
    assert str(error.value).startswith(message)
    assert "\n" not in str(error.value)
