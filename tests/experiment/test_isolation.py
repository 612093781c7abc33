"""Whatever one run does, it ends as a failure that names the rank, and the other runs come out right."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from claimbook.experiment.outcome import Outcome, Run
from claimbook.experiment.scheduler import Request, outcomes

pytestmark = pytest.mark.ranks

MARK = "CLAIMBOOK_ISOLATION_TEST"

MISDEEDS = """\
import ctypes, os, re, signal, subprocess, sys, threading, time

import torch
import torch.distributed as dist

from claimbook.experiment import Observations, Rank, experiment


@experiment
def healthy(rank: Rank) -> Observations:
    number = torch.tensor(rank.rank + 1)
    dist.all_reduce(number)
    dtype, left = str(torch.get_default_dtype()), os.environ.get("LEFT", "")
    found = {"folder": os.getcwd(), "dtype": dtype, "left": left}
    return {"sum": number.item(), "found": found, "volatile": {"now": time.time()}}


MET = {"no_collective", "other_shape", "other_collective", "early_exit", "killed", "crashed", "raises"}


@experiment
def misdeed(rank: Rank, *, kind: str = "") -> Observations:
    if rank.rank == 1:
        value = globals()[kind](rank)
        if value is not None:
            return value
    if kind in MET:
        dist.all_reduce(torch.ones(4))
    return {"fine": True}


def raises(rank): raise ValueError("of no use\\nsecond line")
def early_exit(rank): os._exit(0)
def killed(rank): os.kill(os.getpid(), signal.SIGKILL)
def crashed(rank): ctypes.string_at(0)
def loops(rank):
    while True: pass
def holds_the_gil(rank): re.match(r"(a|a)*b", "a" * 64)
def no_collective(rank):
    time.sleep(60)
def other_collective(rank):
    dist.broadcast(torch.ones(4), src=1); time.sleep(60)
def other_shape(rank):
    dist.all_reduce(torch.ones(40000))
def no_mapping(rank): return [1]
def no_json(rank): return {"value": {1, 2}}
def not_a_number(rank): return {"deep": [1.0, float("nan")]}
def too_large(rank): return {"text": "x" * 100_000_000}
def prints(rank): sys.stdout.write("x" * 100_000_000)
def daemon(rank):
    subprocess.Popen(["sleep", "1000"], start_new_session=True)
def double_fork(rank):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.execvp("sleep", ["sleep", "1000"])
        os._exit(0)
    os.wait()
