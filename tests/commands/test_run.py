"""`claimbook run`: what it prints and its exit status."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from small import edit, make_book

from claimbook.cli import main

PARAMETERS: Mapping[str, tuple[str, Any]] = {
    "number": ("2", 2),
    "exact": ("1.0", 1.0),
    "truth": ("true", True),
    "nothing": ("null", None),
    "items": ("[1, {}]", [1, {}]),
    "quoted": ('"2"', "2"),
    "word": ("layers", "layers"),
    "empty": ("", ""),
    "equation": ("a=b", "a=b"),
    # Neither is JSON, whatever Python's reader takes.
    "nan": ("NaN", "NaN"),
    "huge": ("1e999", "1e999"),
}

EXPERIMENTS = f"""\
import torch
import torch.distributed as dist

from claimbook.experiment import Observations, Rank, experiment


@experiment
def echo(rank: Rank, *, {", ".join(f"{name}=None" for name in PARAMETERS)}) -> Observations:
    return {{"given": {{name: value for name, value in locals().items() if name != "rank"}}}}


@experiment
def own(rank: Rank, *, text: str = "") -> Observations:
    return {{"rank": rank.rank, "text": text, "volatile": {{"now": 1}}}}


@experiment
def exchange(rank: Rank) -> Observations:
    with rank.phase("sum"):
        dist.all_reduce(torch.ones(4))
    return {{}}


@experiment
def breaks(rank: Rank) -> Observations:
    raise LookupError("no such shard")
"""


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = make_book(tmp_path_factory.mktemp("book"))
    (folder / "verifiers" / "more.py").write_text(EXPERIMENTS, "utf-8")
    return folder


def status(book: Path, *arguments: str) -> int:
    """Exit status, of argparse too."""
    try:
        return main(["run", "--root", str(book), *arguments])
    except SystemExit as ending:
        assert isinstance(ending.code, int)
        return ending.code


@pytest.mark.ranks
def test_ranks_that_differ_are_a_list(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert status(book, "more.own", "--ranks", "3", "--given", "text=Мир") == 0
    out = capsys.readouterr().out
    seen = [{"rank": rank, "text": "Мир", "volatile": {"now": 1}} for rank in range(3)]
    assert out == json.dumps(seen, ensure_ascii=False, indent=2) + "\n"


@pytest.mark.ranks
def test_ranks_that_agree_are_an_object(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [word for name, (text, _) in PARAMETERS.items() for word in ("--given", f"{name}={text}")]
    assert status(book, "more.echo", *arguments) == 0
    given = json.loads(capsys.readouterr().out)["given"]
    # As text: `1 == 1.0 == True` for Python.
    expected = {name: value for name, (_, value) in PARAMETERS.items()}
    assert json.dumps(given, sort_keys=True) == json.dumps(expected, sort_keys=True)


@pytest.mark.ranks
def test_the_trace_shows_what_each_rank_issued(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert status(book, "more.exchange", "--trace") == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if line.startswith("rank")] == ["rank 0", "rank 1"]
    (first, second) = [line.split() for line in lines if not line.startswith("rank")]
    assert first == second
    assert first[:3] == ["1", "sum", "all_reduce"]


@pytest.mark.ranks
def test_a_failure_is_told_with_its_traceback(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert status(book, "more.breaks") == 3
    captured = capsys.readouterr()
    assert captured.out == ""
    first, *rest = captured.err.splitlines()
    assert first == "claimbook: every rank raised LookupError: no such shard"
    assert {"rank 0, raised:", "rank 1, raised:"} <= set(rest)
    assert "/more.py" in captured.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["total"], "'total' is no experiment\n  help: name it as module.function"),
        (["../demo.total"], "'../demo.total' is no experiment"),
        (["demo.total", "--given", "start"], "--given 'start' is not of the form name=value"),
        (["demo.total", "--given", "=1"], "--given '=1' is not of the form name=value"),
        (["demo.total", "--given", "start=1", "--given", "start=2"], "--given start stands twice"),
        (["demo.total", "--ranks", "0"], "--ranks: invalid positive number value: '0'"),
        (["demo.total", "--ranks", "two"], "--ranks: invalid positive number value: 'two'"),
        (["demo.total", "--timeout", "0"], "--timeout: invalid positive number value: '0'"),
        (["demo.total", "--timeout", "nan"], "--timeout: invalid positive number value: 'nan'"),
        (["demo.total", "--timeout", "inf"], "--timeout: invalid positive number value: 'inf'"),
        ([], "required: EXPERIMENT"),
    ],
)
def test_wrong_usage(
    book: Path, capsys: pytest.CaptureFixture[str], arguments: Sequence[str], message: str
) -> None:
    assert status(book, *arguments) == 2
    assert message in capsys.readouterr().err


def test_without_the_package_it_says_how_to_get_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edit(make_book(tmp_path), 'package = "torch"', 'package = "nowhere"', name="pyproject.toml")
    assert status(tmp_path, "demo.total") == 3
    assert capsys.readouterr().err == (
        "claimbook: nowhere is not installed\n  help: pip install 'claimbook[verify]', or make verify\n"
    )
