"""Fingerprints of passages, and where a passage is now."""

from __future__ import annotations

import hashlib

from claimbook.cards.card import Passage
from claimbook.sources.passage import fingerprint, missing, nearest, places

TEXT = ["one", "    two  words", "three", "one", "two words", "end"]


def passage(first: int, last: int, *has: str) -> Passage:
    return Passage(id="part", lines=(first, last), has=has, sha256=fingerprint(["one", "two words"]))


def test_a_fingerprint_is_of_the_normal_lines() -> None:
    expected = hashlib.sha256(b"two words\nthree").hexdigest()
    assert fingerprint(["\ttwo \t words  ", "three"]) == expected


def test_the_nearest_place_comes_first() -> None:
    assert list(places(TEXT, passage(5, 6))) == [(4, 5), (1, 2)]
    assert list(places(TEXT, passage(1, 2))) == [(1, 2), (4, 5)]
    assert list(places(TEXT, passage(1, 1))) == []


def test_telling_words_may_span_lines() -> None:
    assert missing(TEXT, passage(1, 2, "one two", "words three", "four")) == ["four"]


def test_where_a_telling_word_stands() -> None:
    assert nearest(TEXT, passage(6, 6, "two words")) == 5
    assert nearest(TEXT, passage(6, 6, "four")) is None
