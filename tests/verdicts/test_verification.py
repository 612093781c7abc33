"""What a verification keeps of the sources that it ran, and of words that are no text."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from small import edit, make_book

from claimbook.cards import load_book
from claimbook.cli import main
from claimbook.experiment.outcome import Run, legible
from claimbook.experiment.scheduler import Request, outcomes
from claimbook.settings import load_settings
from claimbook.verdicts.digest import Digests
from claimbook.verdicts.plan import Target
from claimbook.verdicts.selection import select
from claimbook.verdicts.verdict import Environment
from claimbook.verdicts.verification import Verification

ENVIRONMENT = Environment(torch="2.9.1", commit="5811", device="cpu", backend="gloo")


def test_an_experiment_edited_during_the_run_leaves_stale_evidence(tmp_path: Path) -> None:
    book = make_book(tmp_path)
    settings = load_settings(book)
    selection = select(load_book(settings)[0], [])
    verification = Verification(
        selection,
        target=Target(),
        environment=ENVIRONMENT,
        digests=Digests(book),
        date="2026-12-01",
    )
    edit(book, "rank.rank + start", "rank.rank - start", name="verifiers/demo.py")
    ran = verification._digest["demo#sum"]
    assert ran != Digests(book).of(selection.subjects[0].claim, ENVIRONMENT)


def test_words_that_are_no_unicode_are_escaped() -> None:
    assert legible("caf\udce9 é") == "caf\\udce9 é"


@pytest.mark.ranks
def test_old_bytecode_is_never_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    book = make_book(tmp_path)
    file = book / "verifiers" / "demo.py"
    seen = []
    for old, new in (("rank.rank + start", "rank.rank + 1.00*start"), ("+ 1.00*start", "+ 2.00*start")):
        edit(book, old, new, name="verifiers/demo.py")
        os.utime(file, (1_700_000_000, 1_700_000_000))
        run = Run(experiment="demo.total", ranks=1, given={"start": 1})
        ((_, outcome),) = outcomes([Request(run=run, timeout=30)], root=book, jobs=1)
        seen.append(outcome.values[0]["total"])
    assert seen == [1.0, 2.0]


@pytest.mark.ranks
def test_a_message_that_is_no_unicode_is_an_error_like_any_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    book = make_book(tmp_path)
    edit(
        book,
        '    return {"total"',
        '    raise ValueError("caf\\udce9")\n    return {"total"',
        name="verifiers/demo.py",
    )
    assert main(["verify", "--root", str(book)]) == 1
    assert "raised ValueError: caf\\udce9" in capsys.readouterr().out
