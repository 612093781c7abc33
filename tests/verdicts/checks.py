"""Checks, and outcomes of their runs, as the tests of verdicts need them."""

from __future__ import annotations

from typing import Any

from claimbook.cards.card import Check
from claimbook.experiment.outcome import Outcome


def check(**fields: Any) -> Check:
    """Expects `total` to be 1 under `{}`, and not under `{start: 5}`."""
    defaults = {"id": "one", "run": "demo.total", "observe": "total", "expect": {"const": 1}}
    return Check(**{**defaults, "controls": ({"start": 5},), **fields})


def ranks(*totals: Any, **more: Any) -> Outcome:
    """What ranks returned as `total`, in their order, beside the rest that all returned."""
    return Outcome(values=tuple({"total": total, **more} for total in totals), seconds=0.5)


def failed(words: str, detail: str = "") -> Outcome:
    """A run that came to nothing."""
    return Outcome(failure=words, detail=detail)
