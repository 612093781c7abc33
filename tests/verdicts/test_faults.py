"""Faults are read from their source, tried against the checks they name, and reported."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from claimbook.cards import load_book
from claimbook.errors import CannotRun
from claimbook.experiment.outcome import Outcome
from claimbook.experiment.scheduler import Request, outcomes
from claimbook.settings import load_settings
from claimbook.verdicts.faults import Fault, Noticed, as_matrix, load_faults, notice, trials
from claimbook.verdicts.plan import Target
from claimbook.verdicts.verdict import Verdict

ROOT = Path(__file__).parents[2]
SETTINGS = load_settings(ROOT)
BOOK, _ = load_book(SETTINGS)
FREES, SWAP = "fsdp2#reshard-after-forward/true-frees", "fsdp2#two-dimensional-mesh/shard-groups"


def test_the_faults_of_the_book_name_checks_that_are_there() -> None:
    faults = load_faults(ROOT)
    assert len(faults) >= 15
    assert all(fault.about.endswith(".") for fault in faults)
    assert len(trials(faults, BOOK, Target())) == sum(len(fault.checks) for fault in faults)


@pytest.mark.parametrize(
    ("checks", "message"),
    [((), "names no check"), (("fsdp2#nowhere/x",), "'fsdp2#nowhere/x', which is no check of this book")],
)
def test_a_fault_that_names_nothing_stops_the_run(checks: tuple[str, ...], message: str) -> None:
    with pytest.raises(CannotRun, match=message):
        trials([Fault(name="m.f", about="", checks=checks)], BOOK, Target())


def test_a_file_that_is_no_python_is_named(tmp_path: Path) -> None:
    (tmp_path / "verifiers" / "faults").mkdir(parents=True)
    (tmp_path / "verifiers" / "faults" / "bad.py").write_text("def (")
    with pytest.raises(CannotRun, match=r"verifiers/faults/bad\.py: "):
        load_faults(tmp_path)


@pytest.mark.parametrize(
    ("outcome", "verdict"),
    [
        (Outcome(values=({"full_bytes_after_forward": {"layers": 0, "root": 0}},) * 4), Verdict.VERIFIED),
        (Outcome(values=({"full_bytes_after_forward": {"layers": 1, "root": 0}},) * 4), Verdict.REFUTED),
        (Outcome(failure="rank 1 raised KeyError"), Verdict.ERROR),  # a crash is no observation
    ],
)
def test_only_a_refuted_check_has_noticed(outcome: Outcome, verdict: Verdict) -> None:
    (trial,) = trials([Fault(name="m.f", about="", checks=(FREES,))], BOOK, Target())
    assert notice(trial, lambda _: outcome).verdict is verdict
    assert notice(trial, lambda _: outcome).held is (verdict is Verdict.REFUTED)


def test_the_matrix_shows_the_unnoticed_first() -> None:
    faults = [
        Fault(name="m.good", about="One.", checks=(FREES,)),
        Fault(name="m.bad", about="Two.", checks=(SWAP,)),
    ]
    first, second = trials(faults, BOOK, Target())
    noticed = [
        Noticed(trial=first, verdict=Verdict.REFUTED),
        Noticed(trial=second, verdict=Verdict.VERIFIED, reason="seen as if nothing were broken"),
    ]
    assert as_matrix(noticed, faults, [FREES, SWAP, "fsdp2#a/b"]).splitlines() == [
        "m.bad: noticed by 0 of 1 check",
        "  Two.",
        f"  UNNOTICED {SWAP}",
        "            seen as if nothing were broken",
        "",
        "m.good: noticed by 1 of 1 check",
        "  One.",
        f"  noticed   {FREES}",
        "",
        "no fault names 1 check; only their controls shake them",
        "  fsdp2#a/b",
        "",
        "2 faults, 2 trials: 1 unnoticed",
    ]


@pytest.mark.ranks
def test_every_fault_of_the_book_is_noticed_by_one_check_at_least() -> None:
    # One check of each fault, the one of fewest ranks: all of them are for `verify --faults`.
    found = trials(load_faults(ROOT), BOOK, Target())
    least: Mapping[str, int] = {
        it.fault.name: at for at, it in sorted(enumerate(found), key=lambda e: -e[1].run.ranks)
    }
    chosen = [found[at] for at in least.values()]
    requests = {it.run.key: Request(run=it.run, timeout=30) for it in chosen}
    seen = {run.key: outcome for run, outcome in outcomes(requests.values(), root=ROOT, jobs=2)}
    unnoticed = [it.fault.name for it in chosen if not notice(it, lambda run: seen[run.key]).held]
    assert unnoticed == []


@pytest.mark.ranks
def test_a_fault_that_is_not_there_is_an_error() -> None:
    (trial,) = trials([Fault(name="fsdp2.nothing", about="", checks=(FREES,))], BOOK, Target())
    ((_, outcome),) = outcomes([Request(run=trial.run, timeout=30)], root=ROOT, jobs=1)
    assert outcome.failure == "every rank raised LookupError: verifiers/faults/fsdp2.py has no fault nothing"
