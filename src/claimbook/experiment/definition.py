"""What makes a function an experiment. Imports no torch: the checker reads experiments without it."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

Observations = dict[str, Any]
"""What one rank saw: names to JSON values; what differs from run to run stands under `volatile`."""

F = TypeVar("F", bound=Callable[..., Observations])

Fault = Callable[[], None]
"""Puts a defect into the library."""

_MARK = "__claimbook_experiment__"
_FAULT = "__claimbook_fault__"


def experiment(function: F) -> F:
    """Mark a function `(rank, *, parameters with defaults) -> dict` as an experiment.

    Raises TypeError where a parameter after the first has no default: a card may leave any of them out.
    """
    first, *parameters = inspect.signature(function).parameters.values()
    if first.kind not in (first.POSITIONAL_ONLY, first.POSITIONAL_OR_KEYWORD):
        raise TypeError(f"{function.__qualname__}: the first parameter must take the rank")
    for parameter in parameters:
        if parameter.default is parameter.empty:
            raise TypeError(f"{function.__qualname__}: parameter {parameter.name} needs a default")
    setattr(function, _MARK, True)
    return function


def is_experiment(value: object) -> bool:
    """Whether `value` was marked with `@experiment`."""
    return getattr(value, _MARK, False) is True


def fault(*checks: str) -> Callable[[Fault], Fault]:
    """Mark a function without parameters as a fault: it puts a defect into the library of its process.

    `checks` are `card#claim/check`: the checks that must notice it. The function runs in every rank, after
    the group is joined and before the experiment; a rank lives for one run, so nothing has to be undone.
    The names are read from the source, so they stand here as plain strings.
    """

    def mark(function: Fault) -> Fault:
        setattr(function, _FAULT, checks)
        return function

    return mark


def is_fault(value: object) -> bool:
    """Whether `value` was marked with `@fault`."""
    return hasattr(value, _FAULT)
