"""Permalinks of sources and the addresses that a book names."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from claimbook.cards import load_book
from claimbook.cards.card import Passage, Source
from claimbook.settings import Settings, load_settings
from claimbook.sources import permalink
from claimbook.sources.links import in_text, links

ROOT = Path(__file__).parents[2]
BASE = "https://github.com/pytorch/pytorch/blob/v2.9.1/"
SOURCE = Source(
    id="shard",
    kind="docs",
    title="Shard",
    url="https://docs.pytorch.org/docs/2.9/distributed.tensor.html",
    file="torch/a b.py",
    line=50,
)


@pytest.fixture(scope="module")
def settings() -> Settings:
    return load_settings(ROOT)


def passage(first: int, last: int) -> Passage:
    return Passage(id="part", lines=(first, last), sha256="")


PERMALINKS = (
    # the definition, several lines, one line; the path is encoded
    (SOURCE, None, BASE + "torch/a%20b.py#L50"),
    (SOURCE, passage(3, 5), BASE + "torch/a%20b.py#L3-L5"),
    (SOURCE, passage(3, 3), BASE + "torch/a%20b.py#L3"),
    (replace(SOURCE, line=None), None, BASE + "torch/a%20b.py"),
    # code of another repository stays there
    (
        replace(
            SOURCE, kind="code", url="https://github.com/pytorch/torchtitan/blob/v0.2.0/x.py", file="x.py"
        ),
        passage(1, 2),
        "https://github.com/pytorch/torchtitan/blob/v0.2.0/x.py#L1-L2",
    ),
    # nothing better than the address
    (replace(SOURCE, file=None), None, SOURCE.url),
)


@pytest.mark.parametrize(("source", "part", "expected"), PERMALINKS)
def test_permalink(settings: Settings, source: Source, part: Passage | None, expected: str) -> None:
    assert permalink(settings, source, part) == expected


TEXTS: tuple[tuple[str, list[str]], ...] = (
    ("see https://a.example/x.", ["https://a.example/x"]),
    ("(https://a.example/x_(y)), then", ["https://a.example/x_(y)"]),
    (
        "[name](https://a.example/x)s and **https://b.example/**",
        ["https://a.example/x", "https://b.example/"],
    ),
    ("«https://a.example/путь»", ["https://a.example/путь"]),
    ("`https://a.example/code` and <https://b.example>", ["https://a.example/code", "https://b.example"]),
    ("no address: http:/ or https", []),
)


@pytest.mark.parametrize(("text", "expected"), TEXTS, ids=[row[0] for row in TEXTS])
def test_addresses_in_a_text(text: str, expected: list[str]) -> None:
    assert list(in_text(text)) == expected


def test_every_address_of_the_book_with_its_place() -> None:
    settings = load_settings(ROOT)
    book, _ = load_book(settings)
    found = {(link.card.id, link.pointer): link.url for link in links(book, settings)}
    assert found["fsdp2", ("sources", "shard-placement", "file")] == (
        BASE + "torch/distributed/tensor/placement_types.py#L50"
    )
    assert found["fsdp2", ("sources", "fully-shard", "url")].startswith(settings.docs)
    assert "pytorch.org/tutorials" in found["pytorch-fsdp2-tutorial", ("url",)]
    assert ("h100-sxm", ("figures", "memory_gb", "source")) in found
