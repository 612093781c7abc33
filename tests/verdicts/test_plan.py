"""Checks share their runs; what needs absent hardware has none."""

from __future__ import annotations

from typing import Any

import pytest
from checks import check

from claimbook.cards.card import Exercise, Needs
from claimbook.verdicts.plan import Plan, Target, lacking, plan

CPU = Target()


def runs(planned: Plan) -> list[tuple[str, int, Any]]:
    """Experiment, ranks and parameters of each run."""
    return [(run.experiment, run.ranks, run.given) for run in planned.runs.values()]


def test_a_check_needs_its_run_and_its_controls() -> None:
    planned = plan([check(controls=({"start": 5}, {}), given={"start": 1})], CPU)
    assert runs(planned) == [
        ("demo.total", 2, {"start": 1}),
        ("demo.total", 2, {"start": 5}),
        ("demo.total", 2, {}),
    ]


def test_equal_runs_are_done_once() -> None:
    # Whatever is observed in them, whichever is a control, and in whatever order parameters are written.
    checks = [
        check(given={"a": 1, "b": 2}, controls=({},)),
        check(given={}, controls=({"b": 2, "a": 1},), observe="other"),
    ]
    exercise = Exercise(id="e", ask={}, run="demo.total", ranks=2, given={}, observe="total")
    assert len(plan([*checks, exercise], CPU).runs) == 2


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"given": {"start": True}}, {"given": {"start": 1}}),
        ({"given": {"start": 1}}, {"given": {"start": 1.0}}),
        ({"given": {"start": 0}}, {"given": {"start": False}}),
        ({"given": {"start": None}}, {"given": {}}),
        ({"given": {"start": "1"}}, {"given": {"start": 1}}),
        ({"given": {"start": [True]}}, {"given": {"start": [1]}}),
        ({"ranks": 2}, {"ranks": 3}),
        ({"run": "demo.total"}, {"run": "demo.other"}),
    ],
)
def test_runs_that_differ_stay_apart(first: dict[str, Any], second: dict[str, Any]) -> None:
    assert len(plan([check(controls=(), **first), check(controls=(), **second)], CPU).runs) == 2


def test_a_shared_run_gets_the_longest_deadline() -> None:
    checks = [check(controls=(), timeout=timeout) for timeout in (5.0, 90.0, None)]
    assert list(plan(checks, CPU).timeouts.values()) == [90.0]
    assert list(plan([check(controls=())], Target(timeout=7)).timeouts.values()) == [7]


@pytest.mark.parametrize(
    ("needs", "target", "reason"),
    [
        (Needs(), CPU, ""),
        (Needs(cuda=True), CPU, "needs CUDA; this runs on the CPU"),
        (Needs(nccl=True), CPU, "needs NCCL; this runs on the CPU"),
        (Needs(gpus=4), CPU, "needs 4 GPUs; this runs on the CPU"),
        (Needs(cuda=True), Target(device="cuda", backend="gloo", gpus=1), ""),
        (Needs(nccl=True), Target(device="cuda", backend="gloo", gpus=8), "needs NCCL; this runs with gloo"),
        (Needs(nccl=True), Target(device="cuda", backend="nccl", gpus=2), ""),
        (Needs(nccl=True), Target(device="cuda", backend="nccl", gpus=1), "needs 2 GPUs, 1 here"),
        (Needs(gpus=4), Target(device="cuda", backend="nccl", gpus=2), "needs 4 GPUs, 2 here"),
    ],
)
def test_what_it_lacks_is_said_and_not_run(needs: Needs, target: Target, reason: str) -> None:
    subject = check(needs=needs)
    assert lacking(subject, target) == reason
    assert bool(plan([subject], target).runs) == (not reason)
