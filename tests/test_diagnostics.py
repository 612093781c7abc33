"""Renderings of diagnostics: what a person, a workflow and an editor get."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from claimbook.diagnostics import (
    Diagnostic,
    Position,
    Severity,
    as_github,
    as_json,
    as_sarif,
    as_text,
    counted,
    errors,
    printable,
)


def problem(**changes: object) -> Diagnostic:
    """An error on the second line of a card."""
    given: dict[str, object] = {
        "path": Path("concepts/a.yml"),
        "position": Position(line=2, column=5),
        "code": "CB004",
        "message": "unknown key `ключ`",
        "help": "did you mean `key`?",
        "length": 4,
    }
    return Diagnostic(**(given | changes))  # type: ignore[arg-type]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "concepts").mkdir()
    (tmp_path / "concepts" / "a.yml").write_text("id: a\n中 \tключ: 1\n", "utf-8")
    return tmp_path


def test_text_has_place_line_caret_and_help(root: Path) -> None:
    # The wide character takes two columns and the tab is shown as one space.
    assert as_text([problem(position=Position(line=2, column=4))], root=root) == (
        "concepts/a.yml:2:4: error[CB004]: unknown key `ключ`\n"
        "    中  ключ: 1\n"
        "        ^^^^\n"
        "  help: did you mean `key`?"
    )


def test_a_long_line_is_cut_around_the_caret(root: Path) -> None:
    (root / "concepts" / "a.yml").write_text(f"id: a\n{'x' * 200}WORD{'y' * 200}\n", "utf-8")
    _, line, carets, _ = as_text([problem(position=Position(line=2, column=201))], root=root).splitlines()
    assert len(line) <= 80
    assert line[carets.index("^") : carets.rindex("^") + 1] == "WORD"


def test_letters_of_two_marks_take_one_column(root: Path) -> None:
    (root / "concepts" / "a.yml").write_text("id: a\nи\u0306й: x\n", "utf-8")
    _, _, carets, _ = as_text(
        [problem(position=Position(line=2, column=4), length=1)], root=root
    ).splitlines()
    assert carets == "      ^"


def test_what_a_terminal_would_obey_is_not_printed(root: Path) -> None:
    text = as_text([problem(message="a\x1b[31m\rb")], root=root)
    assert "\x1b" not in text
    assert "a?[31m b" in text
    (root / "concepts" / "a.yml").write_bytes(b"id: a\nk: \x1b[2J\x07\x9b\xff\n")
    assert all(part.isprintable() for part in as_text([problem()], root=root).splitlines())
    assert printable("\u202eabc") == "?abc"


def test_a_file_that_is_gone_leaves_the_message(tmp_path: Path) -> None:
    assert as_text([problem(help="")], root=tmp_path).splitlines() == [
        "concepts/a.yml:2:5: error[CB004]: unknown key `ключ`"
    ]


def test_colour_marks_the_severity(root: Path) -> None:
    warning = as_text([problem(severity=Severity.WARNING)], root=root, colour=True)
    assert "\x1b[1;33mwarning[CB004]\x1b[0m" in warning


def test_github_annotations_are_escaped(root: Path) -> None:
    made = problem(path=Path("concepts/a,b.yml"), message="50%\nnext", help="")
    assert as_github([made], root=root) == (
        "::error file=concepts/a%2Cb.yml,line=2,col=5,title=CB004::50%25%0Anext"
    )


def test_json_holds_every_field(root: Path) -> None:
    assert json.loads(as_json([problem()], root=root)) == {
        "diagnostics": [
            {
                "path": "concepts/a.yml",
                "line": 2,
                "column": 5,
                "length": 4,
                "severity": "error",
                "code": "CB004",
                "message": "unknown key `ключ`",
                "help": "did you mean `key`?",
            }
        ]
    }


def test_sarif_names_rule_and_region(root: Path) -> None:
    (run,) = json.loads(as_sarif([problem()], root=root))["runs"]
    (result,) = run["results"]
    assert run["tool"]["driver"]["rules"] == [{"id": "CB004"}]
    assert result["level"] == "error"
    region = result["locations"][0]["physicalLocation"]["region"]
    assert region == {"startLine": 2, "startColumn": 5, "endColumn": 9}


def test_counts() -> None:
    assert errors([problem(), problem(severity=Severity.WARNING)]) == 1
    assert (counted(1, "card"), counted(2, "card")) == ("1 card", "2 cards")
