"""Passages: the fingerprint of some lines of a file, and where those lines are now."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence

from claimbook.cards.card import Passage


def normal(line: str) -> str:
    """The line without its indentation, each run of white space one space."""
    return " ".join(line.split())


def fingerprint(lines: Sequence[str]) -> str:
    """SHA-256 of the normal lines, one below the other."""
    return hashlib.sha256("\n".join(map(normal, lines)).encode()).hexdigest()


def cut(lines: Sequence[str], passage: Passage) -> Sequence[str]:
    """The lines that the passage names; fewer where the file ends before."""
    first, last = passage.lines
    return lines[first - 1 : last]


def places(lines: Sequence[str], passage: Passage) -> Iterator[tuple[int, int]]:
    """Where lines with the passage's fingerprint begin and end, nearest to where it is said to be first."""
    first, last = passage.lines
    length = last - first + 1
    starts = sorted(range(1, len(lines) - length + 2), key=lambda start: (abs(start - first), start))
    for start in starts:
        if fingerprint(lines[start - 1 : start - 1 + length]) == passage.sha256:
            yield start, start + length - 1


def missing(lines: Sequence[str], passage: Passage) -> Sequence[str]:
    """The telling words that these lines do not have."""
    text = " ".join(map(normal, lines))
    return [words for words in passage.has if normal(words) not in text]


def nearest(lines: Sequence[str], passage: Passage) -> int | None:
    """The line, nearest to the passage, where one of its telling words begins to stand; None if nowhere."""
    clean = [normal(line) for line in lines]
    hits = [at for at, line in enumerate(clean, 1) if any(normal(words) in line for words in passage.has)]
    return min(hits, key=lambda at: abs(at - passage.lines[0]), default=None)
