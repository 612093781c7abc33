"""What an experiment may return: JSON values and nothing that only looks like them."""

from __future__ import annotations

import math
from typing import Any

from claimbook.experiment.outcome import MOST_BYTES

MOST_NESTING = 50


class NotJson(Exception):
    """The message names the place and what stands there."""


def refuse_other_than_json(value: Any) -> None:
    """Raise NotJson unless `value` is a mapping of names to JSON values of at most MOST_BYTES."""
    if type(value) is not dict:
        raise NotJson(f"returned {_a(value)}; an experiment returns a dict")
    _Walk().visit(value, ())


class _Walk:
    """Counts bytes on the way, so that a huge value is refused before it is written out."""

    def __init__(self) -> None:
        self.bytes = 0

    def visit(self, value: Any, path: tuple[str, ...]) -> None:
        """Refuse `value` or what it holds; `path` leads to it."""
        self._count(value)
        if len(path) > MOST_NESTING:
            raise NotJson(f"returned a value nested more than {MOST_NESTING} deep at {_at(path)}")
        if type(value) is dict:
            self._members(value, path)
        elif type(value) is list:
            for index, item in enumerate(value):
                self.visit(item, (*path, str(index)))
        else:
            _refuse(value, path)

    def _members(self, value: dict[Any, Any], path: tuple[str, ...]) -> None:
        for key, item in value.items():
            if type(key) is not str:
                raise NotJson(f"returned the key {key!r:.40} at {_at(path)}; the keys of JSON are strings")
            self._count(key)
            _refuse(key, path)
            self.visit(item, (*path, key))

    def _count(self, value: Any) -> None:
        self.bytes += len(value) + 2 if type(value) is str else 2
        if self.bytes > MOST_BYTES:
            raise NotJson(f"returned more than {MOST_BYTES // 1_000_000} MB of observations")


def _refuse(value: Any, path: tuple[str, ...]) -> None:
    if type(value) is float and not math.isfinite(value):
        raise NotJson(f"returned {value} at {_at(path)}, which JSON does not have")
    if type(value) is str:
        try:
            value.encode()
        except UnicodeEncodeError:
            raise NotJson(f"returned text that is not Unicode at {_at(path)}") from None
    elif value is not None and type(value) not in (bool, int, float):
        raise NotJson(f"returned {_a(value)} at {_at(path)}, which is no JSON value")


def _at(path: tuple[str, ...]) -> str:
    """A JSON pointer; the value itself where it is empty."""
    shown = path if len(path) < 8 else (*path[:3], "…")
    return "`" + ("/".join(("", *shown)) or "/") + "`"


def _a(value: Any) -> str:
    kind = type(value)
    return "a value of type " + (
        kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"
    )
