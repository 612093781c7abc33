"""Tell the whole story of a claim, or what a code of a message means."""

from __future__ import annotations

import argparse
import os
import sys
import textwrap
from collections.abc import Iterator

from claimbook import cards, sources, verdicts
from claimbook.cards.card import Claim, Concept, Sentence
from claimbook.cards.placeholder import filled
from claimbook.diagnostics import counted
from claimbook.errors import UsageError
from claimbook.settings import Settings, load_settings
from claimbook.verdicts import EnvironmentEvidence, load_evidence
from claimbook.verdicts.report import WIDTH, check_lines
from claimbook.verdicts.selection import Subject, select
from claimbook.verdicts.verdict import ClaimEvidence

HELP = "tell all about a claim, or what a code of a message means"

EXPLANATIONS = (cards.explanation, verdicts.explanation, sources.explanation)
"""Each knows the codes of its stage."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("subject", metavar="SUBJECT", help="card, card#claim or a code such as CB010")
    parser.add_argument("--language", metavar="CODE", help="of the sentences (default: of the locale)")


def main(args: argparse.Namespace) -> int:
    """Print the story; 0, or 2 where the subject is unknown."""
    if args.subject.upper().startswith("CB") and args.subject[2:].isdigit():
        print(_code(args.subject.upper()))
        return 0
    settings = load_settings(args.root)
    book, _ = cards.load_book(settings)
    selection = select(book, [args.subject])
    evidence = load_evidence(settings, book)
    language = _language(args.language, settings)
    colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    stories = [
        "\n".join(_story(subject, evidence, language=language, colour=colour))
        for subject in selection.subjects
    ]
    print("\n\n".join(stories))
    return 0


def _code(code: str) -> str:
    for explanation in EXPLANATIONS:
        text = explanation(code)
        if text is not None:
            return "\n\n".join([code, *map(_paragraph, text.strip().split("\n\n"))])
    raise UsageError(f"{code} is no code of claimbook", help="codes stand in brackets after error or warning")


def _paragraph(text: str) -> str:
    """Filled to the width; an example, which is indented, stays as it is."""
    return text if text.startswith(" ") else textwrap.fill(text, WIDTH)


def _language(wanted: str | None, settings: Settings) -> str:
    if wanted is None:
        locale = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
        wanted = locale[:2] if locale[:2] in settings.languages else "en"
    if wanted not in settings.languages:
        raise UsageError(
            f"the book has no language {wanted!r}", help=f"it has {', '.join(settings.languages)}"
        )
    return wanted


def _story(
    subject: Subject, evidence: tuple[EnvironmentEvidence, ...], *, language: str, colour: bool
) -> Iterator[str]:
    """A claim or myth: what it says and what backs it, then each environment's checks."""
    yield subject.name
    claim = subject.claim
    if isinstance(claim, Claim):
        yield from _wrapped(claim.title[language], "")
        for sentence in claim.says:
            yield from _sentence(sentence, subject, language)
        if claim.limits:
            yield from ("", "  limits")
        for sentence in claim.limits:
            yield from _sentence(sentence, subject, language)
    else:
        yield from _wrapped(f"said: {claim.said[language]}", "  ")
        yield from _sentence(claim.instead, subject, language)
    for found in evidence:
        if subject.name in found.claims:
            yield ""
            yield from _evidence(found.claims[subject.name], subject, colour=colour)
    if not any(subject.name in found.claims for found in evidence):
        yield from ("", "  no evidence yet")
    yield from ("", f"  repeat: claimbook verify '{subject.name}' --dry-run")


def _sentence(sentence: Sentence, subject: Subject, language: str) -> Iterator[str]:
    text = filled(sentence.text[language], subject.claim.checks)
    yield from _wrapped(text, "  ")
    if sentence.by:
        yield from _wrapped(f"by {', '.join(_backing(name, subject.card) for name in sentence.by)}", "      ")


def _backing(name: str, card: Concept) -> str:
    """A check by its name, a passage with its lines."""
    source, _, passage = name.partition("/")
    if not passage or source not in card.sources or passage not in card.sources[source].passages:
        return name
    first, last = card.sources[source].passages[passage].lines
    return f"{name} (lines {first} to {last})"


def _evidence(claim: ClaimEvidence, subject: Subject, *, colour: bool) -> Iterator[str]:
    environment = claim.environment
    where = f"torch {environment.torch}, {environment.device}, {environment.backend}"
    wanted = [check for id, check in claim.checks.items() if id in subject.checks]
    yield f"  {claim.verdict.replace('_', ' ')} on {where}, {claim.date}: {counted(len(wanted), 'check')}"
    for check in wanted:
        yield from check_lines(check, colour=colour)


def _wrapped(text: str, indent: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=indent, subsequent_indent=indent)
