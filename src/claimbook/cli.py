"""The command line: calls one command, turns what stops it into a message and an exit status."""

from __future__ import annotations

import argparse
import importlib
import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from claimbook import __version__
from claimbook.errors import ClaimbookError

COMMANDS = ("check", "verify", "run", "explain", "sources")
"""In the order of `--help`; each is a module of `claimbook.commands`."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A terminal without Cyrillic gets escapes in place of letters, not a traceback.
            stream.reconfigure(errors="backslashreplace")
    parser = _parser()
    args = parser.parse_args(argv)
    try:
        return int(args.main(args))
    except ClaimbookError as error:
        print(f"claimbook: {error}", file=sys.stderr)
        if error.help:
            print(f"  help: {error.help}", file=sys.stderr)
        return error.exit_status
    except KeyboardInterrupt:
        print("claimbook: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # The reader of our output went away; a second failure at interpreter exit would print a traceback.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="claimbook", description="A glossary whose every claim is executed."
    )
    parser.add_argument("--version", action="version", version=f"claimbook {__version__}")
    _root(parser, default=Path())
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for name in COMMANDS:
        module: ModuleType = importlib.import_module(f"claimbook.commands.{name}")
        command = commands.add_parser(name, help=module.HELP, description=module.__doc__)
        # SUPPRESS: a default here would overwrite a --root given before the command.
        _root(command, default=argparse.SUPPRESS)
        module.configure(command)
        command.set_defaults(main=module.main)
    return parser


def _root(parser: argparse.ArgumentParser, *, default: object) -> None:
    parser.add_argument(
        "--root",
        type=Path,
        default=default,
        metavar="DIR",
        help="folder of the book: cards, settings, verifiers and evidence (default: the current one)",
    )
