"""`{check-id}` in a text: the value that the check expects, so that a number stands in one place."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from claimbook.cards.card import Check, Json

PLACEHOLDER = r"\{([a-z0-9]+(?:-[a-z0-9]+)*)\}"
"""Braces around anything but an id are literal."""


def filled(text: str, checks: Mapping[str, Check]) -> str:
    """The text with each placeholder replaced by the `const` of its check."""
    return re.sub(PLACEHOLDER, lambda match: _value(match, checks), text)


def _value(match: re.Match[str], checks: Mapping[str, Check]) -> str:
    check = checks.get(match[1])
    return match[0] if check is None or "const" not in check.expect else _shown(check.expect["const"])


def _shown(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
