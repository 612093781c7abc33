"""Experiments that do what an experiment must not do: written into the `verifiers/` of a test's book."""

from __future__ import annotations

import ctypes
import os
import re
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist

from claimbook.experiment import Observations, Rank, experiment


@experiment
def healthy(rank: Rank, *, start: int = 0) -> Observations:
    """A sum over the ranks, and the traces that another run could have left in this one."""
    number = torch.tensor([rank.rank + start])
    dist.all_reduce(number)
    return {
        "total": int(number),
        "left_by_others": [
            name
            for name, found in {
                "folder": Path.cwd().name == "elsewhere",
                "variable": "MISBEHAVIOUR" in os.environ,
                "dtype": torch.get_default_dtype() != torch.float32,
                "module": hasattr(torch, "misbehaviour"),
            }.items()
            if found
        ],
    }


def _other(rank: Rank) -> None:
    """What the rank that is not at fault does: wait for the one that is."""
    dist.barrier()


@experiment
def raises(rank: Rank) -> Observations:
    if rank.rank == 1:
        raise LookupError("no such shard\nand a second line")
    _other(rank)
    return {}


@experiment
def raises_everywhere(rank: Rank) -> Observations:
    raise LookupError("no such shard")


@experiment
def recurses(rank: Rank) -> Observations:
    if rank.rank == 1:
        return recurses(rank)
    _other(rank)
    return {}


@experiment
def exits(rank: Rank) -> Observations:
    if rank.rank == 1:
        os._exit(0)
    _other(rank)
    return {}


@experiment
def leaves_by_sys_exit(rank: Rank) -> Observations:
    if rank.rank == 1:
        sys.exit(3)
    _other(rank)
    return {}


@experiment
def is_killed(rank: Rank) -> Observations:
    if rank.rank == 1:
        _daemon()
        os.kill(os.getpid(), signal.SIGKILL)
    _other(rank)
    return {}


@experiment
def faults(rank: Rank) -> Observations:
    if rank.rank == 1:
        ctypes.string_at(0)
    _other(rank)
    return {}


@experiment
def loops(rank: Rank) -> Observations:
    while rank.rank == 1:
        pass
    _other(rank)
    return {}


@experiment
def holds_the_lock(rank: Rank) -> Observations:
    """A search that backtracks for ages in C, where no Python signal handler gets a turn."""
    if rank.rank == 1:
        re.search("(a+)+$", "a" * 60 + "b")
    _other(rank)
    return {}


@experiment
def ignores_signals(rank: Rank) -> Observations:
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGRTMAX - 3):
        signal.signal(number, signal.SIG_IGN)
    while True:
        time.sleep(60)


@experiment
def does_not_join(rank: Rank) -> Observations:
    if rank.rank == 0:
        dist.all_gather_object([None, None], "alone")
    return {}


@experiment
def joins_once_less(rank: Rank) -> Observations:
    for _ in range(2 - rank.rank):
        dist.all_reduce(torch.ones(100))
    return {}


@experiment
def calls_another(rank: Rank) -> Observations:
    if rank.rank == 0:
        dist.broadcast(torch.ones(4), src=1)
    else:
        dist.recv(torch.ones(4), src=0)
    return {}


@experiment
def sends_another_shape(rank: Rank) -> Observations:
    dist.all_reduce(torch.ones(4 if rank.rank else 4000))
    return {}


@experiment
def returns(rank: Rank, *, what: str = "") -> Observations:
    kinds: Any = {
        "list": [1],
        "nothing": None,
        "tensor": {"at": [0, {"deep": torch.ones(1)}]},
        "nan": {"loss": float("nan")},
        "infinity": {"loss": [-float("inf")]},
        "tuple": {"shape": (1, 2)},
        "number as key": {"bytes": {0: 1}},
        "no Unicode": {"text": "\udc80"},
        "too much": {"text": "x" * 100_000_000},
        "itself": {},
    }
    if what == "itself":
        kinds["itself"]["self"] = kinds["itself"]
    return kinds[what] if rank.rank else {"fine": True}


@experiment
def prints(rank: Rank) -> Observations:
    if rank.rank == 1:
        for _ in range(100):
            os.write(1, b"x" * 1_000_000)
    _other(rank)
    return {}


def _daemon() -> None:
    """A process in a session of its own, whose parent has ended, that takes no notice of signals."""
    if os.fork() == 0:
        os.setsid()
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        if os.fork():
            os._exit(0)
        while True:
            time.sleep(60)
    os.wait()


@experiment
def leaves(rank: Rank, *, what: str = "") -> Observations:
    if rank.rank == 1:
        _leave(what)
    return {}


def _leave(what: str) -> None:
    if what == "daemon":
        _daemon()
    elif what == "thread":
        threading.Thread(target=time.sleep, args=[1000], name="pump").start()
    elif what == "descriptor":
        os.close(1)
    elif what == "stdout":
        sys.stdout.close()
    elif what == "folder":
        Path("elsewhere").mkdir(exist_ok=True)
        os.chdir("elsewhere")
    elif what == "variable":
        os.environ["MISBEHAVIOUR"] = "1"
    elif what == "dtype":
        torch.set_default_dtype(torch.float64)
    elif what == "module":
        vars(torch)["misbehaviour"] = 1
    elif what == "file":
        (Path(os.environ["TMPDIR"]) / "left").write_text("left")


@experiment
def leaves_the_group(rank: Rank) -> Observations:
    if rank.rank == 1:
        dist.destroy_process_group()
    return {}


@experiment
def forks(rank: Rank) -> Observations:
    """The child returns like the rank itself, and must not be taken for it."""
    if child := os.fork():
        os.waitpid(child, 0)
    return {}


@experiment
def kills_its_parent(rank: Rank) -> Observations:
    if rank.rank == 1:
        _daemon()
        os.kill(os.getppid(), signal.SIGKILL)
    _other(rank)
    return {}
