"""The report of a verification: text of 80 columns, JSON for scripts, annotations, JUnit."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from claimbook.cards import load_book
from claimbook.settings import load_settings
from claimbook.verdicts.junit import as_junit
from claimbook.verdicts.report import Report, as_github, as_json, as_text
from claimbook.verdicts.verdict import CheckEvidence, ClaimEvidence, ControlSeen, Environment, Verdict, worst

ROOT = Path(__file__).parents[2]
BOOK, _ = load_book(load_settings(ROOT))
CLAIM = "fsdp2#reshard-after-forward"
ENVIRONMENT = Environment(torch="2.9.1", commit="5811", device="cpu", backend="gloo")


def check(id: str, verdict: Verdict, *, reason: str = "", detail: str = "") -> CheckEvidence:
    """A receipt of a check that saw 3 and whose control saw 0."""
    return CheckEvidence(
        id=id,
        verdict=verdict,
        reason=reason,
        detail=detail,
        run="fsdp2_reshard.reshard_after_forward",
        ranks=4,
        given={"value": True},
        observe="gathers_in_backward",
        expect={"const": 3},
        observed=None if verdict is Verdict.NOT_RUN else 3,
        observations={"gathers_in_backward": 3},
        controls=(ControlSeen(given={"value": False}, observed=0, failed=True),),
    )


def report(*checks: CheckEvidence) -> Report:
    """A report of one claim."""
    claim = ClaimEvidence(
        claim=CLAIM,
        verdict=worst(it.verdict for it in checks),
        environment=ENVIRONMENT,
        digest="",
        date="2026-12-01",
        checks={it.id: it for it in checks},
    )
    return Report(environment=ENVIRONMENT, version="2.9.1", claims=[claim], runs=2, seconds=1.25)


VERIFIED = check("true-gathers-again", Verdict.VERIFIED)
REFUTED = check("true-frees", Verdict.REFUTED, reason="seen otherwise than expected")
ABSENT = check("two-keeps-half", Verdict.NOT_RUN, reason="needs CUDA; this runs on the CPU")
FAILED = check("none-on-root", Verdict.ERROR, reason="rank 1 raised KeyError", detail="\x1b[31mTraceback\x07")


def test_what_is_wrong_comes_first_and_shows_what_was_seen() -> None:
    text = as_text(report(VERIFIED, REFUTED, FAILED), book=BOOK)
    assert [line.split()[:2] for line in text.splitlines() if line.startswith("  ") and line[2] != " "] == [
        ["error", "none-on-root"],
        ["refuted", "true-frees"],
        ["ok", "true-gathers-again:"],
    ]
    assert "           expect gathers_in_backward: 3\n           seen 3\n" in text
    assert "control value=false: 0" in text
    assert max(map(len, text.splitlines())) <= 80


def test_what_ranks_said_cannot_steer_the_terminal() -> None:
    text = as_text(report(FAILED), book=BOOK)
    assert "?[31mTraceback?" in text
    assert "\x1b" not in text


def test_absent_hardware_is_counted_and_does_not_fail() -> None:
    result = report(VERIFIED, ABSENT)
    assert f"{CLAIM}  verified (1 of 2 checks not run here)" in as_text(result, book=BOOK)
    assert result.held
    assert not report(REFUTED).held


def test_json_is_what_scripts_rely_on() -> None:
    content = json.loads(as_json(report(VERIFIED, REFUTED), book=BOOK))
    assert content["torch"].startswith("2.9.1")
    assert content["summary"] == {
        "verified": 0,
        "refuted": 1,
        "unfalsifiable": 0,
        "not_run": 0,
        "stale": 0,
        "error": 0,
    }
    (claim,) = content["claims"]
    assert (claim["id"], claim["verdict"]) == (CLAIM, "refuted")
    assert (
        claim["checks"][0].items()
        >= {
            "id": "true-gathers-again",
            "verdict": "verified",
            "observed": 3,
            "control_observed": [0],
            "seconds": 0.0,
        }.items()
    )


def test_annotations_stand_at_the_expectation() -> None:
    lines = as_github(report(VERIFIED, REFUTED), book=BOOK).splitlines()
    place = BOOK.concepts["fsdp2"].position(
        "claims", "reshard-after-forward", "checks", "true-frees", "expect"
    )
    assert lines[-1] == (
        f"::error file=concepts/fsdp2.yml,line={place.line},col={place.column},title=CB201::"
        f"{CLAIM}/true-frees is refuted: seen otherwise than expected; seen 3"
    )
    assert sum(line.startswith("::") for line in lines) == 1


@pytest.mark.parametrize(
    ("evidence", "tag"), [(REFUTED, "failure"), (FAILED, "error"), (ABSENT, "skipped"), (VERIFIED, None)]
)
def test_junit_has_a_case_per_check(evidence: CheckEvidence, tag: str | None) -> None:
    root = ElementTree.fromstring(as_junit(report(evidence)))
    (case,) = root.iter("testcase")
    assert (case.get("classname"), case.get("name")) == (CLAIM, evidence.id)
    assert [child.tag for child in case] == ([tag] if tag else [])
