"""From what the runs showed to a verdict and the words that a person reads."""

from __future__ import annotations

from typing import Any

import pytest
from checks import check, failed, ranks

from claimbook.cards.card import Check
from claimbook.experiment.outcome import Outcome
from claimbook.verdicts.judge import blank, judge
from claimbook.verdicts.verdict import CheckEvidence, ControlSeen, Verdict, worst

SIX = ranks(6, 6)


def judged(subject: Check, given: Outcome, *controls: Outcome) -> CheckEvidence:
    """The check judged by the outcome of its run and those of its controls, in their order."""
    by_parameters = [(subject.given, given), *zip(subject.controls, controls, strict=True)]
    return judge(subject, lambda wanted: next(outcome for key, outcome in by_parameters if key == wanted))


TWO_CONTROLS = check(controls=({"start": 5}, {"start": 6}))
ACROSS = check(across_ranks=True, expect={"const": [0, 1]})

VERDICTS: list[Any] = [
    # Seen as expected on every rank, and not under the control.
    (check(), [ranks(1, 1), SIX], "verified", ""),
    (check(controls=()), [ranks(1, 1)], "unfalsifiable",
     "no control: nothing shows that the expectation could fail"),
    (check(), [ranks(1, 1), ranks(1, 1)], "unfalsifiable", 'control {"start": 5} meets the expectation too'),
    # A control has missed it where one rank has.
    (check(), [ranks(1, 1), ranks(1, 6)], "verified", ""),
    # Every control has to miss it, the second one too.
    (TWO_CONTROLS, [ranks(1, 1), SIX, SIX], "verified", ""),
    (TWO_CONTROLS, [ranks(1, 1), SIX, ranks(1, 1)], "unfalsifiable",
     'control {"start": 6} meets the expectation too'),
    (check(controls=({"where": "Мир"},)), [ranks(1, 1), ranks(1, 1)], "unfalsifiable",
     'control {"where": "Мир"} meets the expectation too'),
    # What was seen decides before any control does.
    (check(), [ranks(2, 2), SIX], "refuted", "seen otherwise than expected"),
    (check(), [ranks(2, 2), failed("rank 0 hung")], "refuted", "seen otherwise than expected"),
    (check(controls=()), [ranks(2, 3)], "refuted", "seen otherwise than expected"),
    (check(), [ranks(1, 2, 1, 2), SIX], "error", "ranks disagree: ranks 0, 2 as expected, ranks 1, 3 not"),
    (check(), [ranks(2, 1), SIX], "error", "ranks disagree: rank 1 as expected, rank 0 not"),
    # Ranks may see different values where each meets the expectation.
    (check(expect={"maximum": 2}), [ranks(1, 2), SIX], "verified", ""),
    # JSON has one type of numbers, and booleans are not among them.
    (check(), [ranks(1.0, 1), SIX], "verified", ""),
    (check(), [ranks(True, True), ranks(False, False)], "refuted", "seen otherwise than expected"),
    (check(expect={"const": True}), [ranks(1, 1), ranks(0, 0)], "refuted", "seen otherwise than expected"),
    (check(expect={"const": 0}), [ranks(False, False), SIX], "refuted", "seen otherwise than expected"),
    (check(expect={"const": [0]}), [ranks([False]), ranks([1])], "refuted", "seen otherwise than expected"),
    (check(), [ranks(None, None), SIX], "refuted", "seen otherwise than expected"),
    # Across ranks: one value, the list by rank.
    (ACROSS, [ranks(0, 1), ranks(5, 6)], "verified", ""),
    (ACROSS, [ranks(1, 0), ranks(5, 6)], "refuted", "seen otherwise than expected"),
    (ACROSS, [ranks(0, 1), ranks(0, 1)], "unfalsifiable", 'control {"start": 5} meets the expectation too'),
    (ACROSS, [ranks(0, 1), ranks(0, "1")], "error",
     'control {"start": 5}: rank 1 shows string where the check sees number'),
    # Nothing was seen.
    (check(), [failed("rank 1 was ended by SIGKILL"), SIX], "error", "rank 1 was ended by SIGKILL"),
    (check(), [ranks(1, 1), failed("rank 1 was ended by SIGKILL")], "error",
     'control {"start": 5}: rank 1 was ended by SIGKILL'),
    (TWO_CONTROLS, [ranks(1, 1), SIX, failed("rank 0 raised ValueError: no")], "error",
     'control {"start": 6}: rank 0 raised ValueError: no'),
    # A control that shows something else does not miss the expectation: it does not get to it.
    (check(), [ranks(1, 1), ranks("6", "6")], "error",
     'control {"start": 5}: rank 0 shows string where the check sees number'),
    (check(), [ranks(1, 1), ranks(6, None)], "error",
     'control {"start": 5}: rank 1 shows null where the check sees number'),
    (check(expect={"const": 1}), [ranks(1, 1), ranks(False, False)], "error",
     'control {"start": 5}: rank 0 shows boolean where the check sees number'),
    (check(expect={}), [ranks([1], [1]), ranks({"a": 1}, {"a": 1})], "error",
     'control {"start": 5}: rank 0 shows object where the check sees array'),
    (check(), [ranks(1, 1), ranks(1.5, 1.5)], "verified", ""),
    (check(observe="sum"), [ranks(1, 1, bytes=3), SIX], "error",
     "rank 0 returned no sum; it has bytes, total"),
    (check(), [Outcome(values=({"total": 1}, {})), SIX], "error",
     "rank 1 returned no total; nothing is there"),
    (check(), [ranks(1, 1), Outcome(values=({"total": 6}, {"refused": "yes"}))], "error",
     'control {"start": 5}: rank 1 returned no total; it has refused'),
    # An expectation by which nothing can be judged.
    (check(expect={"type": "numbr"}), [ranks(1, 1), SIX], "error", "the expectation is no JSON Schema: "),
    (check(expect={"$ref": "#"}), [ranks(1, 1), SIX], "error", "the expectation refers to itself"),
]  # fmt: skip


