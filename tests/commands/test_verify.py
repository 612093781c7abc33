"""`claimbook verify`: what it prints, what it writes, its exit status, and what is left of it."""

from __future__ import annotations

import json
import os
import re
import secrets
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from processes import carriers, until
from small import edit, make_book

from claimbook.cli import main

PLACE = Path("evidence") / "2.9.1-cpu-gloo" / "demo"

RECEIPTS = ["exercises.json", "sum-is-zero.json", "sum.json"]

HANGS = """\
import os
import time
from pathlib import Path

from claimbook.experiment import Observations, Rank, experiment

if Path("slow-import").exists():
    Path("importing").touch()
    time.sleep(600)


@experiment
def total(rank: Rank, *, start: float = 0) -> Observations:
    if os.fork() == 0:
        os.setsid()
        Path(f"started-{rank.rank}-{start}").touch()
    while True:
        time.sleep(600)
"""


@pytest.fixture
def book(tmp_path: Path) -> Path:
    return make_book(tmp_path / "book")


def status(book: Path, *arguments: str) -> int:
    """Exit status, of argparse too."""
    try:
        return main(["verify", "--root", str(book), *arguments])
    except SystemExit as ending:
        assert isinstance(ending.code, int)
        return ending.code


def receipts(book: Path) -> Mapping[str, tuple[int, int, bytes]]:
    """Inode, time and content of every file of evidence, by its name."""
    files = sorted(path for path in (book / "evidence").rglob("*") if path.is_file())
    return {path.name: (path.stat().st_ino, path.stat().st_mtime_ns, path.read_bytes()) for path in files}


