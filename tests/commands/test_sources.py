"""`claimbook sources`: what a person reads, and the exit status."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from claimbook.cli import main
from claimbook.commands import sources

ROOT = Path(__file__).parents[2]


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """A copy of the book's cards and settings."""
    for name in ("concepts", "courses", "catalog", "verifiers"):
        shutil.copytree(ROOT / name, tmp_path / name)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def edit(root: Path, before: str, after: str) -> None:
    card = root / "concepts" / "fsdp2.yml"
    text = card.read_text("utf-8")
    assert before in text
    card.write_text(text.replace(before, after, 1), "utf-8")


@pytest.mark.ranks
def test_the_book_is_as_the_installed_package(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sources", "--offline", "--root", str(ROOT)]) == 0
    assert "the installed torch is v2.9.1: 2 symbols, 7 passages, all as pinned" in capsys.readouterr().out


def test_without_the_package_only_pins_are_checked(
    book: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "installed", lambda package: None)
    assert main(["sources", "--offline", "--root", str(book)]) == 0
    assert capsys.readouterr().out == "torch is not installed: symbols and passages were not checked\n"


def test_a_moving_address_is_refused(
    book: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "installed", lambda package: None)
    edit(book, "docs/2.9/distributed.fsdp", "docs/stable/distributed.fsdp")
    assert main(["sources", "--offline", "--root", str(book)]) == 1
    out = capsys.readouterr().out
    assert "error[CB020]: the address is not pinned" in out
    assert "help: write https://docs.pytorch.org/docs/2.9/distributed.fsdp.fully_shard.html" in out


def test_a_card_that_is_not_well_formed_is_never_passed_over(
    book: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "installed", lambda package: None)
    edit(book, "id: fsdp2", "id: fsdp2\nid: fsdp2")
    assert main(["sources", "--offline", "--root", str(book)]) == 1
    assert "not well formed and left out: fsdp2; see `claimbook check`" in capsys.readouterr().out


def test_a_record_needs_the_network(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sources", "--offline", "--record", "--root", str(book)]) == 2
    assert "--record keeps what --offline does not ask" in capsys.readouterr().err
