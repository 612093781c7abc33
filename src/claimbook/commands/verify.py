"""Run the checks of the cards on real ranks, judge what they saw, and write the evidence."""

from __future__ import annotations

import argparse
import datetime
import os
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from claimbook.cards import Book, load_book
from claimbook.commands.arguments import positive
from claimbook.diagnostics import Diagnostic, Severity, as_text
from claimbook.errors import CannotRun
from claimbook.experiment.availability import availability
from claimbook.experiment.installed import Installed
from claimbook.experiment.outcome import Outcome
from claimbook.experiment.progress import Progress
from claimbook.experiment.scheduler import Request, default_jobs, outcomes
from claimbook.settings import Settings, load_settings
from claimbook.verdicts import report
from claimbook.verdicts.digest import Digests
from claimbook.verdicts.evidence import FOLDER, load_evidence, prune, write_claim, write_exercises
from claimbook.verdicts.faults import as_matrix, load_faults, notice, trials
from claimbook.verdicts.junit import as_junit
from claimbook.verdicts.plan import Target
from claimbook.verdicts.selection import Selection, select
from claimbook.verdicts.verdict import ClaimEvidence, Environment, Verdict
from claimbook.verdicts.verification import Answer, Verification

HELP = "run the checks of the cards and write the evidence"

FORMATS: Mapping[str, Callable[..., str]] = {
    "text": report.as_text,
    "json": report.as_json,
    "github": report.as_github,
}


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument(
        "selectors", nargs="*", metavar="SELECTOR", help="card, card#claim or card#claim/check; default: all"
    )
    parser.add_argument("--changed", action="store_true", help="only claims whose evidence is not up to date")
    parser.add_argument(
        "--faults", action="store_true", help="instead: break the library, and see each check notice it"
    )
    parser.add_argument("--dry-run", action="store_true", help="write no evidence")
    parser.add_argument(
        "--jobs",
        type=positive(int),
        default=default_jobs(),
        metavar="N",
        help="runs at once (default: cores)",
    )
    parser.add_argument(
        "--timeout", type=positive(float), default=60.0, metavar="S", help="deadline of a run (default: 60)"
    )
    parser.add_argument(
        "--format", choices=tuple(FORMATS), default="text", help="github adds annotations to the text"
    )
    parser.add_argument("--junit", type=Path, metavar="FILE", help="also write a JUnit XML report")


def main(args: argparse.Namespace) -> int:
    """Verify what is selected; 1 where something does not hold, 3 where nothing can be run here."""
    began = time.monotonic()
    settings = load_settings(args.root)
    book, found = load_book(settings)
    selection = select(book, args.selectors)
    problems = _errors(found, selectors=args.selectors)
    selection = _without(selection, {problem.path.stem for problem in problems})
    package = availability(settings)
    if args.faults:
        return _faults(selection, settings, book, args)
    _note_other_release(package, settings)
    environment = Environment(torch=package.version, commit=package.commit, device="cpu", backend="gloo")
    kept = _current(settings, book, environment) if args.changed else set()
    claims, answers, runs = _verify(selection.without(kept), settings, environment, args)
    if not args.selectors and not args.dry_run and not problems:
        prune(settings.root / FOLDER / environment.folder, book)
    result = report.Report(
        environment=environment,
        version=package.version,
        claims=claims,
        answers=answers,
        runs=runs,
        seconds=time.monotonic() - began,
        kept=frozenset(kept) & {subject.name for subject in selection.subjects},
    )
    _show(result, book, problems, settings, args)
    return 0 if result.held and not problems else 1


def _verify(
    selection: Selection, settings: Settings, environment: Environment, args: argparse.Namespace
) -> tuple[list[ClaimEvidence], list[Answer], int]:
    """Run what the selection needs; each claim is written as soon as it is judged."""
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
    done = outcomes(requests, root=settings.root, jobs=int(args.jobs)) if requests else ()
    with Progress(total=len(requests), stream=sys.stderr) as progress:
        for run, outcome in done:
            progress.done(run.experiment)
            verification.take(run, outcome)
            claims += _judged(verification, place, dry_run=args.dry_run)
            answers += verification.answered()
    # What needs absent hardware has no run to wait for.
    claims += _judged(verification, place, dry_run=args.dry_run)
    answers += verification.answered()
    if not args.dry_run:
        _write_answers(place, selection, answers, environment=environment, date=verification.date)
    order = [subject.name for subject in selection.subjects]
    return sorted(claims, key=lambda claim: order.index(claim.claim)), answers, len(requests)


