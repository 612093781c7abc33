"""Whatever an experiment does, its run ends with the rank at fault named, and nothing else notices."""

from __future__ import annotations

import re
import secrets
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from processes import carriers, until

from claimbook.experiment.outcome import Outcome, Run
from claimbook.experiment.scheduler import Request, outcomes

pytestmark = pytest.mark.ranks

TIMEOUT = 2.0
HEALTHY_TIMEOUT = 30.0
SLOW = ("loops", "holds_the_lock", "ignores_signals", "does_not_join", "joins_once_less", "calls_another")
"""They end at their deadline."""


def bad(experiment: str, *, ranks: int = 2, **given: Any) -> Run:
    """A run of `bad.py` unless another module is named."""
    return Run(experiment=experiment if "." in experiment else f"bad.{experiment}", ranks=ranks, given=given)


AT = r"from verifiers/bad\.py:\d+"

FAILURES: Mapping[str, tuple[Run, str]] = {
    # An experiment that raises: type and first line, the rank, and no echo of it in the other rank.
    "raises": (bad("raises"), r"rank 1 raised LookupError: no such shard"),
    "raises everywhere": (bad("raises_everywhere"), r"every rank raised LookupError: no such shard"),
    "too deep": (bad("recurses"), r"rank 1 raised RecursionError: maximum recursion depth exceeded"),
    "sys.exit": (bad("leaves_by_sys_exit"), r"rank 1 raised SystemExit: 3"),
    # A process that ends: the errors of those that were connected to it are not the cause.
    "exits with success": (bad("exits"), r"rank 1 exited with status 0"),
    "SIGKILL, and a daemon stays": (bad("is_killed"), r"rank 1 was ended by SIGKILL"),
    "a fault in C": (bad("faults"), r"rank 1 was ended by SIGSEGV"),
    "another shape": (bad("sends_another_shape"), r"rank [01] was ended by SIGABRT"),
    # Ranks that do not come back: who is busy with something else is named before who waits.
    "endless loop": (
        bad("loops"),
        rf"ranks 0 and 1 did not return within 2 s \(rank 1 in loops, {AT}; rank 0 in barrier, {AT}\)",
    ),
    "C that holds the GIL": (
        bad("holds_the_lock"),
        rf"ranks 0 and 1 did not return within 2 s \(rank 1 in search, {AT}; rank 0 in barrier, {AT}\)",
    ),
    "deaf to signals": (bad("ignores_signals"), r"ranks 0 and 1 did not return within 2 s.*"),
    "a collective not joined": (
        bad("does_not_join"),
        rf"rank 0 did not return within 2 s \(rank 0 in all_gather, {AT}\); rank 1 had returned",
    ),
    "one collective less": (
        bad("joins_once_less"),
        rf"rank 0 did not return within 2 s \(rank 0 in all_reduce, {AT}\); rank 1 had returned",
    ),
    "another collective": (
        bad("calls_another"),
        rf"ranks 0 and 1 did not return within 2 s \(rank 0 in broadcast, {AT}; rank 1 in recv, {AT}\)",
    ),
    # Values that are no observations: the place in them, and what stands there.
    "a list": (bad("returns", what="list"), r"rank 1 returned a value of type list; .* returns a dict"),
    "nothing": (bad("returns", what="nothing"), r"rank 1 returned a value of type NoneType; .*"),
    "a tensor": (
        bad("returns", what="tensor"),
        r"rank 1 returned a value of type torch\.Tensor at `/at/1/deep`, which is no JSON value",
    ),
    "NaN": (bad("returns", what="nan"), r"rank 1 returned nan at `/loss`, which JSON does not have"),
    "infinity": (bad("returns", what="infinity"), r"rank 1 returned -inf at `/loss/0`, which JSON .*"),
    "a tuple": (bad("returns", what="tuple"), r"rank 1 returned a value of type tuple at `/shape`, .*"),
    "a number as key": (
        bad("returns", what="number as key"),
        r"rank 1 returned the key 0 at `/bytes`; the keys of JSON are strings",
    ),
    "no Unicode": (bad("returns", what="no Unicode"), r"rank 1 returned text that is not Unicode at `/text`"),
    "100 MB returned": (bad("returns", what="too much"), r"rank 1 returned more than 1 MB of observations"),
    "a value in itself": (
        bad("returns", what="itself"),
        r"rank 1 returned a value nested more than 50 deep at `/self/self/self/…`",
    ),
    "100 MB printed": (bad("prints"), r"rank 1 printed more than 1 MB"),
    # What another run in the same process would find.
    "a daemon": (bad("leaves", what="daemon"), r"rank 1 left 1 child process running"),
    "a thread": (bad("leaves", what="thread"), r"rank 1 left the thread 'pump' running"),
    "a closed descriptor": (bad("leaves", what="descriptor"), r"rank 1 left its stdout closed"),
    "a closed stdout": (bad("leaves", what="stdout"), r"rank 1 left its stdout closed"),
    "another folder": (bad("leaves", what="folder"), r"rank 1 left the working directory changed"),
    "a variable": (
        bad("leaves", what="variable"),
        r"rank 1 left the environment variable MISBEHAVIOUR changed",
    ),
    "another dtype": (bad("leaves", what="dtype"), r"rank 1 left the default dtype changed"),
    "no process group": (bad("leaves_the_group"), r"rank 1 left its process group"),
    # What cannot be called at all.
    "an import that fails": (
        bad("broken.seen"),
        r"importing verifiers\.broken raised ModuleNotFoundError: No module named 'nowhere'",
    ),
    "no Python": (bad("slip.seen"), r"importing verifiers\.slip raised SyntaxError: .*line 1\)"),
    "an import that exits": (bad("gone.seen"), r"importing verifiers\.gone ended the process"),
    "no module": (bad("absent.seen"), r"there is no verifiers/absent\.py"),
    "no experiment": (bad("absent"), r"verifiers\.bad has no experiment absent; it has .*healthy.*"),
    "no marked function": (bad("_daemon"), r"verifiers\.bad has no experiment _daemon; it has .*"),
    "no parameter": (bad("healthy", strat=1), r"bad\.healthy has no parameter strat; it has start"),
    # It takes all runs that are under way with it; they are done again, it is not.
    "the parent killed": (bad("kills_its_parent"), r"the parent of the ranks ended during the run"),
}

