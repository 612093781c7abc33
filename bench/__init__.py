"""Ratios against peers, each measured beside its peer in one run."""
