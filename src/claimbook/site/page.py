"""A finished page, and what MkDocs and the search are told of it."""

from __future__ import annotations

import html
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from claimbook.site.words import LANGUAGES


@dataclass(frozen=True, kw_only=True)
class Heading:
    """An entry of a page's table of contents."""

    id: str
    text: str
    children: tuple[Heading, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Entry:
    """What the search finds: a place and its words."""

    location: str
    """Relative to the language's root: `family/id/#anchor`."""
    title: str
    text: str


@dataclass(frozen=True, kw_only=True)
class Page:
    """A finished page."""

    address: str
    """Relative to the language's root, ending in `/`; empty for the start page."""
    title: str
    description: str
    html: str
    headings: tuple[Heading, ...] = ()
    in_sidebar: bool = False
    entries: tuple[Entry, ...] = ()


def table_of_contents(page: Page) -> list[dict[str, Any]]:
    """The headings of a page as the tokens that MkDocs makes a table of contents from."""
    return [_token(heading, level=2) for heading in page.headings]


def _token(heading: Heading, *, level: int) -> dict[str, Any]:
    children = [_token(child, level=level + 1) for child in heading.children]
    text = html.escape(heading.text, quote=False)
    return {
        "level": level,
        "id": heading.id,
        "name": text,
        "html": text,
        "data-toc-label": "",
        "children": children,
    }


def search_index(made: Iterable[Page], language: str) -> dict[str, Any]:
    """The search index of a language, in the form that the theme's search worker reads."""
    docs = [
        {"location": entry.location, "title": html.escape(entry.title), "text": html.escape(entry.text)}
        for page in made
        for entry in page.entries
    ]
    config = {
        "lang": [language, *(other for other in LANGUAGES if other != language)],
        "separator": r"[\s\-]+",
        "pipeline": ["stopWordFilter"],
        "fields": {"title": {"boost": 1000.0}, "text": {"boost": 1.0}, "tags": {"boost": 1000000.0}},
    }
    return {"config": config, "docs": docs}
