"""The ranks of one run, seen from their parent: forked, listened to, ended, and what came of them."""

from __future__ import annotations

import contextlib
import os
import selectors
import shutil
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from claimbook.experiment import process
from claimbook.experiment.body import SHOW_STACKS, Seat, live
from claimbook.experiment.outcome import MOST_BYTES, Run, unframe
from claimbook.experiment.postmortem import Fate, outcome

GRACE = 0.5
"""Seconds from the first failure until the other ranks are ended: time for them to say what they saw."""

STACKS_WITHIN = 0.5
"""Seconds that a stuck rank has to write its stacks."""

KEPT_OUTPUT = 8_000
"""Bytes of a rank's output that are shown: the last ones."""


@dataclass(kw_only=True)
class Member:
    """One rank: its process and our ends of its pipes."""

    rank: int
    pid: int
    pidfd: int
    report: int
    output: int
    stacks: int
    fate: Fate
    received: bytearray = field(default_factory=bytearray)
    gone: bool = False

    @property
    def done(self) -> bool:
        """Whether nothing more is to be expected of it."""
        return self.gone or self.fate.reported


class Group:
    """The ranks of one run. The caller waits on `selector` and passes each event and the time on."""

    def __init__(
        self, run: Run, *, folder: Path, timeout: float, trace: bool, selector: selectors.BaseSelector
    ) -> None:
        self.run, self.folder, self.timeout, self.selector = run, folder, timeout, selector
        self.began = time.monotonic()
        self.alarm = self.began + timeout
        """When `tick` has to be called at the latest."""
        self.state = "running"
        self.took = 0.0
        folder.mkdir(mode=0o700, parents=True)
        self.members: list[Member] = []
        for rank in range(run.ranks):
            self.members.append(self._fork(rank, trace=trace))

    def _fork(self, rank: int, *, trace: bool) -> Member:
        report, report_end = os.pipe2(os.O_CLOEXEC)
        output, output_end = os.pipe2(os.O_CLOEXEC)
        stacks = os.memfd_create("stacks")
        parent = os.getpid()
        pid = os.fork()
        if pid == 0:
            signal.set_wakeup_fd(-1)
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                signal.signal(number, signal.SIG_DFL)
            self._forget_parent(report, output)
            self._live(Seat(
                rank=rank, run=self.run, parent=parent, folder=self.folder, report=report_end,
                output=output_end, stacks=stacks, trace=trace,
            ))  # fmt: skip
        os.close(report_end)
        os.close(output_end)
        member = Member(
            rank=rank,
            pid=pid,
            pidfd=os.pidfd_open(pid),
            report=report,
            output=output,
            stacks=stacks,
            fate=Fate(rank=rank),
        )
        for descriptor, listen in (
            (report, self._hear_report),
            (output, self._hear_output),
            (member.pidfd, self._hear_end),
        ):
            os.set_blocking(descriptor, False)
            self.selector.register(descriptor, selectors.EVENT_READ, (listen, member))
        return member

    def _live(self, seat: Seat) -> NoReturn:
        live(seat)

    def _forget_parent(self, *own: int) -> None:
        """Close what belongs to the parent and to other ranks: a rank that holds the end of another's pipe
        would hide that the other has ended."""
        for key in list(self.selector.get_map().values()):
            os.close(key.fd)
        for descriptor in own:
            os.close(descriptor)
        self.selector.close()

    def _hear_report(self, member: Member) -> None:
        self._read_report(member)
        self._advance()

    def _read_report(self, member: Member) -> None:
        for chunk in self._chunks(member.report):
            member.received += chunk
        for message in unframe(member.received):
            member.fate.hear(message)

    def _hear_output(self, member: Member) -> None:
        for chunk in self._chunks(member.output):
            member.fate.printed += len(chunk)
            member.fate.output = (member.fate.output + chunk)[-KEPT_OUTPUT:]
            if member.fate.printed > MOST_BYTES:
                member.fate.hear(
                    {"refused": f"printed more than {MOST_BYTES // 1_000_000} MB", "at": time.monotonic()}
                )
                self._end()
                return

    def _hear_end(self, member: Member) -> None:
        self._read_report(member)
        status = os.waitid(os.P_PIDFD, member.pidfd, os.WEXITED)
        assert status is not None
        member.gone = True
        if self.state in ("running", "failing") and not member.fate.reported:
            member.fate.died = process.ending(status)
        self._hear_output(member)
        for descriptor in (member.pidfd, member.report, member.output):
            self._ignore(descriptor)
            os.close(descriptor)
        self._advance()

    def _chunks(self, descriptor: int) -> Iterator[bytes]:
        """What can be read now. A pipe whose other end is closed is listened to no more."""
        while True:
            try:
                chunk = os.read(descriptor, 1 << 16)
            except BlockingIOError:
                return
            if not chunk:
                self._ignore(descriptor)
                return
            yield chunk

    def _ignore(self, descriptor: int) -> None:
        with contextlib.suppress(KeyError):
            self.selector.unregister(descriptor)

    def _advance(self) -> None:
        """Move on where a rank has failed, or all have reported."""
        if self.state not in ("running", "failing"):
            return
        if all(member.done for member in self.members):
            self._end()
        elif self.state == "running" and any(member.fate.failed for member in self.members):
            self.state, self.alarm = "failing", time.monotonic() + GRACE

    def tick(self, now: float) -> None:
        """Do what the time calls for; `now` as `time.monotonic()` tells it."""
        if now < self.alarm:
            return
        if self.state == "running":
            self.state, self.alarm = "hung", now + STACKS_WITHIN
            for member in self.members:
                member.fate.stuck = not member.done
                if member.fate.stuck:
                    os.kill(member.pid, SHOW_STACKS)
        elif self.state in ("failing", "hung"):
            self._end()

    def _end(self) -> None:
        self.state, self.alarm = "ending", float("inf")
        self.took = time.monotonic() - self.began
        for member in self.members:
            if not member.gone:
                process.kill(member.pid)

    @property
    def over(self) -> bool:
        """Whether every rank has ended."""
        return all(member.gone for member in self.members)

    def abandon(self) -> None:
        """End it without an outcome."""
        if self.state != "ending":
            self._end()

    def close(self) -> dict[str, Any]:
        """Remove what the run has left and tell what came of it; for a group that is over."""
        shutil.rmtree(self.folder, ignore_errors=True)
        for member in self.members:
            member.fate.stacks = os.pread(member.stacks, 100_000, 0).decode(errors="replace")
            os.close(member.stacks)
        fates = [member.fate for member in self.members]
        return outcome(fates, seconds=self.took, timeout=self.timeout)