def _judged(verification: Verification, place: Path, *, dry_run: bool) -> list[ClaimEvidence]:
    """The claims that can be judged now, written at once if all their checks were selected."""
    judged = list(verification.finished())
    for subject, evidence in judged:
        if subject.whole and not dry_run:
            write_claim(place, evidence)
    return [evidence for _, evidence in judged]


def _faults(selection: Selection, settings: Settings, book: Book, args: argparse.Namespace) -> int:
    """Run the checks of the selection that faults name, each under its fault; writes no evidence."""
    chosen = {f"{it.name}/{check}" for it in selection.subjects for check in it.checks}
    faults = [fault for fault in load_faults(settings.root) if chosen.intersection(fault.checks)]
    tried = [it for it in trials(faults, book, Target(timeout=args.timeout)) if it.name in chosen]
    runs = {it.run.key: Request(run=it.run, timeout=it.check.timeout or args.timeout) for it in tried}
    seen: dict[str, Outcome] = {}
    with Progress(total=len(runs), stream=sys.stderr) as progress:
        for run, outcome in outcomes(runs.values(), root=settings.root, jobs=int(args.jobs)) if runs else ():
            progress.done(run.fault)
            seen[run.key] = outcome
    noticed = [notice(it, lambda run: seen[run.key]) for it in tried]
    print(as_matrix(noticed, faults, sorted(chosen)))
    return 0 if all(it.held for it in noticed) else 1


def _write_answers(
    place: Path, selection: Selection, answers: Iterable[Answer], *, environment: Environment, date: str
) -> None:
    for card in selection.cards:
        seen = {
            answer.name.partition("#")[2]: answer.observed
            for answer in answers
            if answer.observed and answer.name.partition("#")[0] == card.id
        }
        if seen:
            write_exercises(place, card.id, seen, environment=environment, date=date)


def _errors(found: Iterable[Diagnostic], *, selectors: Sequence[str]) -> list[Diagnostic]:
    """The errors of the selected concept cards."""
    cards = {selector.partition("#")[0] for selector in selectors}
    return [
        problem
        for problem in found
        if problem.severity is Severity.ERROR
        and problem.path.parts[0] == "concepts"
        and (not cards or problem.path.stem in cards)
    ]


def _without(selection: Selection, cards: set[str]) -> Selection:
    """The selection less the cards that have errors: what they say is not settled yet."""
    return replace(
        selection,
        subjects=tuple(subject for subject in selection.subjects if subject.card.path.stem not in cards),
        cards=tuple(card for card in selection.cards if card.path.stem not in cards),
    )


def _current(settings: Settings, book: Book, environment: Environment) -> set[str]:
    """Names of the claims, myths and exercises whose evidence is up to date and good."""
    for evidence in load_evidence(settings, book):
        if evidence.environment == environment:
            good = (Verdict.VERIFIED, Verdict.NOT_RUN)
            claims = {name for name, claim in evidence.claims.items() if claim.verdict in good}
            return claims | {name for name, answer in evidence.exercises.items() if not answer.stale}
    return set()


def _note_other_release(package: Installed, settings: Settings) -> None:
    if package.commit != settings.commit:
        print(
            f"claimbook: {settings.package} {package.version} is installed, the book is about "
            f"{settings.tag}: its evidence is kept apart",
            file=sys.stderr,
        )


def _show(
    result: report.Report,
    book: Book,
    problems: Sequence[Diagnostic],
    settings: Settings,
    args: argparse.Namespace,
) -> None:
    colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    if problems:
        print(as_text(problems, root=settings.root), file=sys.stderr)
        cards = ", ".join(sorted({problem.path.as_posix() for problem in problems}))
        print(f"\nclaimbook: not run, because of the errors above: {cards}", file=sys.stderr)
    print(FORMATS[args.format](result, book=book, colour=colour))
    if args.junit:
        try:
            args.junit.write_text(as_junit(result), "utf-8")
        except OSError as error:
            raise CannotRun(f"cannot write {args.junit}: {error.strerror}") from None
