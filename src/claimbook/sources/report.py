"""What a person reads about the links of a book: diagnostics and a short summary."""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from claimbook.cards.rules.finding import finding
from claimbook.diagnostics import Diagnostic, Severity, printable
from claimbook.sources.live import Looked
from claimbook.sources.record import LASTS, LinkRecord
from claimbook.sources.state import State

_SHOWN = 5
"""Hosts that nobody reached and that are named one by one."""


@dataclass(frozen=True, kw_only=True)
class LinkReport:
    """The links of a book, what was known of them before, and the day."""

    looked: Sequence[Looked]
    today: datetime.date
    before: Mapping[str, LinkRecord] = field(default_factory=dict)

    def problems(self) -> Iterator[Diagnostic]:
        """Links that are gone as errors; moved and skipped ones, and unsure ones for a time, as warnings.

        An address that a card names at many places is told of at the first.
        """
        told: set[tuple[Path, str, str]] = set()
        for one in self.looked:
            key = (one.link.card.path, one.link.url, one.seen.code)
            if not one.seen.code or key in told:
                continue
            told.add(key)
            record = self.before.get(one.link.url)
            lasted = one.seen.state is State.UNSURE and record is not None and record.lasted(self.today)
            message = f"{one.link.url}: {one.seen.words}"
            if lasted and record is not None:
                message += f", for more than {LASTS.days} days now, since {record.since}"
            elif one.seen.state in (State.UNSURE, State.GONE) and record is not None and record.ok:
                message += f"; it was there on {record.ok}"
            yield finding(
                one.link.card,
                one.link.pointer,
                one.seen.code,
                message=message,
                help=one.seen.help,
                severity=Severity.ERROR if lasted or one.seen.state is State.GONE else Severity.WARNING,
            )

    def notes(self) -> Iterator[str]:
        """How many links are in which state, and once for each host why nobody was reached there."""
        counts = Counter(one.seen.state for one in self.looked)
        parts = [f"{counts[state]} {state}" for state in State if counts[state]]
        yield f"{_links(len(self.looked))}: {', '.join(parts)}" if self.looked else "no links"
        for note, count in Counter(one.seen.note for one in self.looked if one.seen.note).items():
            yield f"{_links(count)}: {note}"
        yield from self._unreached()

    def _unreached(self) -> Iterator[str]:
        hosts: dict[str, str] = {}
        for one in self.looked:
            if one.seen.state is State.UNREACHABLE:
                hosts.setdefault(one.host, one.seen.words)
        reached = any(one.seen.state not in (State.UNREACHABLE, State.SKIPPED) for one in self.looked)
        if hosts and not reached:
            yield "nobody answered: is there a network? None of the links is known to work"
            return
        for host, words in sorted(hosts.items())[:_SHOWN]:
            yield printable(f"unreachable: {host}: {words}")
        if len(hosts) > _SHOWN:
            yield f"unreachable: {len(hosts) - _SHOWN} further hosts"


def _links(number: int) -> str:
    return "1 link" if number == 1 else f"{number} links"
