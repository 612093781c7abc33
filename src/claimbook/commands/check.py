"""Check the cards: YAML, schema, references, evidence of each sentence, parity. Needs no torch."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from claimbook.cards import Book, load_book
from claimbook.cards.book import FOLDERS
from claimbook.diagnostics import RENDERINGS, Diagnostic, Rendering, counted, errors
from claimbook.errors import UsageError
from claimbook.settings import Settings, load_settings

HELP = "check the cards against the schema and the rules"


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("paths", nargs="*", type=Path, metavar="PATH", help="report on these cards alone")
    parser.add_argument(
        "--format",
        type=Rendering,
        choices=tuple(Rendering),
        default=Rendering.TEXT,
        help="text, github (annotations), json or sarif",
    )


def main(args: argparse.Namespace) -> int:
    """Print what is wrong with the cards; 1 where something is an error."""
    settings = load_settings(args.root)
    paths = [card for path in args.paths for card in _cards(path, settings.root)]
    book, problems = load_book(settings, paths)
    colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    text = RENDERINGS[args.format](problems, root=settings.root, colour=colour)
    if text:
        print(text)
    if args.format is Rendering.TEXT:
        print(("\n" if problems else "") + _summary(book, problems, settings))
    return 1 if errors(problems) else 0


def _cards(path: Path, root: Path) -> Sequence[Path]:
    """The cards at a path, relative to the root. Raises UsageError where there is none."""
    for found in (path, root / path):
        if found.exists():
            files = sorted(found.rglob("*.yml")) if found.is_dir() else [found]
            break
    else:
        raise UsageError(f"{path}: no such file", help="name a card, such as concepts/fsdp2.yml")
    inside = [file.resolve().relative_to(root.resolve()) for file in files if _inside(file, root)]
    cards = [file for file in inside if file.parts[0] in {folder for folder, _, _ in FOLDERS}]
    if not cards:
        names = ", ".join(f"{folder}/" for folder, _, _ in FOLDERS)
        raise UsageError(f"{path}: no card of this book", help=f"cards stand in {names}")
    return cards


def _inside(file: Path, root: Path) -> bool:
    return file.resolve().is_relative_to(root.resolve())


def _summary(book: Book, problems: Sequence[Diagnostic], settings: Settings) -> str:
    wrong = errors(problems)
    if problems:
        cards = len({problem.path for problem in problems})
        warnings = len(problems) - wrong
        parts = [counted(wrong, "error")] if wrong else []
        parts += [counted(warnings, "warning")] if warnings else []
        return f"{' and '.join(parts)} in {counted(cards, 'card')}"
    counts = (
        counted(len(book.concepts), "concept"),
        counted(len(book.courses), "course"),
        counted(len(book.gpus), "GPU"),
    )
    return f"{', '.join(counts)}: no problems"
