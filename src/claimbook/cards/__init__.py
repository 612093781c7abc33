"""Cards: YAML with positions, the schema, typed cards, the book and its rules."""

from claimbook.cards.book import load_book
from claimbook.cards.card import Book
from claimbook.cards.explanations import explanation

__all__ = ["Book", "explanation", "load_book"]