STAY_QUIET: Mapping[str, Run] = {
    # Left in a process that nobody meets again, or in the run's own folder.
    "a module changed": bad("leaves", what="module"),
    "a child that returns too": bad("forks"),
    "a temporary file": bad("leaves", what="file"),
}


@dataclass(frozen=True, kw_only=True)
class Table:
    """What came of all runs."""

    outcomes: Mapping[str, Outcome]
    processes: list[int]
    files: list[str]
    book: list[str]
    shared: list[str]


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """All runs of the tables, each with a healthy one beside it."""
    root, temporary = (tmp_path_factory.mktemp(name) for name in ("book", "temporary"))
    _write_verifiers(root / "verifiers")
    before, shared, token = _files(root), _files(Path("/dev/shm")), secrets.token_hex(16)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CLAIMBOOK_TEST", token)
        patch.setattr(tempfile, "tempdir", str(temporary))
        done = {run.key: outcome for run, outcome in outcomes(_requests(), root=root, jobs=6)}
        until(lambda: not carriers(token), within=5)
        yield Table(
            outcomes=done,
            processes=carriers(token),
            files=_files(temporary),
            book=sorted(set(_files(root)) - set(before)),
            shared=sorted(set(_files(Path("/dev/shm"))) - set(shared)),
        )


def _write_verifiers(folder: Path) -> None:
    folder.mkdir()
    shutil.copy(Path(__file__).with_name("misbehaving.py"), folder / "bad.py")
    (folder / "broken.py").write_text("import nowhere\n", "utf-8")
    (folder / "slip.py").write_text("def seen(:\n", "utf-8")
    (folder / "gone.py").write_text("import os\nos._exit(0)\n", "utf-8")


def _requests() -> list[Request]:
    """Those that end at their deadline come first, so that they wait together."""
    runs = [*(run for run, _ in FAILURES.values()), *STAY_QUIET.values()]
    runs.sort(key=_ends)
    beside = [Request(run=run, timeout=HEALTHY_TIMEOUT) for run in _healthy()]
    worse = [Request(run=run, timeout=HEALTHY_TIMEOUT if _ends(run) else TIMEOUT) for run in runs]
    pairs = zip(worse, beside, strict=True)
    return [request for pair in pairs for request in pair]


def _ends(run: Run) -> bool:
    return run.experiment.removeprefix("bad.") not in SLOW


def _healthy() -> list[Run]:
    return [
        bad("healthy", ranks=1 + start % 4, start=start) for start in range(len(FAILURES) + len(STAY_QUIET))
    ]


def _files(folder: Path) -> list[str]:
    return sorted(str(path) for path in folder.rglob("*") if "__pycache__" not in path.parts)


@pytest.mark.parametrize("name", FAILURES)
def test_a_failure_names_the_rank_and_the_cause(table: Table, name: str) -> None:
    run, words = FAILURES[name]
    outcome = table.outcomes[run.key]
    assert outcome.values == ()
    assert re.fullmatch(words, outcome.failure), outcome.failure


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("raises", r'rank 1, raised:\nTraceback(.|\n)*bad\.py", line \d+, in raises(.|\n)*and a second line'),
        ("endless loop", r"rank 0, stacks.*\n(.|\n)*rank 1, stacks.*\n(.|\n)* in loops\n"),
        ("a fault in C", r"rank 1, stacks.*\n(.|\n)*Segmentation fault(.|\n)* in faults\n"),
        ("another shape", r"rank [01], last output:\n(.|\n)*gloo"),
        ("100 MB printed", r"rank 1, last output:\nx{1000}"),
    ],
)
def test_the_detail_shows_where(table: Table, name: str, words: str) -> None:
    detail = table.outcomes[FAILURES[name][0].key].detail
    assert re.search(words, detail), detail
    assert len(detail) < 200_000


@pytest.mark.parametrize("name", STAY_QUIET)
def test_a_trace_that_nobody_meets_is_no_failure(table: Table, name: str) -> None:
    assert table.outcomes[STAY_QUIET[name].key].values == ({}, {})


def test_healthy_runs_beside_them_come_out_right(table: Table) -> None:
    for run in _healthy():
        total = run.ranks * (run.ranks - 1) // 2 + run.ranks * run.given["start"]
        seen = {"total": total, "left_by_others": []}
        assert table.outcomes[run.key].values == (seen,) * run.ranks, table.outcomes[run.key]


def test_nothing_is_left(table: Table) -> None:
    assert (table.processes, table.files, table.shared) == ([], [], [])
    assert [Path(path).name for path in table.book] == ["elsewhere"]
