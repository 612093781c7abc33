"""What an HTML page says that matters to links: its elements, its title, where its items come from."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from html.parser import HTMLParser
from urllib.parse import unquote

_MANY_SCRIPTS = 20_000
"""Characters of script that are kept to look for a fragment in."""


@dataclass(frozen=True, kw_only=True)
class Page:
    """One HTML page, read without running its scripts."""

    title: str
    names: frozenset[str]
    """Of its elements: `id`, and `name` of anchors; as written and decoded."""
    items: Mapping[str, str | None]
    """Documented item -> where its [source] link leads; None where it has none."""
    refresh: str | None
    """Where the page itself sends its reader."""
    scripts: str
    empty: bool
    """Whether it is a frame that scripts fill: next to no text of its own."""


def read_page(text: str) -> Page:
    """Read a page, or as much of one as there is."""
    parser = _Parser()
    # The parser of the standard library gives up on some broken declarations; what came before counts.
    with contextlib.suppress(AssertionError):
        parser.feed(text)
    return Page(
        title=" ".join("".join(parser.title).split()),
        names=frozenset(parser.names) | frozenset(map(unquote, parser.names)),
        items=parser.items,
        refresh=parser.refresh,
        scripts="".join(parser.scripts)[:_MANY_SCRIPTS],
        empty=parser.scripted and parser.words < 20,
    )


class _Parser(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.title: list[str] = []
        self.names: set[str] = set()
        self.items: dict[str, str | None] = {}
        self.refresh: str | None = None
        self.scripts: list[str] = []
        self.scripted = False
        self.words = 0
        self._inside = ""
        self._item: str | None = None
        self._link: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if values.get("id"):
            self.names.add(values["id"])
        if tag == "a":
            if values.get("name"):
                self.names.add(values["name"])
            self._link = values.get("href")
        elif tag == "dt" and "sig-object" in values.get("class", "").split() and values.get("id"):
            self._item = values["id"]
            self.items.setdefault(self._item, None)
        elif tag == "span" and "viewcode-link" in values.get("class", "").split():
            if self._item is not None and self._link:
                self.items[self._item] = self._link
        elif tag == "meta" and values.get("http-equiv", "").lower() == "refresh":
            sends = re.match(
                r"\s*[\d.]*\s*[;,]\s*(?:url\s*=\s*)?[\"']?([^\"']+)", values.get("content", ""), re.I
            )
            self.refresh = self.refresh or (sends[1].strip() if sends else None)
        elif tag in ("title", "script", "style"):
            self._inside = tag
            self.scripted = self.scripted or tag == "script"

    def handle_endtag(self, tag: str) -> None:
        if tag == self._inside:
            self._inside = ""
        elif tag == "dt":
            self._item = None
        elif tag == "a":
            self._link = None

    def handle_data(self, data: str) -> None:
        if self._inside == "title":
            self.title.append(data)
        elif self._inside == "script":
            self.scripts.append(data)
        elif not self._inside:
            self.words += len(data.split())
