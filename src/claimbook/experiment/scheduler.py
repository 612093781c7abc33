"""Runs in, outcomes out: as many at once as is faster, each once, whatever one of them does to its parent."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from claimbook.experiment.launcher import Gone, Zygote
from claimbook.experiment.outcome import Outcome, Run

IMPORT_WITHIN = 60.0
"""Seconds for the import of one module of experiments."""

ANSWER_WITHIN = 15.0
"""Seconds beyond a run's deadline after which the parent of the ranks is taken for stuck."""


@dataclass(frozen=True, kw_only=True)
class Request:
    """A run that is to be done, and how."""

    run: Run
    timeout: float
    """Seconds from the fork of its ranks to the last report."""
    trace: bool = False


def default_jobs() -> int:
    """Runs at once, where the caller does not say."""
    return max(1, len(os.sched_getaffinity(0)))


def outcomes(requests: Iterable[Request], *, root: Path, jobs: int) -> Iterator[tuple[Run, Outcome]]:
    """Do all runs and yield each with its outcome, as they end. Raises CannotRun where no rank can start."""
    schedule = _Schedule(requests, root=root, jobs=jobs)
    try:
        yield from schedule.outcomes()
    finally:
        schedule.close()


class _Schedule:
    def __init__(self, requests: Iterable[Request], *, root: Path, jobs: int) -> None:
        self.waiting = deque(sorted(requests, key=lambda request: -request.run.ranks))
        self.root, self.jobs = root, jobs
        self.suspects: deque[Request] = deque()
        """Runs that were under way when the parent ended: each is done alone, to see which one ends it."""
        self.running: dict[int, tuple[Request, float]] = {}
        self.broken: dict[str, str] = {}
        """Modules that cannot be imported -> why."""
        self.stack = ExitStack()
        self.number = 0

    def close(self) -> None:
        self.stack.close()

    def outcomes(self) -> Iterator[tuple[Run, Outcome]]:
        self._start()
        while self.waiting or self.suspects or self.running:
            yield from self._refused()
            try:
                self._fill()
                if self.running:
                    yield from self._next()
            except Gone as gone:
                yield from self._lost(str(gone))

    def _start(self) -> None:
        """Start a parent with all modules that it can import."""
        wanted = {request.run.module for request in (*self.waiting, *self.suspects)}
        modules = sorted(wanted - self.broken.keys())
        while True:
            self.zygote = self.stack.enter_context(Zygote(self.root))
            try:
                for module in modules:
                    if module not in self.broken:
                        self._import(module)
                return
            except Gone as gone:
                self.stack.close()
                self.broken[self.importing] = (
                    f"importing verifiers.{self.importing} ended the process\n{gone}"
                )

    def _import(self, module: str) -> None:
        self.importing = module
        self.zygote.send({"import": module})
        answer = self.zygote.receive(IMPORT_WITHIN)
        if answer is None:
            self.zygote.kill()
            raise Gone(f"no answer within {IMPORT_WITHIN:g} s")
        if answer["error"]:
            self.broken[module] = answer["error"]

    def _refused(self) -> Iterator[tuple[Run, Outcome]]:
        """The runs whose module cannot be imported."""
        for queue in (self.waiting, self.suspects):
            for request in [request for request in queue if request.run.module in self.broken]:
                queue.remove(request)
                reason, _, detail = self.broken[request.run.module].partition("\n")
                yield request.run, Outcome(failure=reason, detail=detail)

    def _fill(self) -> None:
        while self.waiting and not self.suspects and len(self.running) < self.jobs:
            self._begin(self.waiting.popleft())
        if self.suspects and not self.running:
            self._begin(self.suspects.popleft())

    def _begin(self, request: Request) -> None:
        self.number += 1
        self.running[self.number] = (request, time.monotonic() + request.timeout + ANSWER_WITHIN)
        self.zygote.send(
            {
                "id": self.number,
                "run": asdict(request.run),
                "timeout": request.timeout,
                "trace": request.trace,
            }
        )

    def _next(self) -> Iterator[tuple[Run, Outcome]]:
        limit = min(limit for _, limit in self.running.values())
        answer = self.zygote.receive(max(0.0, limit - time.monotonic()))
        if answer is None:
            self.zygote.kill()
            raise Gone("the parent of the ranks did not answer")
        request, _ = self.running.pop(answer["id"])
        yield request.run, _outcome(answer["outcome"])

    def _lost(self, words: str) -> Iterator[tuple[Run, Outcome]]:
        """The run that was alone under way when the parent ended; the rest goes on under a new one."""
        lost = [request for request, _ in self.running.values()]
        self.running.clear()
        self.stack.close()
        if len(lost) == 1:
            failure = "the parent of the ranks ended during the run"
            yield lost[0].run, Outcome(failure=failure, detail=words)
        else:
            self.suspects.extend(lost)
        if self.waiting or self.suspects:
            self._start()


def _outcome(message: dict[str, Any]) -> Outcome:
    """The outcome in an answer; JSON has no tuples."""
    ranks = {name: tuple(message.get(name, ())) for name in ("values", "events")}
    return Outcome(**{**message, **ranks})