@pytest.mark.ranks
def test_a_claim_that_cannot_run_here_is_remembered_as_such(
    book: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edit(
        book,
        "        expect: {not: {const: 0}}",
        "        needs: {gpus: 64}\n        expect: {not: {const: 0}}",
    )
    # There is no run at all, after whose end the claim could be judged.
    assert status(book, "demo#sum-is-zero") == 0
    (kept,) = receipts(book).values()
    assert json.loads(kept[2])["verdict"] == "not_run"
    capsys.readouterr()
    assert status(book, "--changed", "demo#sum-is-zero") == 0
    assert "no claim run" in capsys.readouterr().out


@pytest.mark.ranks
def test_a_good_book_is_verified_and_remembered(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert status(book) == 0
    out = capsys.readouterr().out
    assert re.search(r"^2 claims: 2 verified\n3 checks, 7 runs, ", out, re.MULTILINE)
    written = receipts(book)
    assert list(written) == RECEIPTS
    # Again: nothing has changed, so nothing is written; with --changed nothing is run either.
    assert status(book) == 0
    capsys.readouterr()
    assert status(book, "--changed") == 0
    assert receipts(book) == written
    assert "evidence of 2 claims was up to date" in capsys.readouterr().out


@dataclass(frozen=True, kw_only=True)
class Told:
    """A verification as a script sees it."""

    status: int
    book: Path
    content: Any
    errors: str

    def check(self, name: str) -> Any:
        """`claim/check` of the only card."""
        claim, _, check = name.partition("/")
        checks = next(one for one in self.content["claims"] if one["id"] == f"demo#{claim}")["checks"]
        return next(one for one in checks if one["id"] == check)


MORE_CLAIMS = """\
  unsure:
    title: {ru: Разное, en: Other things}
    says:
      - {ru: Одно., en: One thing., by: [same, crash, hardware]}
    sources: [sum-code]
    checks:
      same: {run: demo.total, observe: total, expect: {const: 1}, given: {start: 0}, control: {start: 0}}
      crash: {run: demo.total, observe: total, expect: {const: 1}, control: {start: text}}
      hardware: {run: demo.total, observe: total, expect: {const: 1}, needs: cuda, control: {start: 5}}
  far:
    title: {ru: Далеко, en: Far away}
    says:
      - {ru: Там., en: There., by: [only-there]}
    sources: [sum-code]
    checks:
      only-there: {run: demo.total, observe: total, expect: {const: 1}, needs: {gpus: 64}, control: {}}
  idle:
    title: {ru: Ничего, en: Nothing}
    says:
      - {ru: Ничего., en: Nothing., by: [proves-nothing]}
    sources: [sum-code]
    checks:
      proves-nothing: {run: demo.total, observe: total, expect: {type: integer}, control: {start: 5}}
"""


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Told]:
    """One verification with every verdict in it."""
    book = make_book(tmp_path_factory.mktemp("mixed"))
    edit(book, "myths:\n", MORE_CLAIMS + "myths:\n")
    edit(book, "expect: {const: 3}", "expect: {const: 4}")
    process = subprocess.run(
        [sys.executable, "-m", "claimbook", "verify", "--root", str(book), "--format", "json"],
        capture_output=True,
        text=True,
        timeout=120,
    )
    content = json.loads(process.stdout)
    yield Told(status=process.returncode, book=book, content=content, errors=process.stderr)


@pytest.mark.ranks
def test_one_claim_that_does_not_hold_fails_the_run(told: Told) -> None:
    assert told.status == 1
    assert told.content["summary"] == {
        "verified": 1,
        "refuted": 1,
        "unfalsifiable": 1,
        "not_run": 1,
        "stale": 0,
        "error": 1,
    }
    assert {claim["id"]: claim["verdict"] for claim in told.content["claims"]} == {
        "demo#sum": "refuted",
        "demo#unsure": "error",
        "demo#far": "not_run",
        "demo#idle": "unfalsifiable",
        "demo#sum-is-zero": "verified",
    }


@pytest.mark.ranks
def test_scripts_find_the_keys_of_the_contract(told: Told) -> None:
    assert {"torch", "summary", "claims", "seconds"} <= told.content.keys()
    assert told.content["torch"].startswith("2.9.1")
    for claim in told.content["claims"]:
        assert {"id", "verdict", "checks"} <= claim.keys()
        for check in claim["checks"]:
            assert {"id", "verdict", "observed", "control_observed", "seconds"} <= check.keys()
    assert told.check("sum/sum-of-two")["control_observed"] == [11]
    assert told.check("sum/sum-of-two")["seconds"] > 0


@pytest.mark.ranks
@pytest.mark.parametrize(
    ("name", "verdict", "observed", "reason"),
    [
        ("sum/sum-of-two", "verified", 1, ""),
        ("sum/sum-of-three", "refuted", 3, "seen otherwise than expected"),
        ("unsure/same", "unfalsifiable", 1, 'control {"start": 0} meets the expectation too'),
        ("unsure/crash", "error", 1, 'control {"start": "text"}: every rank raised TypeError: '),
        ("unsure/hardware", "not_run", None, "needs CUDA; this runs on the CPU"),
        ("far/only-there", "not_run", None, "needs 64 GPUs; this runs on the CPU"),
        ("idle/proves-nothing", "unfalsifiable", 1, 'control {"start": 5} meets the expectation too'),
    ],
)
def test_each_check_tells_what_was_seen(
    told: Told, name: str, verdict: str, observed: Any, reason: str
) -> None:
    check = told.check(name)
    assert (check["verdict"], check["observed"]) == (verdict, observed)
    assert check["reason"].startswith(reason) and bool(reason) == bool(check["reason"])


@pytest.mark.ranks
def test_what_does_not_hold_leaves_a_receipt_too(told: Told) -> None:
    kept = json.loads((told.book / PLACE / "sum.json").read_bytes())
    assert kept["verdict"] == "refuted"
    assert kept["checks"]["sum-of-three"]["observed"] == 3


@pytest.mark.ranks
def test_a_dry_run_shows_what_was_seen_and_writes_nothing(
    book: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edit(book, "expect: {const: 3}", "expect: {const: 4}")
    assert status(book, "demo#sum", "--dry-run") == 1
    out = capsys.readouterr().out
    assert "demo#sum  refuted" in out
    assert "demo#sum-is-zero" not in out
    told = out.partition("sum-of-three")[2].partition("sum-of-two")[0]
    assert re.search(r"expect.*4", told) and re.search(r"(seen|saw|observed|total).*3", told)
    assert not (book / "evidence").exists()


def test_a_card_with_errors_is_not_run(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edit(book, "run: demo.total\n        ranks: 3", "run: demo.gone\n        ranks: 3")
    assert status(book) == 1
    errors = capsys.readouterr().err
    assert "error[CB017]: verifiers/demo.py has no experiment `gone`" in errors
    assert "claimbook: not run, because of the errors above: concepts/demo.yml" in errors
    assert not (book / "evidence").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["dem"], "'dem' names nothing in this book\n  help: did you mean demo"),
        (["demo#sums"], "'demo#sums' names nothing in this book\n  help: did you mean demo#sum"),
        (["demo#sum/none"], "'demo#sum/none' names nothing in this book"),
        (["--jobs", "0"], "--jobs: invalid positive number value: '0'"),
        (["--timeout", "-1"], "--timeout: invalid positive number value: '-1'"),
        (["--format", "xml"], "--format: invalid choice: 'xml'"),
    ],
)
def test_wrong_usage(
    book: Path, capsys: pytest.CaptureFixture[str], arguments: Sequence[str], message: str
) -> None:
    assert status(book, *arguments) == 2
    assert message in capsys.readouterr().err


