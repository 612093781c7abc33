"""Which addresses of sources are pinned, and which address would be."""

from __future__ import annotations

from pathlib import Path

import pytest

from claimbook.cards.card import Source
from claimbook.cards.pin import pin_problem
from claimbook.settings import load_settings

ROOT = Path(__file__).parents[2]
DOCS = "https://docs.pytorch.org/docs"
CODE = "https://github.com/pytorch/pytorch/blob"
COMMIT = "5811a8d7da873dd699ff6687092c225caffcf1bb"

PINNED = (
    ("docs", f"{DOCS}/2.9/x.html#torch.x"),
    ("code", f"{CODE}/v2.9.1/torch/x.py#L1-L2"),
    ("code", f"{CODE}/{COMMIT}/torch/x.py"),
    # another repository at a tag of its own
    ("code", "https://github.com/pytorch/torchtitan/blob/v0.2.0/x.py"),
    ("paper", "https://arxiv.org/abs/2304.11277v2"),
    ("paper", "https://arxiv.org/pdf/2304.11277v2.pdf"),
    ("paper", "https://doi.org/10.14778/3611540.3611569"),
    ("release-notes", "https://github.com/pytorch/pytorch/releases/tag/v2.9.1"),
    ("issue", "https://github.com/pytorch/pytorch/issues/114299"),
)


@pytest.mark.parametrize(("kind", "url"), PINNED)
def test_pinned(kind: str, url: str) -> None:
    source = Source(id="x", kind=kind, title="x", url=url)
    assert pin_problem(source, load_settings(ROOT)) is None


MOVING = (
    ("docs", f"{DOCS}/stable/x.html#y", "`stable` is another release", f"write {DOCS}/2.9/x.html#y"),
    ("docs", f"{DOCS}/main/x.html", "`main` is another release", f"write {DOCS}/2.9/x.html"),
    ("docs", f"{DOCS}/2.8/x.html", "`2.8` is not 2.9", f"write {DOCS}/2.9/x.html"),
    # where the documentation stood before
    ("docs", "https://pytorch.org/docs/stable/x.html", "`stable`", f"write {DOCS}/2.9/x.html"),
    ("docs", "https://example.org/x.html", "is not documentation of release 2.9", f"{DOCS}/2.9/"),
    ("code", f"{CODE}/main/x.py#L1", "`main` is not v2.9.1", f"write {CODE}/v2.9.1/x.py#L1"),
    ("code", f"{CODE}/v2.9.0/x.py", "`v2.9.0` is not v2.9.1", f"write {CODE}/v2.9.1/x.py"),
    ("code", "https://github.com/pytorch/pytorch", "names no file at a tag", f"{CODE}/v2.9.1/"),
    ("code", "https://github.com/pytorch/torchtitan/blob/main/x.py", "`main` moves", "name a tag"),
    ("code", "https://github.com/pytorch/torchtitan/blob/HEAD/x.py", "`HEAD` moves", "name a tag"),
    ("paper", "https://arxiv.org/abs/2304.11277", "names no version", "https://arxiv.org/abs/2304.11277v1"),
    ("release-notes", "https://github.com/pytorch/pytorch/releases/latest", "`latest` moves", "name a tag"),
    ("issue", "https://me:secret@github.com/x", "holds a user name or a password", "before the `@`"),
)


@pytest.mark.parametrize(("kind", "url", "message", "help"), MOVING, ids=[row[1] for row in MOVING])
def test_not_pinned(kind: str, url: str, message: str, help: str) -> None:
    problem = pin_problem(Source(id="x", kind=kind, title="x", url=url), load_settings(ROOT))
    assert problem is not None
    assert message in problem[0]
    assert help in problem[1]
