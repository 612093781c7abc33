"""Run the checks of the cards on real ranks, judge what they saw, and write the evidence."""

from __future__ import annotations

import argparse
import datetime
import os
import sys
import time
from collections.abc import Sequence

from claimbook.cards import Book, load_book
from claimbook.diagnostics import Diagnostic, Severity, as_text
from claimbook.experiment.availability import availability
from claimbook.experiment.scheduler import Request, default_jobs, outcomes
from claimbook.settings import load_settings
from claimbook.verdicts import report
from claimbook.verdicts.digest import Digests
from claimbook.verdicts.evidence import FOLDER, write_claim, write_exercises
from claimbook.verdicts.plan import Target
from claimbook.verdicts.selection import select
from claimbook.verdicts.verdict import ClaimEvidence, Environment
from claimbook.verdicts.verification import Answer, Verification

HELP = "run the checks of the cards and write the evidence"


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument(
        "selectors", nargs="*", metavar="SELECTOR", help="card, card#claim or card#claim/check; default: all"
    )
    parser.add_argument("--dry-run", action="store_true", help="write no evidence")
    parser.add_argument("--jobs", type=int, default=default_jobs(), metavar="N", help="runs at once")
    parser.add_argument(
        "--timeout", type=float, default=60.0, metavar="S", help="deadline of a run (default: 60)"
    )
    parser.add_argument("--format", choices=("text", "json"), default="text", help="of the report")


def main(args: argparse.Namespace) -> int:
    """Do the command; returns the exit status."""
    began = time.monotonic()
    settings = load_settings(args.root)
    book, found_problems = load_book(settings)
    selection = select(book, args.selectors)
    problems = _told(found_problems, book, args.selectors)
    found = availability(settings)
    environment = Environment(torch=found.version, commit=found.commit, device="cpu", backend="gloo")
    verification = Verification(
        selection,
        target=Target(timeout=args.timeout),
        environment=environment,
        digests=Digests(settings.root),
        date=datetime.datetime.now(datetime.UTC).date().isoformat(),
    )
    plan = verification.plan
    requests = [Request(run=run, timeout=plan.timeouts[key]) for key, run in plan.runs.items()]
    claims: list[ClaimEvidence] = []
    answers: list[Answer] = []
    place = settings.root / FOLDER / environment.folder
    for run, outcome in outcomes(requests, root=settings.root, jobs=args.jobs):
        verification.take(run, outcome)
        for subject, evidence in verification.finished():
            claims.append(evidence)
            if subject.whole and not args.dry_run:
                write_claim(place, evidence)
        answers += verification.answered()
    if not args.dry_run:
        for card in selection.cards:
            seen = {
                a.name.partition("#")[2]: a.observed
                for a in answers
                if a.observed and a.name.startswith(card.id + "#")
            }
            if seen:
                write_exercises(place, card.id, seen, environment=environment, date=verification.date)
    result = report.Report(
        environment=environment,
        version=found.version,
        claims=claims,
        answers=answers,
        runs=len(requests),
        seconds=time.monotonic() - began,
    )
    colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    print(report.as_json(result) if args.format == "json" else report.as_text(result, colour=colour))
    if problems:
        print(as_text(problems, root=settings.root), file=sys.stderr)
    return 0 if result.held and not problems else 1


def _told(problems: Sequence[Diagnostic], book: Book, selectors: Sequence[str]) -> list[Diagnostic]:
    """The errors of the selected cards."""
    cards = {selector.partition("#")[0] for selector in selectors}
    return [
        problem
        for problem in problems
        if problem.severity is Severity.ERROR
        and (not cards or problem.path.stem in cards)
        and problem.path.parts[0] == "concepts"
    ]
