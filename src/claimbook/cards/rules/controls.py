"""CB012: a check can fail. CB013: its control is another run than the check itself."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from claimbook.cards.card import Book, Json
from claimbook.cards.rules.finding import checks, finding
from claimbook.diagnostics import Diagnostic, Severity
from claimbook.settings import Settings


def controls(book: Book, settings: Settings) -> Iterator[Diagnostic]:
    """Checks without a control, and controls that repeat what is given (a warning: `verify` judges that)."""
    for card in book.concepts.values():
        for pointer, check in checks(card):
            if not (check.controls or check.fault or check.needs):
                yield finding(
                    card,
                    pointer,
                    "CB012",
                    message=f"the check `{check.id}` has no control",
                    help="add `control:`, parameters under which the expectation must fail",
                )
            if _canonical(check.given) in map(_canonical, check.controls):
                yield finding(
                    card,
                    (*pointer, "control"),
                    "CB013",
                    message="the control is the same run as the check",
                    help="change a parameter, so that the expectation fails",
                    severity=Severity.WARNING,
                )


def _canonical(given: Mapping[str, Json]) -> str:
    """Equal for equal JSON alone: to Python, `1` equals `true`."""
    return json.dumps(given, sort_keys=True)
