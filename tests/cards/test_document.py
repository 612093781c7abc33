"""Reading YAML: never a traceback, whatever the bytes."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from small import CARD, make_book, problems

from claimbook.cards.document import read_document
from claimbook.diagnostics import Position


def test_every_node_has_its_place(tmp_path: Path) -> None:
    file = tmp_path / "card.yml"
    file.write_text("a: {b: [1, 'x']}\nc:\n  - d: null\n")
    document, found = read_document(file, file)
    assert found == []
    assert document is not None
    assert document.data == {"a": {"b": [1, "x"]}, "c": [{"d": None}]}
    assert document.positions == {
        ("a",): Position(line=1, column=1),
        ("a", "b"): Position(line=1, column=5),
        ("a", "b", 0): Position(line=1, column=9),
        ("a", "b", 1): Position(line=1, column=12),
        ("c",): Position(line=2, column=1),
        ("c", 0): Position(line=3, column=5),
        ("c", 0, "d"): Position(line=3, column=5),
    }
    assert document.position(("a", "b", 7)) == Position(line=1, column=5)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: true", True),
        ("a: 12", 12),
        ("a: -1.5e3", -1500.0),
        ("a: '12'", "12"),
        ("a: ~", None),
        ("a: 1e", "1e"),  # no number
        ("a: .5", ".5"),  # YAML 1.1 would read a number
        ("a: 12345678901234567890", "12345678901234567890"),  # more digits than JSON readers keep
    ],
)
def test_plain_scalars(tmp_path: Path, text: str, value: object) -> None:
    file = tmp_path / "card.yml"
    file.write_text(text)
    document, _ = read_document(file, file)
    assert document is not None
    assert document.data == {"a": value}


def test_damaged_cards_are_reported_and_never_raise(tmp_path: Path) -> None:
    book = make_book(tmp_path)
    chance = random.Random(0)
    for _ in range(300):
        card = bytearray(CARD.encode())
        for _ in range(chance.randint(1, 4)):
            at = chance.randrange(len(card))
            match chance.randrange(4):
                case 0:
                    del card[at : at + chance.randint(1, 30)]
                case 1:
                    card[at:at] = card[at : at + 40]
                case 2:
                    card[at] = chance.randrange(256)
                case _:
                    card[at:at] = chance.choice(
                        [b":", b"\n", b"  ", b"- ", b"{", b"]", b"'", b"|", b"&a ", b"*a"]
                    )
        (book / "concepts" / "demo.yml").write_bytes(card)
        for problem in problems(book):
            assert problem.position.line >= 1
            assert problem.message
