"""The last answers to the links of a book: `evidence/links.json`, written only when asked for."""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from claimbook.errors import CannotRun
from claimbook.settings import Settings
from claimbook.sources.live import Looked
from claimbook.sources.state import State
from claimbook.verdicts.evidence import replace_file

VERSION = 1
LASTS = datetime.timedelta(days=30)
"""How long a link may be unsure before it counts as broken."""


@dataclass(frozen=True, kw_only=True)
class LinkRecord:
    """What is remembered of one address. Nobody answering leaves the record as it was."""

    state: State
    date: datetime.date
    """Of the last answer."""
    since: datetime.date
    """When this state was first seen."""
    ok: datetime.date | None
    """Of the last answer that was ok, or moved."""

    def lasted(self, today: datetime.date) -> bool:
        """Whether the link has been unsure for too long."""
        return self.state is State.UNSURE and today - self.since > LASTS


def record_file(settings: Settings) -> Path:
    """Where the answers are kept."""
    return settings.root / "evidence" / "links.json"


def load_record(settings: Settings) -> Mapping[str, LinkRecord]:
    """By address as the cards write it; empty where nothing was recorded. Raises CannotRun if unreadable."""
    path = record_file(settings)
    try:
        content = json.loads(path.read_text("utf-8"))
        if content["version"] != VERSION:
            return {}
        return {url: _entry(entry) for url, entry in content["links"].items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise CannotRun(f"cannot read {path}: {error}", help="delete it; --record writes it anew") from None


def _entry(entry: Mapping[str, Any]) -> LinkRecord:
    day = datetime.date.fromisoformat
    return LinkRecord(
        state=State(entry["state"]),
        date=day(entry["date"]),
        since=day(entry["since"]),
        ok=day(entry["ok"]) if entry["ok"] else None,
    )


def renewed(
    before: Mapping[str, LinkRecord], looked: Iterable[Looked], today: datetime.date
) -> Mapping[str, LinkRecord]:
    """The records after a look: of the links that the book has now, and no others."""
    after: dict[str, LinkRecord] = {}
    for one in looked:
        url, state = one.link.url, one.seen.state
        last = before.get(url)
        if state in (State.UNREACHABLE, State.SKIPPED):
            if last is not None:
                after.setdefault(url, last)
            continue
        if url in after and _worse(after[url].state, state):
            continue
        good = state in (State.OK, State.MOVED)
        after[url] = LinkRecord(
            state=state,
            date=today,
            since=last.since if last is not None and last.state is state else today,
            ok=today if good else last.ok if last is not None else None,
        )
    return after


def _worse(one: State, other: State) -> bool:
    order = (State.GONE, State.UNSURE, State.MOVED, State.OK)
    return order.index(one) <= order.index(other)


def write_record(settings: Settings, records: Mapping[str, LinkRecord]) -> Path:
    """Write the records in their canonical form, whole or not at all."""
    links = {
        url: {
            "state": one.state,
            "date": one.date.isoformat(),
            "since": one.since.isoformat(),
            "ok": one.ok.isoformat() if one.ok else None,
        }
        for url, one in records.items()
    }
    text = json.dumps({"links": links, "version": VERSION}, ensure_ascii=False, indent=2, sort_keys=True)
    path = record_file(settings)
    replace_file(path, (text + "\n").encode())
    return path
