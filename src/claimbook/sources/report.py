"""What a person reads about the links of a book: diagnostics and a short summary."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence

from claimbook.cards.rules.finding import finding
from claimbook.diagnostics import Diagnostic, Severity, printable
from claimbook.sources.live import Looked
from claimbook.sources.state import State

WIDTH = 80


def link_problems(looked: Sequence[Looked]) -> Iterator[Diagnostic]:
    """Links that are gone as errors; moved, unsure and skipped ones as warnings."""
    for one in looked:
        if one.seen.code:
            yield finding(
                one.link.card,
                one.link.pointer,
                one.seen.code,
                message=f"{one.link.url}: {one.seen.words}",
                help=one.seen.help,
                severity=Severity.ERROR if one.seen.state is State.GONE else Severity.WARNING,
            )


def link_notes(looked: Sequence[Looked]) -> Sequence[str]:
    """How many links are in which state, and once for each host why it was not reached."""
    counts = Counter(one.seen.state for one in looked)
    parts = [f"{counts[state]} {state}" for state in State if counts[state]]
    lines = [f"{_links(len(looked))}: {', '.join(parts)}" if looked else "no links"]
    lines += [
        f"{_links(count)}: {note}"
        for note, count in Counter(one.seen.note for one in looked if one.seen.note).items()
    ]
    return [*lines, *_unreachable(looked)]


def _unreachable(looked: Sequence[Looked]) -> Iterator[str]:
    lost = [one for one in looked if one.seen.state is State.UNREACHABLE]
    hosts: dict[str, str] = {}
    for one in lost:
        hosts.setdefault(one.host, one.seen.words)
    if not hosts:
        return
    if len(set(hosts.values())) == 1 and len(lost) == len(looked) and len(hosts) > 1:
        words = f"no host was reached, so none of the links is known to work: {next(iter(hosts.values()))}"
        yield from textwrap.wrap(words, WIDTH)
        return
    for host, words in sorted(hosts.items()):
        yield printable(f"unreachable: {host}: {words}")


def _links(number: int) -> str:
    return "1 link" if number == 1 else f"{number} links"
