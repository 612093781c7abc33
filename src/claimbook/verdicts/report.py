"""The report of a verification: what was expected and what was seen, in 80 columns, the worst first."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from claimbook.cards.card import Json
from claimbook.diagnostics import printable
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


def as_text(report: Report, *, colour: bool = False) -> str:
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
        yield from _check(check, colour=colour)


def _check(check: CheckEvidence, *, colour: bool) -> Iterator[str]:
    mark = _paint(f"{_word(check.verdict):8}", check.verdict, colour)
    if check.verdict is Verdict.VERIFIED:
        yield f"  {mark} {_cut(f'{check.id}: {check.observe} = {compact(check.observed)}', WIDTH - 11)}"
        yield from _wrapped("given", f"{_given(check.given)}, {check.ranks} ranks", cut=True)
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
    return {Verdict.VERIFIED: "ok", Verdict.NOT_RUN: "not run", Verdict.UNFALSIFIABLE: "unfalsif."}.get(
        verdict, verdict
    )


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
    checks = sum(len(claim.checks) for claim in report.claims)
    claims = f"{len(report.claims)} claims: {', '.join(counts)}" if report.claims else "no claims"
    kept = f"; evidence of {len(report.kept)} claims was up to date" if report.kept else ""
    where = f"torch {report.version} on {report.environment.device} with {report.environment.backend}"
    return f"{claims}\n{checks} checks, {report.runs} runs, {report.seconds:.1f} s, {where}{kept}"


def _paint(text: str, verdict: Verdict, on: bool) -> str:
    return f"\x1b[{COLOURS[verdict]}m{text}\x1b[0m" if on else text


def as_json(report: Report) -> str:
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
