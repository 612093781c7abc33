"""Asks many pages at once, and each host by a few requests only, with a pause between them."""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace

from claimbook.sources.answer import Answer, Failure
from claimbook.sources.limits import Limits

Ask = Callable[[str], Answer]


def ask_all(
    pages: Mapping[str, str], ask: Ask, *, limits: Limits, wait: Callable[[float], None] = time.sleep
) -> Mapping[str, Answer]:
    """The answers to all pages; `pages` maps each to its host.

    A host to which there is no way is asked once: the rest of its pages get the same answer.
    """
    hosts: dict[str, _Host] = {}
    for page, host in pages.items():
        hosts.setdefault(host, _Host()).pages.append(page)
    lanes = _lanes(hosts.values(), limits.per_host)
    answers: dict[str, Answer] = {}

    def work() -> None:
        with contextlib.suppress(queue.Empty):
            while True:
                answers.update(lanes.get_nowait().drive(ask, pause=limits.pause, wait=wait))

    # Daemons, so that an interrupt does not wait for the slowest server.
    threads = [threading.Thread(target=work, daemon=True) for _ in range(min(limits.at_once, lanes.qsize()))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def _lanes(hosts: Collection[_Host], per_host: int) -> queue.SimpleQueue[_Host]:
    """First one lane of each host, so that no host waits for the second lane of another."""
    lanes: queue.SimpleQueue[_Host] = queue.SimpleQueue()
    for turn in range(per_host):
        for host in hosts:
            if turn < len(host.pages):
                lanes.put(host)
    return lanes


class _Host:
    """The pages of one host that are still to be asked."""

    def __init__(self) -> None:
        self.pages: deque[str] = deque()
        self.down: Answer | None = None

    def drive(self, ask: Ask, *, pause: float, wait: Callable[[float], None]) -> Iterable[tuple[str, Answer]]:
        """One lane: page after page until none is left; other lanes take from the same pages."""
        first = True
        while True:
            try:
                page = self.pages.popleft()
            except IndexError:
                return
            if self.down is not None:
                yield page, replace(self.down, page=page, final=page)
                continue
            if pause and not first:
                wait(pause)
            first = False
            answer = ask(page)
            if answer.failure in (Failure.NAME, Failure.CONNECT) and not answer.hops:
                self.down = answer
            yield page, answer
