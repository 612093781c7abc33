"""Pages kept from one check to the next, so that a server can say that nothing has changed.

A kept page is never an answer by itself: without a server that confirms it, a link is unreachable.
"""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import json
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from claimbook.errors import CannotRun
from claimbook.verdicts.evidence import replace_file

AGE = 30 * 24 * 3600
"""Seconds after which a kept page is asked for anew, whatever its server would say."""


@dataclass(frozen=True, kw_only=True)
class Kept:
    """A page as it was, and what its server calls that state of it."""

    page: str
    text: str
    time: float
    """When it was read whole, in seconds since the epoch."""
    etag: str = ""
    modified: str = ""

    @property
    def conditions(self) -> Mapping[str, str]:
        """The headers that ask for the page only if it has changed."""
        named = {"If-None-Match": self.etag, "If-Modified-Since": self.modified}
        return {name: value for name, value in named.items() if value}


@dataclass(frozen=True, kw_only=True)
class PageCache:
    """A folder with one file a page; any of them may be deleted at any time."""

    folder: Path
    now: float

    def find(self, page: str) -> Kept | None:
        """The kept page, if there is one that is not too old."""
        try:
            kept = Kept(**json.loads(gzip.decompress(self._file(page).read_bytes())))
            young = 0 <= self.now - kept.time <= AGE
        except (OSError, EOFError, ValueError, TypeError, zlib.error):
            return None
        return kept if kept.page == page and young and kept.conditions else None

    def keep(self, page: str, text: str, *, etag: str, modified: str) -> None:
        """Keep a page that was read whole; a folder that cannot be written keeps nothing."""
        kept = Kept(page=page, text=text, time=self.now, etag=etag, modified=modified)
        if not kept.conditions:
            return
        content = gzip.compress(json.dumps(asdict(kept)).encode(), compresslevel=5, mtime=0)
        with contextlib.suppress(CannotRun, OSError):
            replace_file(self._file(page), content)
            ignore = self.folder / ".gitignore"
            if not ignore.exists():
                ignore.write_text("*\n", "utf-8")

    def _file(self, page: str) -> Path:
        return self.folder / f"{hashlib.sha256(page.encode()).hexdigest()}.json.gz"
