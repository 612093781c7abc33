"""`--pin`: what the installed package knows goes into the card; what was read by a person stays."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_book import SOURCE, write_book, write_package

from claimbook.cli import main
from claimbook.sources.fill import Filled, filled
from claimbook.sources.symbol import Package

SHA256 = SOURCE.partition("sha256: ")[2].strip()
PINS = """\
    symbol: kit.Hammer
    file: kit/_tools.py
    line: 4
"""
PASSAGE = f"""\
        lines: [8, 9]
        has: [strikes nails]
        sha256: {SHA256}
"""


@pytest.fixture
def package(tmp_path: Path) -> Package:
    return Package(write_package(tmp_path))


def fill(root: Path, package: Package, *, before: str, after: str) -> tuple[Filled, str]:
    """Fill in the card with some of its text taken away; returns the whole card as well."""
    card = root / "concepts" / "hammer.yml"
    whole = card.read_text("utf-8")
    assert before in whole
    card.write_text(whole.replace(before, after), "utf-8")
    return filled(card, card.relative_to(root), package), whole


FILLS = (
    # nothing to do
    (PINS, PINS, ()),
    # the place of the symbol
    (PINS, "    symbol: kit.Hammer\n", ("hammer.file", "hammer.line")),
    ("    line: 4\n", "    line: 7\n", ("hammer.line",)),
    ("    file: kit/_tools.py\n", "    file: kit/old.py\n", ("hammer.file",)),
    # the symbol is the title
    (PINS, "", ("hammer.symbol", "hammer.file", "hammer.line")),
    # a passage whose lines were chosen; one that has moved
    (f"        sha256: {SHA256}\n", "", ("hammer.passages.strikes.sha256",)),
    ("[8, 9]", "[5, 6]", ("hammer.passages.strikes.lines",)),
)


@pytest.mark.parametrize(("before", "after", "done"), FILLS, ids=[str(row[2]) for row in FILLS])
def test_what_is_missing_is_filled_in(
    tmp_path: Path, package: Package, before: str, after: str, done: tuple[str, ...]
) -> None:
    result, whole = fill(write_book(tmp_path), package, before=before, after=after)
    assert (result.done, result.left) == (done, ())
    assert result.text == whole


def test_lines_are_found_by_their_words(tmp_path: Path, package: Package) -> None:
    root = write_book(tmp_path)
    after = "        has: [strikes nails, the head]  # words\n"
    result, _ = fill(root, package, before=PASSAGE, after=after)
    assert result.done == ("hammer.passages.strikes.sha256", "hammer.passages.strikes.lines")
    assert f"{after}        lines: [8, 9]\n        sha256: {SHA256}\n" in result.text


LEFT = (
    ("has: [strikes nails]", "has: [strikes thumbs]", "lines 8 to 9 do not have its words"),
    (SHA256, "f" * 64, "the text has changed; read it, and delete `sha256` to pin it anew"),
    (PASSAGE, "        has: [strikes thumbs]\n", "no lines of the file have its words"),
    (PASSAGE, "        lines: [1, 2]\n        has: [nails]\n", "lines 1 to 2 do not have its words"),
)


@pytest.mark.parametrize(("before", "after", "words"), LEFT, ids=[row[1][:40] for row in LEFT])
def test_what_a_person_has_to_read_is_left(
    tmp_path: Path, package: Package, before: str, after: str, words: str
) -> None:
    root = write_book(tmp_path)
    result, _ = fill(root, package, before=before, after=after)
    assert not result.done
    assert result.text == (root / "concepts" / "hammer.yml").read_text("utf-8")
    (said,) = result.left
    assert said.startswith("hammer.passages.strikes: ")
    assert words in said


def test_a_file_that_is_no_card_is_left(tmp_path: Path, package: Package) -> None:
    card = tmp_path / "odd.yml"
    card.write_text("sources: [", "utf-8")
    assert filled(card, Path("odd.yml"), package).left == ("not a card that can be read",)
    card.write_text("- sources", "utf-8")
    assert filled(card, Path("odd.yml"), package) == Filled(text="- sources", done=(), left=())


def test_the_command_writes_and_then_checks(
    tmp_path: Path, package: Package, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(package.folder.parent)
    root = write_book(tmp_path, ("  line: 4\n", ""))
    assert main(["sources", "--pin", "--offline", "--root", str(root)]) == 0
    assert capsys.readouterr().out == (
        "concepts/hammer.yml: wrote hammer.line\n"
        "the installed kit is v1.2.3: 1 symbol, 1 passage, all as pinned\n"
    )
    assert [path.name for path in (root / "concepts").iterdir()] == ["hammer.yml"]


def test_another_build_is_not_pinned(
    tmp_path: Path, package: Package, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(package.folder.parent)
    (package.folder / "version.py").write_text("git_version = 'other'\n", "utf-8")
    assert main(["sources", "--pin", "--root", str(write_book(tmp_path))]) == 3
    assert "--pin reads kit 1.2.3, which is not installed" in capsys.readouterr().err
