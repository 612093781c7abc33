"""Pinned sources: what a card cites, the installed package, the web."""

from claimbook.sources.explanations import explanation
from claimbook.sources.links import permalink

__all__ = ["explanation", "permalink"]
