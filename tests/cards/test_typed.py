"""The typed card has what the file says, and what it leaves to the defaults."""

from __future__ import annotations

from pathlib import Path

import pytest
from small import edit, make_book

from claimbook.cards import load_book
from claimbook.cards.card import Book, Needs
from claimbook.settings import load_settings


def loaded(book: Path) -> Book:
    """The book, in which nothing is wrong."""
    made, problems = load_book(load_settings(book))
    assert problems == ()
    return made


def test_a_concept(tmp_path: Path) -> None:
    card = loaded(make_book(tmp_path)).concepts["demo"]
    assert (card.id, card.path, card.abbr, card.aliases) == (
        "demo",
        Path("concepts/demo.yml"),
        "EX",
        ("sample",),
    )
    claim = card.claims["sum"]
    assert claim.says[0].by == ("sum-of-two", "sum-code/all-reduce")
    assert claim.limits[0].text["en"] == "With three ranks the sum is 3."
    assert claim.checks["sum-of-two"].controls == ({"start": 5},)
    assert claim.checks["sum-of-three"].controls == ({"start": 1}, {"start": 2})
    assert card.sources["sum-code"].passages["all-reduce"].lines == (2845, 2846)
    assert [(one.to, one.kind) for one in card.relations] == [("other", "uses")]
    assert card.catalog[0].gpu == "demo-gpu"


def test_what_a_check_leaves_out(tmp_path: Path) -> None:
    check = loaded(make_book(tmp_path)).concepts["demo"].myths["sum-is-zero"].checks["not-zero"]
    assert (check.ranks, check.given, check.needs, check.across_ranks, check.timeout) == (
        2,
        {},
        None,
        False,
        None,
    )


@pytest.mark.parametrize(
    ("written", "needs"),
    [
        ("cuda", Needs(cuda=True, nccl=False)),
        ("nccl", Needs(cuda=True, nccl=True)),
        ("{gpus: 4}", Needs(cuda=True, nccl=False, gpus=4)),
    ],
)
def test_needs(tmp_path: Path, written: str, needs: Needs) -> None:
    book = edit(make_book(tmp_path), "ranks: 3", f"ranks: 3\n        needs: {written}")
    assert loaded(book).concepts["demo"].claims["sum"].checks["sum-of-three"].needs == needs


def test_a_course_and_a_gpu(tmp_path: Path) -> None:
    book = loaded(make_book(tmp_path))
    course, gpu = book.courses["demo-course"], book.gpus["demo-gpu"]
    assert (course.provider, course.access, course.note) == ("Somebody", "free", None)
    assert (gpu.figures["memory_gb"].value, gpu.figures["memory_gb"].vendor) == (80, True)
