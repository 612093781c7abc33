"""Receipts on disk: the same bytes for the same content, and nothing half written."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from small import edit, make_book

from claimbook.cards import Book, load_book
from claimbook.errors import CannotRun
from claimbook.settings import Settings, load_settings
from claimbook.verdicts.digest import Digests
from claimbook.verdicts.evidence import (
    Observed,
    evidence_file,
    exercises,
    load_evidence,
    prune,
    read_claim,
    subjects,
    write_claim,
    write_exercises,
)
from claimbook.verdicts.verdict import CheckEvidence, ClaimEvidence, ControlSeen, Environment, Verdict

COMMIT = "5811a8d7da873dd699ff6687092c225caffcf1bb"
HERE = Environment(torch="2.9.1", commit=COMMIT, device="cpu", backend="gloo")
CLAIM = "demo#sum"

RECEIPT = """\
{
  "checks": {
    "sum-of-two": {
      "controls": [
        {
          "failed": true,
          "given": {
            "start": 5
          },
          "observed": [
            6,
            7
          ]
        }
      ],
      "expect": {
        "const": 1
      },
      "given": {
        "где": "тут"
      },
      "observations": {
        "shape": [
          2
        ],
        "total": 1
      },
      "observe": "total",
      "observed": 1,
      "ranks": 2,
      "ranks_agree": true,
      "reason": "",
      "run": "demo.total",
      "verdict": "verified"
    }
  },
  "claim": "demo#sum",
  "date": "2026-01-02",
  "digest": "DIGEST",
  "environment": {
    "backend": "gloo",
    "commit": "5811a8d7da873dd699ff6687092c225caffcf1bb",
    "device": "cpu",
    "torch": "2.9.1"
  },
  "seal": "SEAL",
  "verdict": "verified",
  "version": 1
}
"""


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return load_settings(make_book(tmp_path))


@pytest.fixture
def book(settings: Settings) -> Book:
    return load_book(settings)[0]


@pytest.fixture
def place(settings: Settings) -> Path:
    return settings.root / "evidence" / HERE.folder


@pytest.fixture
def claim(settings: Settings, book: Book) -> ClaimEvidence:
    """Evidence of the claim as it stands in the card."""
    check = CheckEvidence(
        id="sum-of-two",
        verdict=Verdict.VERIFIED,
        run="demo.total",
        ranks=2,
        given={"где": "тут"},
        observe="total",
        expect={"const": 1},
        observed=1,
        controls=(ControlSeen(given={"start": 5}, observed=[6, 7], failed=True),),
        observations={"total": 1, "shape": [2]},
    )
    return ClaimEvidence(
        claim=CLAIM,
        verdict=Verdict.VERIFIED,
        environment=HERE,
        digest=Digests(settings.root).of(dict(subjects(book))[CLAIM], HERE),
        date="2026-01-02",
        checks={check.id: check},
    )


@pytest.fixture
def answer(settings: Settings, book: Book) -> Observed:
    """The answer of the exercise as it stands in the card."""
    exercise = dict(exercises(book))["demo#how-much"]
    return Observed(
        run="demo.total",
        ranks=2,
        given={},
        observe="total",
        value=[1, 2],
        observations=[{"total": 1}, {"total": 2}],
        digest=Digests(settings.root).of(exercise, HERE),
    )


def files(folder: Path) -> list[str]:
    """All files below the folder, hidden ones too."""
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def seal(content: Any) -> str:
    """The fingerprint of all but the date, as another program would make it."""
    sealed = {key: value for key, value in content.items() if key not in ("date", "seal")}
    text = json.dumps(sealed, sort_keys=True, indent=2, ensure_ascii=False) + "\n"
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


def test_the_bytes_are_canonical(place: Path, claim: ClaimEvidence) -> None:
    assert write_claim(place, claim)
    receipt = RECEIPT.replace("DIGEST", claim.digest)
    receipt = receipt.replace("SEAL", seal(json.loads(receipt)))
    assert evidence_file(place, CLAIM).read_text("utf-8") == receipt
    assert files(place) == ["demo/sum.json"]


def test_what_is_written_is_read_again(
    settings: Settings, book: Book, place: Path, claim: ClaimEvidence, answer: Observed
) -> None:
    failing = replace(claim.checks["sum-of-two"], id="sum-of-three", detail="Traceback …", reason="rank 1 …")
    both = replace(claim, checks={**claim.checks, failing.id: failing})
    write_claim(place, both)
    write_exercises(place, "demo", {"how-much": answer}, environment=HERE, date="2026-01-02")
    (loaded,) = load_evidence(settings, book)
    assert loaded.environment == HERE
    assert loaded.claims == {CLAIM: both}
    assert loaded.exercises == {"demo#how-much": answer}


def test_seconds_are_not_kept(place: Path, claim: ClaimEvidence) -> None:
    slow = replace(claim.checks["sum-of-two"], seconds=9.0)
    write_claim(place, replace(claim, checks={slow.id: slow}))
    assert read_claim(evidence_file(place, CLAIM)) == claim


def test_another_date_alone_is_not_written(place: Path, claim: ClaimEvidence, answer: Observed) -> None:
    assert write_claim(place, claim)
    before = evidence_file(place, CLAIM).stat()
    assert not write_claim(place, replace(claim, date="2026-02-03"))
    after = evidence_file(place, CLAIM).stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    answers = {"how-much": answer}
    assert write_exercises(place, "demo", answers, environment=HERE, date="2026-01-02")
    assert not write_exercises(place, "demo", answers, environment=HERE, date="2026-02-03")


@pytest.mark.parametrize(
    "change",
    [
        {"digest": "other"},
        {"verdict": Verdict.REFUTED},
        {"environment": replace(HERE, commit="other")},
    ],
)
def test_any_other_difference_is(place: Path, claim: ClaimEvidence, change: dict[str, Any]) -> None:
    write_claim(place, claim)
    newer = replace(claim, date="2026-02-03", **change)
    assert write_claim(place, newer)
    assert read_claim(evidence_file(place, CLAIM)) == newer


def test_true_is_not_written_over_as_if_it_were_1(place: Path, claim: ClaimEvidence) -> None:
    write_claim(place, claim)
    seen = replace(claim.checks["sum-of-two"], observed=True)
    assert write_claim(place, replace(claim, checks={seen.id: seen}))
    observed = json.loads(evidence_file(place, CLAIM).read_bytes())["checks"]["sum-of-two"]["observed"]
    assert observed is True


def test_a_file_in_another_layout_is_put_right(place: Path, claim: ClaimEvidence) -> None:
    write_claim(place, claim)
    file = evidence_file(place, CLAIM)
    right = file.read_bytes()
    file.write_text(json.dumps(json.loads(right)), "utf-8")
    assert write_claim(place, claim)
    assert file.read_bytes() == right


def test_evidence_about_another_text_is_stale(
    settings: Settings, place: Path, claim: ClaimEvidence, answer: Observed
) -> None:
    write_claim(place, claim)
    write_exercises(place, "demo", {"how-much": answer}, environment=HERE, date="2026-01-02")
    edit(settings.root, "The sum of the numbers", "A sum of the numbers")
    edit(settings.root, "What is the sum?", "What is a sum?")
    (loaded,) = load_evidence(settings, load_book(settings)[0])
    stale = loaded.claims[CLAIM]
    assert (stale.verdict, stale.checks["sum-of-two"].verdict) == ("stale", "stale")
    assert stale.checks["sum-of-two"].observed == 1
    assert loaded.exercises["demo#how-much"].stale


def test_evidence_of_the_version_from_another_commit_is_stale(
    settings: Settings, book: Book, place: Path, claim: ClaimEvidence
) -> None:
    other = replace(HERE, commit="0" * 40)
    digest = Digests(settings.root).of(dict(subjects(book))[CLAIM], other)
    write_claim(place, replace(claim, environment=other, digest=digest))
    assert load_evidence(settings, book)[0].claims[CLAIM].verdict == "stale"


def test_evidence_of_another_release_stands_in_its_own_folder(
    settings: Settings, book: Book, place: Path, claim: ClaimEvidence
) -> None:
    other = replace(HERE, torch="2.10.0", commit="0" * 40)
    digest = Digests(settings.root).of(dict(subjects(book))[CLAIM], other)
    write_claim(place, claim)
    write_claim(place.parent / other.folder, replace(claim, environment=other, digest=digest))
    loaded = load_evidence(settings, book)
    assert [(one.environment.torch, one.claims[CLAIM].verdict) for one in loaded] == [
        ("2.10.0", "verified"),
        ("2.9.1", "verified"),
    ]


def other(**change: Any) -> Callable[[Any], Any]:
    """The content with some of its members replaced, sealed anew: what is wrong is the form alone."""
    return lambda content: json.dumps({**content, **change, "seal": seal({**content, **change})}).encode()


ANY_FILE: list[Callable[[Any], bytes]] = [
    # A merge conflict, an editor's slip, another version, another program.
    lambda _: b"<<<<<<< HEAD\n{}\n",
    lambda _: b"",
    lambda _: b"\xff\xfe",
    lambda _: b"[" * 100_000,
    lambda _: b"[1]",
    lambda _: b"{}",
    other(text="\ud800"),
    other(version=0),
    other(version=99),
    other(environment={}),
    other(environment=[]),
    other(environment=None),
]
OF_CLAIM = [
    other(verdict="maybe"),
    other(checks=[]),
    other(checks=None),
    other(checks={"a": 1}),
    other(checks={"a": {"verdict": "verified"}}),
    other(checks={"a": {"verdict": "verified", "controls": [1]}}),
]
OF_EXERCISES = [other(exercises=5), other(exercises={"how-much": {}}), other(exercises={"how-much": 3})]


@pytest.mark.parametrize("damage", [*ANY_FILE, *OF_CLAIM])
def test_a_claim_that_cannot_be_read_counts_as_missing(
    settings: Settings, book: Book, place: Path, claim: ClaimEvidence, damage: Callable[[Any], bytes]
) -> None:
    write_claim(place, claim)
    whole = _damage(evidence_file(place, CLAIM), damage)
    assert load_evidence(settings, book) == ()
    assert write_claim(place, claim)
    assert evidence_file(place, CLAIM).read_bytes() == whole


@pytest.mark.parametrize("damage", [*ANY_FILE, *OF_EXERCISES])
def test_an_answer_that_cannot_be_read_counts_as_missing(
    settings: Settings, book: Book, place: Path, answer: Observed, damage: Callable[[Any], bytes]
) -> None:
    def write() -> bool:
        return write_exercises(place, "demo", {"how-much": answer}, environment=HERE, date="2026-01-02")

    write()
    whole = _damage(place / "demo" / "exercises.json", damage)
    assert load_evidence(settings, book) == ()
    assert write()
    assert (place / "demo" / "exercises.json").read_bytes() == whole


@pytest.mark.parametrize(
    ("old", "new"),
    [
        # A verdict, a value that was seen, a digest: typed in by hand, none is a receipt of a run.
        (b'"observed": 1,', b'"observed": 2,'),
        (b'"verdict": "verified",\n  "version"', b'"verdict": "stale",\n  "version"'),
        (b'"failed": true', b'"failed": false'),
        (b'"seal": "', b'"seal": "0'),
    ],
)
def test_what_other_hands_have_changed_counts_as_missing(
    settings: Settings, book: Book, place: Path, claim: ClaimEvidence, old: bytes, new: bytes
) -> None:
    write_claim(place, claim)
    file = evidence_file(place, CLAIM)
    assert file.read_bytes().count(old) == 1
    file.write_bytes(file.read_bytes().replace(old, new))
    assert load_evidence(settings, book) == ()


def _damage(file: Path, damage: Callable[[Any], bytes]) -> bytes:
    """Damage the file; returns what was in it."""
    whole = file.read_bytes()
    file.write_bytes(damage(json.loads(whole)))
    return whole


def test_there_is_none_where_there_is_no_folder(settings: Settings, book: Book) -> None:
    assert load_evidence(settings, book) == ()


def test_what_is_no_evidence_is_passed_by(
    settings: Settings, book: Book, place: Path, claim: ClaimEvidence
) -> None:
    write_claim(place, claim)
    (place.parent / "links.json").write_text("{}", "utf-8")
    (place.parent / ".hidden").mkdir()
    (place / "demo" / "gone.json").write_text(RECEIPT, "utf-8")
    assert [list(one.claims) for one in load_evidence(settings, book)] == [[CLAIM]]


def test_what_the_book_no_longer_has_is_deleted(
    settings: Settings, book: Book, place: Path, claim: ClaimEvidence
) -> None:
    write_claim(place, claim)
    for name in ("demo#gone", "gone#sum", "broken#sum", "demo#exercises"):
        write_claim(place, replace(claim, claim=name))
    prune(place, replace(book, broken=frozenset({"broken"})))
    assert files(place) == ["broken/sum.json", "demo/exercises.json", "demo/sum.json"]


@pytest.mark.parametrize("obstacle", ["a file where the folder goes", "a folder where the file goes"])
def test_what_cannot_be_written_stops_the_run(place: Path, claim: ClaimEvidence, obstacle: str) -> None:
    file = evidence_file(place, CLAIM)
    if obstacle == "a file where the folder goes":
        file.parent.parent.mkdir(parents=True)
        file.parent.write_text("", "utf-8")
    else:
        file.mkdir(parents=True)
    with pytest.raises(CannotRun, match=f"cannot write {file}: "):
        write_claim(place, claim)
    assert [name for name in files(place) if name != "demo"] == []


def test_a_disk_that_is_full_leaves_the_old_file(
    place: Path, claim: ClaimEvidence, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_claim(place, claim)
    before = evidence_file(place, CLAIM).read_bytes()

    def full(self: Path, data: bytes) -> int:
        self.touch()
        raise OSError(28, os.strerror(28))

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", full)
        with pytest.raises(CannotRun, match="No space left on device"):
            write_claim(place, replace(claim, digest="other"))
    assert evidence_file(place, CLAIM).read_bytes() == before
    assert files(place) == ["demo/sum.json"]
