"""What tests of the engine look for afterwards: processes, files."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path


def carriers(word: str) -> list[int]:
    """The living processes started with that word in their environment."""
    return [
        int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit() and _has(entry, word)
    ]


def _has(entry: Path, word: str) -> bool:
    try:
        return word.encode() in (entry / "environ").read_bytes()
    except OSError:
        return False


def until(condition: Callable[[], object], *, within: float = 20.0) -> bool:
    """Look again and again until the condition holds; false where it does not in time."""
    limit = time.monotonic() + within
    while not condition():
        if time.monotonic() > limit:
            return False
        time.sleep(0.01)
    return True
