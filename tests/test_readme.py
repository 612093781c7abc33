"""The README says what the program says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from claimbook.cards import load_book
from claimbook.cli import main
from claimbook.settings import load_settings
from claimbook.verdicts.evidence import subjects

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")


def test_the_help_block_is_what_the_program_prints(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit):
        main(["--help"])
    block = re.search(r"<!-- help: .*? -->\n```text\n(.*?)```", README, re.S)
    assert block is not None
    assert block[1] == capsys.readouterr().out


def test_the_card_shown_is_a_part_of_the_real_one() -> None:
    block = re.search(r"```yaml\n(.*?)```", README, re.S)
    assert block is not None
    shown = yaml.safe_load(block[1])["claims"]["reshard-after-forward"]
    book, _ = load_book(load_settings(ROOT))
    written = book.concepts["fsdp2"].data["claims"]["reshard-after-forward"]
    assert shown["checks"].items() <= written["checks"].items()
    assert all(sentence in written["says"] for sentence in shown["says"])


def test_the_figures_of_the_first_card_are_its_own() -> None:
    book, _ = load_book(load_settings(ROOT))
    card = book.concepts["fsdp2"]
    checks = sum(len(subject.checks) for _, subject in subjects(book))
    assert (len(card.claims), len(card.myths)) == (4, 4)
    assert f"four claims, four myths, {checks} checks" in README
