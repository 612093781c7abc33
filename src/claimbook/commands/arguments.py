"""Kinds of arguments that several commands take."""

from __future__ import annotations

from collections.abc import Callable


def positive(kind: Callable[[str], float]) -> Callable[[str], float]:
    """A parser of positive numbers of that kind, for argparse; a million is enough of anything here."""

    def number(text: str) -> float:
        value = kind(text)
        if not 0 < value < 1e6:
            raise ValueError
        return value

    number.__name__ = "positive number"
    return number
