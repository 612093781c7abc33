"""A key or a JSON pointer into what a rank returned."""

from __future__ import annotations

from typing import Any

import pytest

from claimbook.verdicts.observation import NotObserved, json_type, observed, without_volatile

RETURNED = {
    "total": 0,
    "forward": [{"op": "all_gather"}, {"op": "reduce_scatter"}],
    "a/b": 1,
    "c~d": 2,
    "": 3,
    "0": "key",
    "nothing": None,
    "volatile": {"ms": 4},
}


@pytest.mark.parametrize(
    ("observe", "value"),
    [
        ("total", 0),
        ("/total", 0),
        ("/forward/1/op", "reduce_scatter"),
        ("/forward/0", {"op": "all_gather"}),
        # Escapes of RFC 6901; a key is taken as it stands.
        ("/a~1b", 1),
        ("a/b", 1),
        ("/c~0d", 2),
        ("c~d", 2),
        ("/", 3),
        ("/0", "key"),
        # null is a value too.
        ("nothing", None),
        # A ratio or a bound of what varies may be expected.
        ("/volatile/ms", 4),
    ],
)
def test_a_place_that_is_there(observe: str, value: Any) -> None:
    assert observed(RETURNED, observe) == value


@pytest.mark.parametrize(
    ("value", "observe", "message"),
    [
        ({"b": 1, "a": 2}, "c", "returned no c; it has a, b"),
        ({}, "c", "returned no c; nothing is there"),
        ({"a": {"b": 1}}, "/a/c", "returned no /a/c; it has b"),
        ({"a": [1, 2]}, "/a/2", "returned no /a/2; 2 items are there"),
        # No item from the end, no sign, no other digits, no leading zero.
        ({"a": [1]}, "/a/-1", "returned no /a/-1; 1 item is there"),
        ({"a": [1]}, "/a/٠", "returned no /a/٠; 1 item is there"),
        ({"a": [1, 2]}, "/a/01", "returned no /a/01; 2 items are there"),
        ({"a": [1]}, "/a/" + "9" * 5000, "returned no /a/999"),
        ({"a": 5}, "/a/b", "returned no /a/b; nothing is there"),
        ({"a": "text"}, "/a/0", "returned no /a/0; nothing is there"),
    ],
)
def test_a_place_that_is_not_there(value: Any, observe: str, message: str) -> None:
    with pytest.raises(NotObserved) as error:
        observed(value, observe)
    assert str(error.value)[: len(message)] == message


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (True, "boolean"),
        (1, "number"),
        (1.5, "number"),
        ("1", "string"),
        ([1], "array"),
        ({}, "object"),
        (None, "null"),
    ],
)
def test_types_are_those_of_json(value: Any, name: str) -> None:
    assert json_type(value) == name


def test_only_volatile_at_the_top_is_left_out() -> None:
    returned = [{"volatile": 1, "a": {"volatile": 2}}, {"b": 3}]
    assert without_volatile(returned) == [{"a": {"volatile": 2}}, {"b": 3}]
