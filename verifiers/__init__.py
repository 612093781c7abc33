"""Experiments of this book: one module per concept, and the models that they share."""