def test_without_the_package_it_says_how_to_get_it(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edit(book, 'package = "torch"', 'package = "nowhere"', name="pyproject.toml")
    assert status(book) == 3
    assert capsys.readouterr().err == (
        "claimbook: nowhere is not installed\n  help: pip install 'claimbook[verify]', or make verify\n"
    )


@pytest.mark.ranks
def test_a_folder_that_cannot_be_written_stops_the_run(
    book: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (book / "evidence").write_text("", "utf-8")
    assert status(book) == 3
    assert "claimbook: cannot write " in capsys.readouterr().err


@dataclass(frozen=True, kw_only=True)
class Started:
    """A command line in a process of its own, and how to find what it starts."""

    process: subprocess.Popen[str]
    token: str
    temporary: Path


def start(book: Path) -> Started:
    """`claimbook verify` with a folder for temporary files that is nobody else's."""
    token, temporary = secrets.token_hex(16), book.parent / secrets.token_hex(4)
    temporary.mkdir()
    process = subprocess.Popen(
        [sys.executable, "-m", "claimbook", "verify", "--root", str(book)],
        env={**os.environ, "CLAIMBOOK_TEST": token, "TMPDIR": str(temporary)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    return Started(process=process, token=token, temporary=temporary)


@pytest.mark.ranks
@pytest.mark.parametrize(
    ("number", "exit_status", "words"),
    [
        (signal.SIGINT, 130, "claimbook: interrupted\n"),
        (signal.SIGTERM, -signal.SIGTERM, ""),
        (signal.SIGKILL, -signal.SIGKILL, ""),
    ],
)
def test_a_signal_in_the_middle_leaves_nothing(
    book: Path, number: signal.Signals, exit_status: int, words: str
) -> None:
    (book / "verifiers" / "demo.py").write_text(HANGS, "utf-8")
    started = start(book)
    assert until(lambda: len(list(book.glob("started-*"))) >= 2, within=60)
    assert len(carriers(started.token)) >= 6
    _end(started, number, exit_status, words)
    assert receipts(book) == {}


@pytest.mark.ranks
@pytest.mark.parametrize(
    ("moment", "number", "exit_status", "words"),
    [
        ("torch is imported", signal.SIGKILL, -signal.SIGKILL, ""),
        ("an experiment is imported", signal.SIGKILL, -signal.SIGKILL, ""),
        ("an experiment is imported", signal.SIGINT, 130, "claimbook: interrupted\n"),
    ],
)
def test_so_does_one_at_the_start(
    book: Path, moment: str, number: signal.Signals, exit_status: int, words: str
) -> None:
    (book / "verifiers" / "demo.py").write_text(HANGS, "utf-8")
    (book / "slow-import").touch()
    started = start(book)
    if moment == "torch is imported":
        assert until(lambda: len(carriers(started.token)) > 1, within=60)
    else:
        assert until((book / "importing").exists, within=60)
    _end(started, number, exit_status, words)


def _end(started: Started, number: signal.Signals, exit_status: int, words: str) -> None:
    started.process.send_signal(number)
    _, errors = started.process.communicate(timeout=30)
    assert started.process.returncode == exit_status
    assert errors.endswith(words) and "Traceback" not in errors
    assert until(lambda: not carriers(started.token)), carriers(started.token)
    assert list(started.temporary.iterdir()) == []


@pytest.mark.ranks
def test_two_at_once_on_one_book_both_end_well(book: Path) -> None:
    both = [start(book), start(book)]
    for started in both:
        out, errors = started.process.communicate(timeout=120)
        assert started.process.returncode == 0, errors
        assert "2 claims: 2 verified" in out
        assert list(started.temporary.iterdir()) == []
    written = receipts(book)
    assert list(written) == RECEIPTS
    assert all(json.loads(content)["version"] for _, _, content in written.values())
