"""Faults of this book: deliberate defects that named checks must notice."""
