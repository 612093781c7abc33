"""Card texts as HTML: Markdown with HTML off and few kinds of link, everything else escaped."""

from __future__ import annotations

import re
from functools import cache

from markdown_it import MarkdownIt
from markupsafe import Markup

_OFF = ("image", "html_block", "html_inline", "heading", "lheading", "hr", "autolink", "reference")


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).disable(list(_OFF))
    parser.validateLink = _allowed  # type: ignore[method-assign]
    return parser


def _allowed(url: str) -> bool:
    return re.match(r"(https?://|#)", url.strip(), re.IGNORECASE) is not None


def inline(text: str) -> Markup:
    """One sentence: code spans, emphasis, links."""
    return Markup(_parser().renderInline(text))


def block(text: str) -> Markup:
    """Paragraphs and lists."""
    return Markup(_parser().render(text))


def plain(text: str) -> str:
    """The text without marks, for titles, tooltips and the search index."""
    return " ".join(text.replace("`", "").split())
