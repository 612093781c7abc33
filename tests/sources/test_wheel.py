"""Sources against the installed package: what each difference is called, and where it stands in the card."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from small_book import COMMIT, write_book, write_package

from claimbook.cards import load_book
from claimbook.diagnostics import Diagnostic, Severity
from claimbook.experiment.installed import Installed
from claimbook.settings import load_settings
from claimbook.sources import explanation
from claimbook.sources.wheel import WheelReport, against_wheel

WriteBook = Callable[..., Path]


@pytest.fixture
def package(tmp_path: Path) -> Path:
    return write_package(tmp_path)


@pytest.fixture
def book(tmp_path: Path) -> WriteBook:
    return functools.partial(write_book, tmp_path)


def report(root: Path, package: Path, *, commit: str = COMMIT) -> WheelReport:
    settings = load_settings(root)
    book, problems = load_book(settings)
    assert not [problem for problem in problems if problem.code < "CB010"], problems
    return against_wheel(book, settings, Installed(folder=package, version="1.2.3", commit=commit))


def said(problems: Sequence[Diagnostic], root: Path) -> list[tuple[str, str, str, str]]:
    """Code, the card's line, message and help of each."""
    text = (root / "concepts" / "hammer.yml").read_text("utf-8").split("\n")
    return [(one.code, text[one.position.line - 1].strip(), one.message, one.help) for one in problems]


def test_what_the_package_has_is_no_problem(book: WriteBook, package: Path) -> None:
    found = report(book(), package)
    assert (found.problems, found.symbols, found.passages, found.pinned) == ((), 1, 1, True)


DIFFERENCES = (
    (
        ("symbol: kit.Hammer", "symbol: kit.Hamer"),
        ("CB102", "symbol: kit.Hamer", "no symbol `kit.Hamer`: kit has no `Hamer`", ""),
    ),
    # the line of the definition, not of its decorator
    (
        ("line: 4", "line: 5"),
        ("CB103", "line: 5", "`kit.Hammer` is defined on line 4", "write `line: 4`"),
    ),
    (
        ("  line: 4\n", ""),
        ("CB103", "file: kit/_tools.py", "`kit.Hammer` is defined on line 4", "write `line: 4`"),
    ),
    # the right words, two lines up
    (
        ("lines: [8, 9]", "lines: [6, 7]"),
        ("CB104", "lines: [6, 7]", "`strikes` stands on lines 8 to 9 now", "write `lines: [8, 9]`"),
    ),
    (
        ("has: [strikes nails]", "has: [strikes nails, thumbs]"),
        ("CB106", "has: [strikes nails, thumbs]", "`strikes` lacks the words “thumbs”", ""),
    ),
)


@pytest.mark.parametrize(("edit", "expected"), DIFFERENCES, ids=[row[0][1] for row in DIFFERENCES])
def test_a_difference_stands_on_its_line(
    book: WriteBook, package: Path, edit: tuple[str, str], expected: tuple[str, str, str, str]
) -> None:
    root = book(edit)
    assert said(report(root, package).problems, root) == [expected]


def test_a_changed_passage_is_quoted_as_it_reads_now(book: WriteBook, package: Path) -> None:
    root = book()
    tools = package / "_tools.py"
    tools.write_text(tools.read_text("utf-8").replace("on the head", "on the thumb"), "utf-8")
    ((code, line, message, help),) = said(report(root, package).problems, root)
    assert (code, line.partition(":")[0]) == ("CB105", "sha256")
    assert message == "lines 8 to 9 are not the passage `strikes`"
    pinned = "https://github.com/example/kit/blob/v1.2.3/kit/_tools.py#L8-L9"
    assert help == f"they read now: It strikes   nails / on the thumb.; what was pinned: {pinned}"


def test_a_passage_that_moved_and_changed_is_found_by_its_words(book: WriteBook, package: Path) -> None:
    root = book()
    tools = package / "_tools.py"
    text = tools.read_text("utf-8").replace("on the head", "on the thumb")
    tools.write_text(text.replace("    pass\n", "    pass\n\n\n\n\n"), "utf-8")
    problems = said(report(root, package).problems, root)
    (help,) = [help for code, _, _, help in problems if code == "CB105"]
    assert help.startswith("line 12 has some of its words: It strikes   nails; what was pinned: https://")


def test_a_file_that_the_package_has_not(book: WriteBook, package: Path) -> None:
    root = book(("  symbol: kit.Hammer\n", ""), ("kit/_tools.py", "kit/gone.py"))
    assert said(report(root, package).problems, root) == [
        ("CB103", "file: kit/gone.py", "the installed package has no file kit/gone.py", "")
    ]


def test_a_file_outside_the_package_is_not_read(book: WriteBook, package: Path) -> None:
    (package.parent / "secret.py").write_text("x\n", "utf-8")
    root = book(("  symbol: kit.Hammer\n", ""), ("kit/_tools.py", "kit/../secret.py"))
    assert said(report(root, package).problems, root)[0][2].startswith("the installed package has no file")


def test_a_symbol_in_another_file(book: WriteBook, package: Path) -> None:
    root = book(("file: kit/_tools.py", "file: kit/__init__.py"))
    first = said(report(root, package).problems, root)[0]
    help = "write `file: kit/_tools.py` and `line: 4`"
    message = "`kit.Hammer` is defined in kit/_tools.py, line 4"
    assert first == ("CB103", "file: kit/__init__.py", message, help)


def test_a_symbol_without_a_file(book: WriteBook, package: Path) -> None:
    root = book(("  file: kit/_tools.py\n  line: 4\n", ""))
    assert [(code, message) for code, _, message, _ in said(report(root, package).problems, root)] == [
        ("CB107", "`kit.Hammer` stands in no file"),
        ("CB107", "the passages stand in no file"),
    ]


ADDRESSES = (
    ("kit/_tools.py#L4-L9", None),
    ("kit/_tools.py#L4-L99", "kit/_tools.py has 10 lines"),
    ("kit/nails.py", "the address names kit/nails.py, `file` kit/_tools.py"),
)


@pytest.mark.parametrize(("end", "message"), ADDRESSES)
def test_the_file_and_lines_of_an_address(
    book: WriteBook, package: Path, end: str, message: str | None
) -> None:
    address = f"https://github.com/example/kit/blob/v1.2.3/{end}"
    root = book(("kind: docs", "kind: code"), ("https://docs.example.org/docs/1.2/hammer.html", address))
    assert [one.message for one in report(root, package).problems] == ([message] if message else [])


def test_another_build_is_named_and_what_differs_is_a_warning(book: WriteBook, package: Path) -> None:
    root = book(("line: 4", "line: 5"))
    found = report(root, package, commit="f" * 40)
    first, second = found.problems
    assert not found.pinned
    assert first.message == "the installed kit 1.2.3 is of commit ffffffffffff, not of v1.2.3"
    assert (root / first.path).read_text("utf-8").split("\n")[first.position.line - 1].startswith("commit =")
    assert (first.severity, second.severity) == (Severity.ERROR, Severity.WARNING)
    assert (
        report(root, package, commit="")
        .problems[0]
        .message.endswith("is of no commit that it names, not of v1.2.3")
    )


def test_each_code_is_explained() -> None:
    assert "built from the commit" in (explanation("CB101") or "")
    assert explanation("CB020") is None