def thread(rank): threading.Thread(target=time.sleep, args=(1000,), daemon=True, name="left").start()
def closes_output(rank): os.close(1)
def changes_folder(rank): os.chdir("/")
def changes_environment(rank): os.environ["LEFT"] = "yes"
def changes_dtype(rank): torch.set_default_dtype(torch.float64)
def exits(rank): sys.exit(3)
def recurses(rank): return recurses(rank)
"""

# kind -> what a person reads; the rank at fault is rank 1 unless the words say otherwise
FAILURES: Mapping[str, str] = {
    "raises": "rank 1 raised ValueError: of no use",
    "early_exit": "rank 1 exited with status 0",
    "killed": "rank 1 was ended by SIGKILL",
    "crashed": "rank 1 was ended by SIGSEGV",
    "exits": "rank 1 raised SystemExit: 3",
    "recurses": "rank 1 raised RecursionError: maximum recursion depth exceeded",
    "loops": "rank 1 did not return within 2 s (rank 1: in loops, from verifiers/misdeeds.py",
    "holds_the_gil": "rank 1 did not return within 2 s",
    "no_collective": "ranks 0 and 1 did not return within 2 s",
    "other_collective": "did not return within 2 s",
    "no_mapping": "rank 1 returned",
    "no_json": "rank 1 returned",
    "not_a_number": "rank 1 returned",
    "too_large": "rank 1 returned",
    "prints": "rank 1 printed more than 1 MB",
    "daemon": "rank 1 left 1 child process running",
    "double_fork": "rank 1 left 1 child process running",
    "thread": "rank 1 left the thread 'left' running",
    "closes_output": "rank 1 left its stdout closed",
    "changes_folder": "rank 1 left the working directory changed",
    "changes_environment": "rank 1 left the environment variable LEFT changed",
    "changes_dtype": "rank 1 left the default dtype changed",
}


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("book")
    (folder / "verifiers").mkdir()
    (folder / "verifiers" / "misdeeds.py").write_text(MISDEEDS)
    (folder / "verifiers" / "broken.py").write_text("import no_such_module\n")
    (folder / "verifiers" / "deadly.py").write_text("import os\nos._exit(7)\n")
    return folder


@pytest.fixture(scope="module")
def seen(book: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[str, Outcome]]:
    """All misdeeds under one parent, and healthy runs of 2 to 4 ranks among them."""
    temporary = tmp_path_factory.mktemp("tmp")
    runs = {kind: run("misdeeds.misdeed", kind=kind) for kind in (*FAILURES, "other_shape")}
    runs |= {f"healthy {ranks}": run("misdeeds.healthy", ranks=ranks) for ranks in (2, 3, 4)}
    runs |= {
        "no module": run("nowhere.total"),
        "no experiment": run("misdeeds.nothing"),
        "no parameter": run("misdeeds.healthy", wrong=1),
        "broken": run("broken.total"),
        "deadly": run("deadly.total"),
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(MARK, str(os.getpid()))
        patch.setattr("tempfile.tempdir", str(temporary))
        requests = [Request(run=it, timeout=2) for it in runs.values()]
        by_key = {it.key: outcome for it, outcome in outcomes(requests, root=book, jobs=2)}
        yield {name: by_key[it.key] for name, it in runs.items()}
    assert list(temporary.iterdir()) == []


def run(experiment: str, *, ranks: int = 2, **given: object) -> Run:
    return Run(experiment=experiment, ranks=ranks, given=given)


@pytest.mark.parametrize("kind", FAILURES)
def test_the_failure_names_the_rank_and_the_reason(seen: Mapping[str, Outcome], kind: str) -> None:
    assert FAILURES[kind] in seen[kind].failure
    assert seen[kind].values == ()


def test_shapes_that_differ_never_give_an_observation(seen: Mapping[str, Outcome]) -> None:
    assert "rank" in seen["other_shape"].failure


@pytest.mark.parametrize("ranks", [2, 3, 4])
def test_other_runs_come_out_right(seen: Mapping[str, Outcome], book: Path, ranks: int) -> None:
    outcome = seen[f"healthy {ranks}"]
    assert outcome.failure == ""
    assert [value["sum"] for value in outcome.values] == [ranks * (ranks + 1) // 2] * ranks
    clean = {"folder": str(book), "dtype": "torch.float32", "left": ""}
    assert [value["found"] for value in outcome.values] == [clean] * ranks


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("no module", "there is no verifiers/nowhere.py"),
        ("no experiment", "verifiers.misdeeds has no experiment nothing; it has healthy, misdeed"),
        ("no parameter", "misdeeds.healthy has no parameter wrong; it has none"),
        ("broken", "importing verifiers.broken raised ModuleNotFoundError: No module named 'no_such_module'"),
        ("deadly", "importing verifiers.deadly ended the process"),
    ],
)
def test_what_cannot_be_called(seen: Mapping[str, Outcome], name: str, message: str) -> None:
    assert seen[name].failure == message


def test_stuck_ranks_show_the_stacks_of_all_threads(seen: Mapping[str, Outcome]) -> None:
    assert "rank 1, stacks, innermost first:" in seen["loops"].detail
    assert "in loops" in seen["loops"].detail
    assert "in all_reduce" in seen["no_collective"].detail


def test_no_process_is_left(seen: Mapping[str, Outcome]) -> None:
    limit = time.monotonic() + 5
    while (left := list(marked())) and time.monotonic() < limit:
        os.sched_yield()
    assert left == []


def marked() -> Iterator[str]:
    """Command lines of other processes that have the mark of this test in their environment."""
    wanted = f"{MARK}={os.getpid()}".encode()
    for process in Path("/proc").iterdir():
        if process.name.isdigit() and int(process.name) != os.getpid():
            try:
                if wanted in (process / "environ").read_bytes().split(b"\0"):
                    yield (process / "cmdline").read_text().replace("\0", " ")
            except OSError:
                continue
