"""`{check-id}` in a text."""

from __future__ import annotations

import pytest

from claimbook.cards.card import Check, Json
from claimbook.cards.placeholder import filled


def check(expect: dict[str, Json]) -> Check:
    """A check of which only the expectation matters."""
    return Check(id="a-b", run="demo.total", observe="total", expect=expect)


@pytest.mark.parametrize(
    ("text", "expect", "shown"),
    [
        ("It is {a-b}.", {"const": 3}, "It is 3."),
        ("It is {a-b}, {a-b}.", {"const": "sum"}, "It is sum, sum."),  # text without quotes
        ("It is {a-b}.", {"const": "два"}, "It is два."),
        ("It is {a-b}.", {"const": ["два", 1.5, None]}, 'It is ["два", 1.5, null].'),
        ("It is {a-b}.", {"const": False}, "It is false."),
        ("It is {a-b}.", {"const": None}, "It is null."),
        ("It is {a-b}.", {"minimum": 3}, "It is {a-b}."),  # no single value
        ("{other} {A-b} {a_b} { a-b } {} {a-}", {"const": 3}, "{other} {A-b} {a_b} { a-b } {} {a-}"),
        ("{{a-b}}", {"const": 3}, "{3}"),
        ("It is {a-b}.", {"const": "{a-b} \\1"}, "It is {a-b} \\1."),  # filled once, and no pattern
    ],
)
def test_filled(text: str, expect: dict[str, Json], shown: str) -> None:
    assert filled(text, {"a-b": check(expect)}) == shown
