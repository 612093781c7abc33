"""One observation out of what a rank returned, by key or JSON pointer."""

from __future__ import annotations

import re
from collections.abc import Sequence

from claimbook.cards.card import Json


class NotObserved(Exception):
    """The run did not return it; the message says what it returned."""


def observed(value: Json, observe: str) -> Json:
    """The member of `value` that a key or JSON pointer names. Raises NotObserved."""
    keys = [_unescaped(key) for key in observe[1:].split("/")] if observe.startswith("/") else [observe]
    found = value
    for key in keys:
        found = _member(found, key, observe)
    return found


def _member(value: Json, key: str, observe: str) -> Json:
    if isinstance(value, dict) and key in value:
        return value[key]
    # As RFC 6901 has it: neither `01` nor `-1` is an index.
    if isinstance(value, list) and re.fullmatch("0|[1-9][0-9]{0,9}", key) and int(key) < len(value):
        return value[int(key)]
    raise NotObserved(f"returned no {observe}; {_holds(value)}")


def _holds(value: Json) -> str:
    if isinstance(value, dict) and value:
        return f"it has {', '.join(sorted(value))}"
    if isinstance(value, list) and value:
        return "1 item is there" if len(value) == 1 else f"{len(value)} items are there"
    return "nothing is there"


def _unescaped(key: str) -> str:
    return key.replace("~1", "/").replace("~0", "~")


def json_type(value: Json) -> str:
    """The name of its type in JSON; JSON has one type of numbers."""
    names = {bool: "boolean", int: "number", float: "number", str: "string", list: "array", dict: "object"}
    return names.get(type(value), "null")


def without_volatile(values: Sequence[Json]) -> list[Json]:
    """What each rank returned, less what differs from run to run."""
    return [{key: item for key, item in value.items() if key != "volatile"} for value in values]
