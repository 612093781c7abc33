"""`claimbook check`"""

from __future__ import annotations

import argparse

HELP = ""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""


def main(args: argparse.Namespace) -> int:
    """Do the command; returns the exit status."""
    raise NotImplementedError
