"""Claimbook: cards say what should be seen, experiments see it, the judge compares, evidence remembers."""

__version__ = "0.1.0"
