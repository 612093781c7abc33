"""The report of a verification: what was expected and what was seen, in 80 columns, the worst first."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from claimbook.cards.card import Book, Json
from claimbook.diagnostics import Diagnostic, counted, printable
from claimbook.diagnostics import as_github as annotations_of
from claimbook.verdicts.verdict import WORST_FIRST, CheckEvidence, ClaimEvidence, Environment, Verdict
from claimbook.verdicts.verification import Answer

WIDTH = 80

ORDER = (*WORST_FIRST[:-1], Verdict.NOT_RUN, Verdict.VERIFIED)
"""Of claims, and of checks in a claim, in a report."""

COLOURS: Mapping[Verdict, str] = {
    Verdict.VERIFIED: "32",
    Verdict.REFUTED: "31",
    Verdict.UNFALSIFIABLE: "31",
    Verdict.ERROR: "31",
    Verdict.STALE: "33",
    Verdict.NOT_RUN: "33",
}


CODES: Mapping[Verdict, str] = {
    Verdict.REFUTED: "CB201",
    Verdict.UNFALSIFIABLE: "CB202",
    Verdict.ERROR: "CB203",
}
"""Codes of the verdicts that fail a run, for annotations and `claimbook explain`."""


@dataclass(frozen=True, kw_only=True)
class Report:
    """Everything that a verification came to."""

    environment: Environment
    version: str
    """Of the package as it calls itself, build label included."""
    claims: Sequence[ClaimEvidence]
    """In the order of the book."""
    answers: Sequence[Answer] = ()
    runs: int = 0
    seconds: float = 0.0
    kept: frozenset[str] = frozenset()
    """Claims that were not run again: their evidence is still true."""

    @property
    def counts(self) -> Mapping[Verdict, int]:
        """Claims by verdict; every verdict is there."""
        return {verdict: sum(claim.verdict is verdict for claim in self.claims) for verdict in Verdict}

    @property
    def held(self) -> bool:
        """Whether every claim is verified, or lacks but hardware; and every exercise has its answer."""
        claims = all(claim.verdict in (Verdict.VERIFIED, Verdict.NOT_RUN) for claim in self.claims)
        return claims and all(answer.observed for answer in self.answers)


def as_text(report: Report, *, book: Book, colour: bool = False) -> str:
    """For people: each claim with its checks, then the counts."""
    claims = sorted(report.claims, key=lambda claim: ORDER.index(claim.verdict))
    blocks = ["\n".join(_claim(claim, colour=colour)) for claim in claims]
    blocks += [_answers(report.answers, colour=colour)] if report.answers else []
    return "\n\n".join([*blocks, _summary(report, colour=colour)])


def _claim(claim: ClaimEvidence, *, colour: bool) -> Iterator[str]:
    not_run = sum(check.verdict is Verdict.NOT_RUN for check in claim.checks.values())
    note = f" ({not_run} of {len(claim.checks)} checks not run here)" if not_run else ""
    yield f"{claim.claim}  {_paint(claim.verdict, claim.verdict, colour)}{note}"
    for check in sorted(claim.checks.values(), key=lambda check: ORDER.index(check.verdict)):
        yield from check_lines(check, colour=colour)


def check_lines(check: CheckEvidence, *, colour: bool) -> Iterator[str]:
    mark = _paint(f"{_word(check.verdict):8}", check.verdict, colour)
    if check.verdict is Verdict.VERIFIED:
        yield f"  {mark} {_cut(f'{check.id}: {check.observe} = {compact(check.observed)}', WIDTH - 11)}"
        yield from _wrapped("given", f"{_given(check.given)}, {counted(check.ranks, 'rank')}", cut=True)
    else:
        yield f"  {mark} {check.id}"
        yield from _wrapped("", check.reason)
        if check.verdict is not Verdict.NOT_RUN:
            yield from _wrapped("run", f"{check.run}, {check.ranks} ranks, given {_given(check.given)}")
            yield from _wrapped("expect", f"{check.observe}: {expected(check.expect)}")
            if check.observations is not None:
                yield from _wrapped("seen", compact(check.observed))
    for control in check.controls:
        seen = f"{_given(control.given)}: {compact(control.observed)}"
        yield from _wrapped("control", seen, cut=check.verdict is Verdict.VERIFIED)
    if check.detail:
        yield from (f"      | {printable(line)}" for line in check.detail.splitlines()[-40:])


def _word(verdict: Verdict) -> str:
    return {Verdict.VERIFIED: "ok", Verdict.NOT_RUN: "not run"}.get(verdict, verdict)


def _wrapped(title: str, text: str, *, cut: bool = False) -> Iterator[str]:
    """A titled line below a check, cut or continued at the edge."""
    indent = " " * 11
    head = f"{title} " if title else ""
    if cut:
        yield indent + _cut(head + text, WIDTH - len(indent))
        return
    yield from textwrap.wrap(
        printable(head + text), WIDTH, initial_indent=indent, subsequent_indent=indent + "  "
    )


def _cut(text: str, width: int) -> str:
    text = printable(text)
    return text if len(text) <= width else text[: width - 1] + "…"


def compact(value: Json) -> str:
    """A JSON value on one line."""
    return json.dumps(value, ensure_ascii=False)


def expected(schema: Json) -> str:
    """An expectation as one reads it: the constant itself, where it is one."""
    if isinstance(schema, dict) and schema.keys() == {"const"}:
        return compact(schema["const"])
    return compact(schema)


def _given(given: Mapping[str, Json]) -> str:
    return " ".join(f"{name}={compact(value)}" for name, value in given.items()) or "nothing"


def _answers(answers: Sequence[Answer], *, colour: bool) -> str:
    lines = ["exercises"]
    for answer in answers:
        if answer.observed:
            lines.append(f"  {_cut(f'{answer.name} = {compact(answer.observed.value)}', WIDTH - 2)}")
        else:
            lines += [f"  {_paint('error', Verdict.ERROR, colour)} {answer.name}"]
            lines += _wrapped("", answer.reason)
    return "\n".join(lines)


def _summary(report: Report, *, colour: bool) -> str:
    counts = [
        _paint(f"{count} {verdict.replace('_', ' ')}", verdict, colour)
        for verdict in ORDER
        if (count := report.counts[verdict])
    ]
    checks = counted(sum(len(claim.checks) for claim in report.claims), "check")
    claims = (
        f"{counted(len(report.claims), 'claim')}: {', '.join(counts)}" if report.claims else "no claim run"
    )
    kept = f"; evidence of {counted(len(report.kept), 'claim')} was up to date" if report.kept else ""
    where = f"torch {report.version} on {report.environment.device} with {report.environment.backend}"
    return f"{claims}\n{checks}, {counted(report.runs, 'run')}, {report.seconds:.1f} s, {where}{kept}"


def _paint(text: str, verdict: Verdict, on: bool) -> str:
    return f"\x1b[{COLOURS[verdict]}m{text}\x1b[0m" if on else text


def as_github(report: Report, *, book: Book, colour: bool = False) -> str:
    """The text, then an annotation at the line of each check that does not hold."""
    problems = [
        _problem(claim, check, book)
        for claim in report.claims
        for check in claim.checks.values()
        if check.verdict in CODES
    ]
    text = as_text(report, book=book)
    return f"{text}\n{annotations_of(problems, root=Path())}" if problems else text


def _problem(claim: ClaimEvidence, check: CheckEvidence, book: Book) -> Diagnostic:
    name, _, id = claim.claim.partition("#")
    card = book.concepts[name]
    kind = "claims" if id in card.claims else "myths"
    seen = "" if check.verdict is Verdict.ERROR else f"; seen {compact(check.observed)}"
    return Diagnostic(
        path=card.path,
        position=card.position(kind, id, "checks", check.id, "expect"),
        code=CODES[check.verdict],
        message=f"{claim.claim}/{check.id} is {check.verdict}: {check.reason}{seen}",
    )


def as_json(report: Report, *, book: Book, colour: bool = False) -> str:
    """One object, for scripts."""
    content = {
        "torch": report.version,
        "environment": vars(report.environment),
        "summary": report.counts,
        "claims": [_claim_mapping(claim) for claim in report.claims],
        "exercises": [_answer_mapping(answer) for answer in report.answers],
        "runs": report.runs,
        "seconds": round(report.seconds, 3),
    }
    return json.dumps(content, ensure_ascii=False, indent=2)


def _claim_mapping(claim: ClaimEvidence) -> Mapping[str, Any]:
    return {
        "id": claim.claim,
        "verdict": claim.verdict,
        "checks": [_check_mapping(check) for check in claim.checks.values()],
    }


def _check_mapping(check: CheckEvidence) -> Mapping[str, Any]:
    return {
        "id": check.id,
        "verdict": check.verdict,
        "reason": check.reason,
        "observed": check.observed,
        "control_observed": [control.observed for control in check.controls],
        "seconds": round(check.seconds, 3),
    }


def _answer_mapping(answer: Answer) -> Mapping[str, Any]:
    return {
        "id": answer.name,
        "observed": answer.observed.value if answer.observed else None,
        "reason": answer.reason,
    }
