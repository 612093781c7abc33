"""Check the sources: pinned addresses, symbols and passages of the installed package, links."""

from __future__ import annotations

import argparse
import datetime
import os
import sys
import textwrap
from collections.abc import Sequence

from claimbook.cards import load_book
from claimbook.cards.book import card_files
from claimbook.cards.card import Book
from claimbook.cards.rules.pins import pins
from claimbook.diagnostics import Diagnostic, as_text, counted, errors, printable
from claimbook.errors import CannotRun, UsageError
from claimbook.experiment.installed import installed
from claimbook.settings import Settings, load_settings
from claimbook.sources.address import private
from claimbook.sources.cache import PageCache
from claimbook.sources.fill import filled
from claimbook.sources.links import links
from claimbook.sources.live import Web, look
from claimbook.sources.record import load_record, renewed, write_record
from claimbook.sources.report import LinkReport
from claimbook.sources.symbol import Package
from claimbook.sources.wheel import WheelReport, against_wheel
from claimbook.verdicts.evidence import replace_file

HELP = "check pins, passages and links of the cited sources"

Findings = tuple[list[Diagnostic], list[str]]
"""Problems, and lines of the summary."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("--offline", action="store_true", help="pins and the installed package only")
    parser.add_argument(
        "--pin",
        action="store_true",
        help="first write into the cards what the installed package knows: symbol, file, line, lines, sha256",
    )
    parser.add_argument(
        "--record", action="store_true", help="keep the answers and their date in evidence/links.json"
    )
    parser.add_argument(
        "--allow-private",
        action="store_true",
        help="ask private, loopback and link-local addresses too, which is refused otherwise",
    )


def main(args: argparse.Namespace) -> int:
    """Print what is wrong with the sources; 1 where something is broken."""
    if args.record and args.offline:
        raise UsageError("--record keeps what --offline does not ask", help="leave one of them out")
    settings = load_settings(args.root)
    if args.pin:
        _pin(settings)
    book, _ = load_book(settings)
    problems = list(pins(book, settings))
    notes = [_left_out(sorted(book.broken))] if book.broken else []
    parts = [_package(book, settings)]
    if not args.offline:
        parts.append(_web(book, settings, record=args.record, allow_private=args.allow_private))
    for found, said in parts:
        problems += found
        notes += said
    _show(problems, settings)
    print("\n".join(notes))
    return 1 if errors(problems) or book.broken else 0


def _pin(settings: Settings) -> None:
    """Fill in the cards from the installed package, and say what was written and what was not."""
    found = installed(settings.package)
    if found is None or found.commit != settings.commit:
        raise CannotRun(
            f"--pin reads {settings.package} {settings.version}, which is not installed",
            help=f"pip install {settings.package}=={settings.version}",
        )
    package = Package(found.folder)
    for file in card_files(settings.root / "concepts"):
        shown = file.relative_to(settings.root)
        card = filled(file, shown, package)
        if card.done:
            replace_file(file, card.text.encode())
            wrote = f"{shown.as_posix()}: wrote {', '.join(card.done)}"
            print(textwrap.fill(wrote, 80, subsequent_indent="  ", break_on_hyphens=False))
        for words in card.left:
            print(f"{shown.as_posix()}: not pinned: {printable(words)}")


def _package(book: Book, settings: Settings) -> Findings:
    found = installed(settings.package)
    if found is None:
        return [], [f"{settings.package} is not installed: symbols and passages were not checked"]
    report = against_wheel(book, settings, found)
    return list(report.problems), [_compared(report, settings)]


def _web(book: Book, settings: Settings, *, record: bool, allow_private: bool) -> Findings:
    before = load_record(settings)
    now = datetime.datetime.now(datetime.UTC)
    cache = PageCache(folder=settings.root / ".cache" / "pages", now=now.timestamp())
    web = Web(refused=_nothing if allow_private else private, cache=cache)
    looked = look(links(book, settings), settings, web)
    report = LinkReport(looked=looked, today=now.date(), before=before)
    notes = list(report.notes())
    if record:
        path = write_record(settings, renewed(before, looked, now.date()))
        notes.append(f"wrote {path.relative_to(settings.root).as_posix()}")
    return list(report.problems()), notes


def _nothing(ip: str) -> bool:
    """Refuses no address."""
    return False


def _show(problems: Sequence[Diagnostic], settings: Settings) -> None:
    colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    text = as_text(problems, root=settings.root, colour=colour)
    if text:
        print(text + "\n")


def _left_out(cards: Sequence[str]) -> str:
    return f"not well formed and left out: {', '.join(cards)}; see `claimbook check`"


def _compared(report: WheelReport, settings: Settings) -> str:
    where = f"the installed {settings.package}" + (f" is {settings.tag}" if report.pinned else "")
    checked = f"{counted(report.symbols, 'symbol')}, {counted(report.passages, 'passage')}"
    wrong = len(report.problems) - (not report.pinned)
    return f"{where}: {checked}, " + (counted(wrong, "difference") if wrong else "all as pinned")
