"""The judge: from what the runs of a check showed to its verdict."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from claimbook.cards.card import Check, Json
from claimbook.experiment.outcome import Outcome
from claimbook.verdicts.expectation import Expectation, NoExpectation
from claimbook.verdicts.observation import NotObserved, json_type, observed, without_volatile
from claimbook.verdicts.verdict import CheckEvidence, ControlSeen, Verdict

OutcomeOf = Callable[[Mapping[str, Json]], Outcome]
"""The outcome of the check's experiment under given parameters."""


@dataclass(frozen=True, kw_only=True)
class _Seen:
    """The observation of a check by rank, and which ranks met the expectation."""

    values: tuple[Json, ...]
    holds: tuple[bool, ...]
    """By rank; of one element where the check looks across ranks."""

    @property
    def held(self) -> bool:
        return all(self.holds)


class _Failed(Exception):
    """There is nothing to judge; the message says why."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(reason)
        self.detail = detail


def judge(check: Check, outcome_of: OutcomeOf) -> CheckEvidence:
    """Judge a check by the outcomes of its run and its controls, all of which are there.

    A control has missed the expectation where the check, run under its parameters, would not have been
    verified: on one rank or more.
    """
    outcome = outcome_of(check.given)
    evidence = replace(blank(check), seconds=outcome.seconds)
    try:
        expectation = Expectation(check.expect)
        seen = _look(check, expectation, outcome)
        evidence = _with_observed(evidence, check, seen, outcome)
        if verdict := _own_verdict(seen):
            return replace(evidence, verdict=verdict[0], reason=verdict[1])
        for given in check.controls:
            control = _control(check, expectation, given, outcome_of(given), seen)
            evidence = replace(evidence, controls=(*evidence.controls, control))
    except NoExpectation as error:
        return replace(evidence, reason=str(error))
    except _Failed as error:
        return replace(evidence, reason=str(error), detail=error.detail)
    return _with_controls(evidence)


def blank(check: Check, *, verdict: Verdict = Verdict.ERROR, reason: str = "") -> CheckEvidence:
    """The receipt of a check of which nothing has been seen."""
    return CheckEvidence(
        id=check.id,
        verdict=verdict,
        reason=reason,
        run=check.run,
        ranks=check.ranks,
        given=check.given,
        observe=check.observe,
        expect=check.expect,
    )


def _look(check: Check, expectation: Expectation, outcome: Outcome) -> _Seen:
    if outcome.failure:
        raise _Failed(outcome.failure, outcome.detail)
    values = tuple(_observed(rank, value, check) for rank, value in enumerate(outcome.values))
    judged: Sequence[Any] = [list(values)] if check.across_ranks else values
    return _Seen(values=values, holds=tuple(map(expectation.holds, judged)))


def _observed(rank: int, value: Json, check: Check) -> Json:
    try:
        return observed(value, check.observe)
    except NotObserved as error:
        raise _Failed(f"rank {rank} {error}") from None


def _with_observed(evidence: CheckEvidence, check: Check, seen: _Seen, outcome: Outcome) -> CheckEvidence:
    value, agree = one_for_all(seen.values)
    if check.across_ranks:
        value, agree = list(seen.values), False
    observations, _ = one_for_all(without_volatile(outcome.values))
    return replace(evidence, observed=value, ranks_agree=agree, observations=observations)


def one_for_all(values: Sequence[Json]) -> tuple[Json, bool]:
    """The value that all ranks share and true, or the list of values by rank and false."""
    texts = {json.dumps(value, sort_keys=True) for value in values}
    return (values[0], True) if len(texts) == 1 else (list(values), False)


def _own_verdict(seen: _Seen) -> tuple[Verdict, str] | None:
    """The verdict that what was seen has already decided; None where the controls decide."""
    if seen.held:
        return None
    met = [rank for rank, held in enumerate(seen.holds) if held]
    if met:
        missed = [rank for rank, held in enumerate(seen.holds) if not held]
        return Verdict.ERROR, f"ranks disagree: {_ranks(met)} as expected, {_ranks(missed)} not"
    return Verdict.REFUTED, "seen otherwise than expected"


def _ranks(ranks: Sequence[int]) -> str:
    return ("rank " if len(ranks) == 1 else "ranks ") + ", ".join(map(str, ranks))


def _control(
    check: Check, expectation: Expectation, given: Mapping[str, Json], outcome: Outcome, seen: _Seen
) -> ControlSeen:
    name = f"control {json.dumps(given, ensure_ascii=False)}"
    try:
        control = _look(check, expectation, outcome)
    except _Failed as error:
        raise _Failed(f"{name}: {error}", error.detail) from None
    for rank, (value, shown) in enumerate(zip(seen.values, control.values, strict=True)):
        if json_type(value) != json_type(shown):
            raise _Failed(
                f"{name}: rank {rank} shows {json_type(shown)} where the check sees {json_type(value)}"
            )
    value, _ = one_for_all(control.values)
    return ControlSeen(
        given=given,
        observed=list(control.values) if check.across_ranks else value,
        failed=not control.held,
    )


def _with_controls(evidence: CheckEvidence) -> CheckEvidence:
    held = [json.dumps(seen.given, ensure_ascii=False) for seen in evidence.controls if not seen.failed]
    if held:
        reason = f"control {held[0]} meets the expectation too"
        return replace(evidence, verdict=Verdict.UNFALSIFIABLE, reason=reason)
    if not evidence.controls:
        reason = "no control: nothing shows that the expectation could fail"
        return replace(evidence, verdict=Verdict.UNFALSIFIABLE, reason=reason)
    return replace(evidence, verdict=Verdict.VERIFIED)
