"""Permalinks of sources and the addresses that a book names."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from claimbook.cards.card import Passage, Source
from claimbook.settings import Settings, load_settings
from claimbook.sources import permalink

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
