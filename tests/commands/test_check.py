"""`claimbook check`: what it prints and its exit status."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from small import edit, make_book

from claimbook.cli import main


@pytest.fixture
def book(tmp_path: Path) -> Path:
    return make_book(tmp_path)


def test_a_good_book_is_counted(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--root", str(book)]) == 0
    assert capsys.readouterr().out == "1 concept, 1 course, 1 GPU: no problems\n"


def test_a_mistake_is_shown_and_counted(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edit(book, "definition:", "defintion:")
    assert main(["--root", str(book), "check"]) == 1
    out = capsys.readouterr().out
    assert out.splitlines() == [
        "concepts/demo.yml:8:1: error[CB004]: unknown key `defintion`",
        "    defintion:",
        "    ^^^^^^^^^",
        "  help: did you mean `definition`?",
        "",
        "1 error in 1 card",
    ]


def test_warnings_alone_pass(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edit(book, "{start: 5}", "{start: 0}")
    assert main(["check", "--root", str(book)]) == 0
    assert capsys.readouterr().out.endswith("1 warning in 1 card\n")


def test_paths_limit_the_report(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edit(book, "definition:", "defintion:")
    assert main(["check", "--root", str(book), str(book / "courses")]) == 0
    assert main(["check", "--root", str(book), "concepts/demo.yml"]) == 1
    capsys.readouterr()


@pytest.mark.parametrize(
    ("path", "message"), [("nowhere.yml", "no such file"), ("verifiers", "no card of this book")]
)
def test_a_path_without_cards_is_wrong_usage(
    book: Path, capsys: pytest.CaptureFixture[str], path: str, message: str
) -> None:
    assert main(["check", "--root", str(book), path]) == 2
    assert message in capsys.readouterr().err


def test_a_book_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--root", str(tmp_path / "nowhere")]) == 3
    assert "name the folder of the book with --root" in capsys.readouterr().err


def test_json_is_one_object(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edit(book, "definition:", "defintion:")
    assert main(["check", "--root", str(book), "--format", "json"]) == 1
    assert json.loads(capsys.readouterr().out)["diagnostics"][0]["code"] == "CB004"


def test_github_gets_one_annotation_a_line(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edit(book, "definition:", "defintion:")
    assert main(["check", "--root", str(book), "--format", "github"]) == 1
    assert capsys.readouterr().out == (
        "::error file=concepts/demo.yml,line=8,col=1,title=CB004::"
        "unknown key `defintion` (did you mean `definition`?)\n"
    )


@pytest.mark.parametrize("format", ["json", "sarif"])
def test_a_good_book_is_an_empty_log(book: Path, capsys: pytest.CaptureFixture[str], format: str) -> None:
    assert main(["check", "--root", str(book), "--format", format]) == 0
    log = json.loads(capsys.readouterr().out)
    assert (log["diagnostics"] if format == "json" else log["runs"][0]["results"]) == []


def test_an_unknown_format_is_wrong_usage(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["check", "--root", str(book), "--format", "xml"])
    assert "invalid" in capsys.readouterr().err


def test_torch_is_not_imported(book: Path) -> None:
    code = "import sys; from claimbook.cli import main; main(sys.argv[1:]); sys.exit('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code, "check", "--root", str(book)], check=False)
    assert done.returncode == 0
