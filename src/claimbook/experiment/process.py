"""What Linux offers to leave no process behind: death with the parent, adoption of orphans, pidfds."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import time
from collections.abc import Collection
from pathlib import Path

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36

_LIBC = ctypes.CDLL(None, use_errno=True)


def die_with_parent(parent: int, number: signal.Signals) -> bool:
    """Have the kernel send `number` to this process when its parent ends; false if that has happened."""
    _prctl(_PR_SET_PDEATHSIG, number)
    return os.getppid() == parent


def adopt_orphans() -> None:
    """Become the parent of descendants whose own parent ends, daemons included."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def _prctl(option: int, value: int) -> None:
    if _LIBC.prctl(option, value, 0, 0, 0) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def children() -> list[int]:
    """The children of this process, those that have ended and wait to be reaped left out."""
    if not _has_children():
        return []
    me = os.getpid()
    return [
        int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit() and _is_child(entry, me)
    ]


def _has_children() -> bool:
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


def _is_child(entry: Path, parent: int) -> bool:
    """Whether /proc/PID belongs to a living child of `parent`."""
    try:
        state, ppid = (entry / "stat").read_text().rpartition(")")[2].split()[:2]
    except OSError:
        return False
    return int(ppid) == parent and state != "Z"


def end_strays(known: Collection[int], *, within: float = 5.0) -> int:
    """Kill and reap every child that is not `known` and what it leaves to us; returns how many there were."""
    ended = 0
    limit = time.monotonic() + within
    while time.monotonic() < limit:
        strays = [pid for pid in children() if pid not in known]
        if not strays:
            break
        for pid in strays:
            kill(pid)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, 0)
        ended += len(strays)
    return ended


def end_marked(mark: str, *, within: float = 5.0) -> None:
    """Kill every process that was started with `mark` in its environment, wherever it hangs in the tree."""
    limit = time.monotonic() + within
    while (found := [entry for entry in Path("/proc").iterdir() if _is_marked(entry, mark.encode())]) and (
        time.monotonic() < limit
    ):
        for entry in found:
            kill(int(entry.name))
        time.sleep(0.01)


def _is_marked(entry: Path, mark: bytes) -> bool:
    if not entry.name.isdigit() or int(entry.name) == os.getpid():
        return False
    try:
        return mark in (entry / "environ").read_bytes()
    except OSError:
        return False


def kill(pid: int) -> None:
    """Kill a child that has not been reaped, with its process group if it leads one."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def ending(status: os.waitid_result) -> str:
    """How a process ended, in words: `was ended by SIGKILL`, `exited with status 0`."""
    if status.si_code == os.CLD_EXITED:
        return f"exited with status {status.si_status}"
    try:
        name = signal.Signals(status.si_status).name
    except ValueError:
        name = f"signal {status.si_status}"
    return f"was ended by {name}"
