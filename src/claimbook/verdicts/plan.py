"""From checks to the distinct runs that they need: a run that several checks share is done once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from claimbook.cards.card import Check, Exercise, Json, Needs
from claimbook.experiment.outcome import Run


@dataclass(frozen=True, kw_only=True)
class Target:
    """What a verification runs on."""

    device: str = "cpu"
    backend: str = "gloo"
    gpus: int = 0
    """GPUs that ranks may use here."""
    timeout: float = 60.0
    """Seconds for a run whose check names none."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """The distinct runs and the deadline of each."""

    runs: Mapping[str, Run] = field(default_factory=dict)
    """By `Run.key`, in the order of the checks."""
    timeouts: Mapping[str, float] = field(default_factory=dict)


def plan(subjects: Iterable[Check | Exercise], target: Target) -> Plan:
    """The runs of all checks that can be run on the target, with their controls, and of exercises."""
    runs: dict[str, Run] = {}
    timeouts: dict[str, float] = {}
    for subject in subjects:
        timeout = (subject.timeout if isinstance(subject, Check) else None) or target.timeout
        for run in runs_of(subject, target):
            runs.setdefault(run.key, run)
            timeouts[run.key] = max(timeout, timeouts.get(run.key, 0.0))
    return Plan(runs=runs, timeouts=timeouts)


def runs_of(subject: Check | Exercise, target: Target) -> Iterator[Run]:
    """The run of a check, then those of its controls; none where the target lacks what it needs."""
    if lacking(subject, target):
        return
    yield run_of(subject, subject.given, target)
    if isinstance(subject, Check):
        for control in subject.controls:
            yield run_of(subject, control, target)


def run_of(subject: Check | Exercise, given: Mapping[str, Json], target: Target) -> Run:
    """The run of a check or exercise under `given`."""
    return Run(
        experiment=subject.run,
        ranks=subject.ranks,
        given=given,
        device=target.device,
        backend=target.backend,
    )


def lacking(subject: Check | Exercise, target: Target) -> str:
    """Why it cannot be run on the target; empty where it can."""
    needs = (subject.needs if isinstance(subject, Check) else None) or Needs()
    if (needs.cuda or needs.nccl or needs.gpus) and target.device != "cuda":
        return f"needs {_wanted(needs)}; this runs on the {target.device.upper()}"
    if needs.nccl and target.backend != "nccl":
        return f"needs NCCL; this runs with {target.backend}"
    if target.device == "cuda":
        enough = max(needs.gpus, subject.ranks if target.backend == "nccl" else 1)
        if target.gpus < enough:
            return f"needs {enough} GPUs, {target.gpus} here"
    return ""


def _wanted(needs: Needs) -> str:
    if needs.gpus:
        return f"{needs.gpus} GPUs"
    return "NCCL" if needs.nccl else "CUDA"
