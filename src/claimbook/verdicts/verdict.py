"""The closed set of verdicts and the receipt that each of them leaves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from claimbook.cards.card import Json


class Verdict(StrEnum):
    VERIFIED = "verified"
    """Seen as expected, and every control missed the expectation."""
    REFUTED = "refuted"
    """Seen otherwise."""
    UNFALSIFIABLE = "unfalsifiable"
    """Seen as expected, and so was a control: the check proves nothing."""
    NOT_RUN = "not_run"
    """Not run here; a reason says why."""
    STALE = "stale"
    """Evidence is there, but for another text, check, experiment or release."""
    ERROR = "error"
    """No observation to judge: a rank raised, died, hung, or returned what cannot be compared."""


WORST_FIRST = (Verdict.ERROR, Verdict.REFUTED, Verdict.UNFALSIFIABLE, Verdict.STALE, Verdict.VERIFIED)


def worst(verdicts: Iterable[Verdict]) -> Verdict:
    """The verdict of a claim: the worst of its checks; checks not run here count only where none was run."""
    seen = set(verdicts)
    return next((verdict for verdict in WORST_FIRST if verdict in seen), Verdict.NOT_RUN)


@dataclass(frozen=True, kw_only=True)
class Environment:
    """Where evidence comes from. Python, OS, CPU and host are left out: another machine gives no diff."""

    torch: str
    """The release without build label: `2.9.1`, not `2.9.1+cu128`."""
    commit: str
    device: str
    """cpu or cuda."""
    backend: str
    """gloo or nccl."""

    @property
    def folder(self) -> str:
        """Name of its folder under `evidence/`."""
        return f"{self.torch}-{self.device}-{self.backend}"


@dataclass(frozen=True, kw_only=True)
class ControlSeen:
    """What was seen under a control, and whether it missed the expectation as it must."""

    given: Mapping[str, Json]
    observed: Json
    failed: bool


@dataclass(frozen=True, kw_only=True)
class CheckEvidence:
    """The receipt of one check."""

    id: str
    verdict: Verdict
    reason: str = ""
    """Why it is not verified, in one line; empty where it is."""
    detail: str = ""
    """Where a run failed: tracebacks, stacks and last words of its ranks."""
    run: str
    ranks: int
    given: Mapping[str, Json]
    observe: str
    expect: Json
    observed: Json = None
    """The value that every rank saw; the list of values by rank where `ranks_agree` is false."""
    ranks_agree: bool = True
    """Whether one value stands for all ranks; false too where the check looks across ranks."""
    controls: tuple[ControlSeen, ...] = ()
    observations: Json = None
    """All that the run returned, less `volatile`: a mapping where the ranks agree, else a list by rank."""
    seconds: float = 0.0
    """Of the run; reported, never written to the evidence."""


@dataclass(frozen=True, kw_only=True)
class ClaimEvidence:
    """The receipt of one claim or myth in one environment: `evidence/ENVIRONMENT/CARD/CLAIM.json`."""

    claim: str
    """`card#claim`."""
    verdict: Verdict
    environment: Environment
    digest: str
    date: str
    """ISO date of the run, UTC."""
    checks: Mapping[str, CheckEvidence]
