"""Outcomes in, evidence out: each claim is judged as soon as all its runs have ended."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from claimbook.cards.card import Check, Exercise, Json
from claimbook.experiment.outcome import Outcome, Run
from claimbook.verdicts.digest import Digests
from claimbook.verdicts.evidence import Observed
from claimbook.verdicts.judge import blank, judge, one_for_all
from claimbook.verdicts.observation import NotObserved, observed, without_volatile
from claimbook.verdicts.plan import Plan, Target, lacking, plan, run_of, runs_of
from claimbook.verdicts.selection import Selection, Subject
from claimbook.verdicts.verdict import CheckEvidence, ClaimEvidence, Environment, Verdict, worst


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What came of an exercise: its answer, or why there is none."""

    name: str
    """`card#exercise`."""
    observed: Observed | None = None
    reason: str = ""


class Verification:
    """The verification of a selection; `take` each outcome, in any order."""

    def __init__(
        self, selection: Selection, *, target: Target, environment: Environment, digests: Digests, date: str
    ) -> None:
        self.target, self.environment, self.date = target, environment, date
        self.subjects = list(selection.subjects)
        self.exercises = dict(selection.exercises)
        self.outcomes: dict[str, Outcome] = {}
        # Before anything runs: an experiment that is edited meanwhile leaves evidence that is stale at once.
        named = [(subject.name, subject.claim) for subject in self.subjects]
        self._digest = {name: digests.of(it, environment) for name, it in (*named, *self.exercises.items())}

    @property
    def plan(self) -> Plan:
        """The runs that are needed."""
        checks = [check for subject in self.subjects for check in subject.checks.values()]
        return plan([*checks, *self.exercises.values()], self.target)

    def take(self, run: Run, outcome: Outcome) -> None:
        """Keep what came of a run."""
        self.outcomes[run.key] = outcome

    def finished(self) -> Iterator[tuple[Subject, ClaimEvidence]]:
        """The claims whose runs have all ended since the last call, judged."""
        for subject in list(self.subjects):
            if all(self._has_ended(check) for check in subject.checks.values()):
                self.subjects.remove(subject)
                yield subject, self._claim(subject)

    def answered(self) -> Iterator[Answer]:
        """The exercises whose run has ended since the last call."""
        for name, exercise in list(self.exercises.items()):
            if self._has_ended(exercise):
                del self.exercises[name]
                yield self._answer(name, exercise)

    def _has_ended(self, subject: Check | Exercise) -> bool:
        return all(run.key in self.outcomes for run in runs_of(subject, self.target))

    def _claim(self, subject: Subject) -> ClaimEvidence:
        checks = {check.id: self._check(check) for check in subject.checks.values()}
        return ClaimEvidence(
            claim=subject.name,
            verdict=worst(check.verdict for check in checks.values()),
            environment=self.environment,
            digest=self._digest[subject.name],
            date=self.date,
            checks=checks,
        )

    def _check(self, check: Check) -> CheckEvidence:
        if reason := lacking(check, self.target):
            return blank(check, verdict=Verdict.NOT_RUN, reason=reason)

        def outcome_of(given: Mapping[str, Json]) -> Outcome:
            return self.outcomes[run_of(check, given, self.target).key]

        return judge(check, outcome_of)

    def _answer(self, name: str, exercise: Exercise) -> Answer:
        if reason := lacking(exercise, self.target):
            return Answer(name=name, reason=reason)
        outcome = self.outcomes[run_of(exercise, exercise.given, self.target).key]
        if outcome.failure:
            return Answer(name=name, reason=outcome.failure)
        try:
            value, _ = one_for_all([observed(seen, exercise.observe) for seen in outcome.values])
        except NotObserved as error:
            return Answer(name=name, reason=f"the run {error}")
        observations, _ = one_for_all(without_volatile(outcome.values))
        return Answer(
            name=name,
            observed=Observed(
                run=exercise.run,
                ranks=exercise.ranks,
                given=exercise.given,
                observe=exercise.observe,
                value=value,
                observations=observations,
                digest=self._digest[name],
            ),
        )
