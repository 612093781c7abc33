"""Check pinned sources: addresses, the installed package's symbols and passages, links."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from claimbook.cards import load_book
from claimbook.cards.rules.pins import pins
from claimbook.diagnostics import Diagnostic, as_text, errors
from claimbook.experiment.installed import installed
from claimbook.settings import Settings, load_settings
from claimbook.sources.address import private
from claimbook.sources.links import links
from claimbook.sources.live import Web, look
from claimbook.sources.report import link_notes, link_problems
from claimbook.sources.wheel import WheelReport, against_wheel

HELP = "check pins, passages and links of the cited sources"


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("--offline", action="store_true", help="pins and the installed package only")
    parser.add_argument(
        "--allow-private",
        action="store_true",
        help="ask private, loopback and link-local addresses too, which is refused otherwise",
    )


def main(args: argparse.Namespace) -> int:
    """Print what is wrong with the sources; 1 where something is broken."""
    settings = load_settings(args.root)
    book, _ = load_book(settings)
    problems: list[Diagnostic] = list(pins(book, settings))
    notes = [_broken(sorted(book.broken))] if book.broken else []
    found = installed(settings.package)
    if found is None:
        notes.append(f"{settings.package} is not installed: symbols and passages were not checked")
    else:
        report = against_wheel(book, settings, found)
        problems += report.problems
        notes.append(_wheel(report, settings))
    if not args.offline:
        looked = look(
            links(book, settings), settings, Web(refused=_nothing if args.allow_private else private)
        )
        problems += link_problems(looked)
        notes += link_notes(looked)
    _show(problems, settings)
    print("\n".join(notes))
    return 1 if errors(problems) or book.broken else 0


def _nothing(ip: str) -> bool:
    """Refuses no address."""
    return False


def _show(problems: Sequence[Diagnostic], settings: Settings) -> None:
    colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    text = as_text(problems, root=settings.root, colour=colour)
    if text:
        print(text + "\n")


def _broken(cards: Sequence[str]) -> str:
    return f"not well formed and left out: {', '.join(cards)}; see `claimbook check`"


def _wheel(report: WheelReport, settings: Settings) -> str:
    where = f"the installed {settings.package}" + (f" is {settings.tag}" if report.pinned else "")
    checked = f"{_count(report.symbols, 'symbol')}, {_count(report.passages, 'passage')}"
    wrong = len(report.problems) - (not report.pinned)
    return f"{where}: {checked}, " + (_count(wrong, "difference") if wrong else "all as pinned")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