@pytest.mark.parametrize(("subject", "outcomes", "verdict", "reason"), VERDICTS)
def test_the_verdict_and_its_reason(
    subject: Check, outcomes: list[Outcome], verdict: str, reason: str
) -> None:
    evidence = judged(subject, *outcomes)
    assert evidence.verdict == verdict
    if reason.endswith(": "):
        assert evidence.reason.startswith(reason) and len(evidence.reason) > len(reason)
    else:
        assert evidence.reason == reason


def test_what_was_seen_is_kept() -> None:
    evidence = judged(check(), ranks(1, 1, volatile={"ms": 3}, shape=[2]), ranks(6, 7))
    assert evidence.observed == 1
    assert evidence.ranks_agree
    assert evidence.observations == {"total": 1, "shape": [2]}
    assert evidence.controls == (ControlSeen(given={"start": 5}, observed=[6, 7], failed=True),)
    assert (evidence.run, evidence.observe, evidence.seconds) == ("demo.total", "total", 0.5)


def test_values_that_differ_are_kept_by_rank() -> None:
    evidence = judged(check(expect={"maximum": 2}), ranks(1, 2, volatile=1), SIX)
    assert (evidence.observed, evidence.ranks_agree) == ([1, 2], False)
    assert evidence.observations == [{"total": 1}, {"total": 2}]


def test_ranks_that_differ_elsewhere_agree_on_what_is_observed() -> None:
    outcome = Outcome(values=({"total": 1, "rank": 0}, {"total": 1, "rank": 1}))
    evidence = judged(check(), outcome, SIX)
    assert (evidence.observed, evidence.ranks_agree) == (1, True)
    assert evidence.observations == [{"total": 1, "rank": 0}, {"total": 1, "rank": 1}]


def test_true_on_one_rank_and_1_on_another_is_not_one_value() -> None:
    evidence = judged(check(expect={}), ranks(True, 1), ranks(True, 1))
    assert (evidence.observed, evidence.ranks_agree) == ([True, 1], False)


def test_across_ranks_the_values_of_a_control_are_a_list_even_where_they_are_equal() -> None:
    evidence = judged(ACROSS, ranks(0, 1), ranks(6, 6))
    assert (evidence.observed, evidence.ranks_agree) == ([0, 1], False)
    assert evidence.controls[0].observed == [6, 6]


def test_what_was_seen_stays_where_a_control_fails() -> None:
    evidence = judged(TWO_CONTROLS, ranks(1, 1), SIX, failed("rank 0 raised ValueError: no", "Traceback …"))
    assert (evidence.observed, evidence.detail) == (1, "Traceback …")
    assert [control.observed for control in evidence.controls] == [6]


def test_nothing_has_been_seen_of_a_blank() -> None:
    evidence = blank(check(), verdict=Verdict.NOT_RUN, reason="needs CUDA")
    assert (evidence.verdict, evidence.reason, evidence.observed, evidence.controls) == (
        "not_run",
        "needs CUDA",
        None,
        (),
    )


@pytest.mark.parametrize(
    ("verdicts", "claim"),
    [
        ([], "not_run"),
        (["not_run"], "not_run"),
        (["not_run", "verified"], "verified"),
        (["verified", "stale"], "stale"),
        (["stale", "unfalsifiable", "verified"], "unfalsifiable"),
        (["unfalsifiable", "refuted"], "refuted"),
        (["refuted", "error", "not_run"], "error"),
    ],
)
def test_a_claim_is_as_good_as_its_worst_check(verdicts: list[str], claim: str) -> None:
    assert worst(map(Verdict, verdicts)) == claim
