"""Cards: YAML with positions, the schema, typed cards, the book and its rules."""

from claimbook.cards.book import load_book
from claimbook.cards.card import Book

__all__ = ["Book", "load_book"]
