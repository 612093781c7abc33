"""How pages are spread over hosts: few at once for each, with a pause, all of them in the end."""

from __future__ import annotations

import threading
from collections import Counter

from claimbook.sources.answer import Answer, Failure
from claimbook.sources.lanes import ask_all
from claimbook.sources.limits import Limits

PAGES = {f"{host}/{at}": host for host in ("a", "b", "c") for at in range(5)}


def test_all_pages_are_asked_once() -> None:
    asked: Counter[str] = Counter()

    def ask(page: str) -> Answer:
        asked[page] += 1
        return Answer(page=page, final=page, status=200)

    answers = ask_all(PAGES, ask, limits=Limits(pause=0))
    assert asked == Counter(list(PAGES))
    assert {page: answer.page for page, answer in answers.items()} == {page: page for page in PAGES}


def test_each_host_has_its_own_lanes_and_no_more() -> None:
    # Three hosts with two lanes each: six requests wait here together, and never three of one host.
    together = threading.Barrier(6)
    running: Counter[str] = Counter()
    most: Counter[str] = Counter()
    lock = threading.Lock()
    pages = {f"{host}/{at}": host for host in "abc" for at in range(2)}

    def ask(page: str) -> Answer:
        with lock:
            running[page[0]] += 1
            most[page[0]] = max(most[page[0]], running[page[0]])
        together.wait(10)
        with lock:
            running[page[0]] -= 1
        return Answer(page=page, final=page, status=200)

    assert len(ask_all(pages, ask, limits=Limits(per_host=2, at_once=9, pause=0))) == 6
    assert most == {"a": 2, "b": 2, "c": 2}


def test_a_lane_pauses_between_requests() -> None:
    waits: list[float] = []
    limits = Limits(per_host=1, pause=0.7)
    ask_all(PAGES, lambda page: Answer(page=page, final=page, status=200), limits=limits, wait=waits.append)
    assert waits == [0.7] * 12


def test_a_host_that_is_not_there_is_asked_once() -> None:
    asked: list[str] = []

    def ask(page: str) -> Answer:
        asked.append(page)
        failure = Failure.CONNECT if page[0] == "a" else Failure.TIMEOUT
        return Answer(page=page, final=page, failure=failure, words="no")

    answers = ask_all(PAGES, ask, limits=Limits(per_host=1, pause=0))
    assert Counter(page[0] for page in asked) == {"a": 1, "b": 5, "c": 5}
    assert {(page, answer.page, answer.words) for page, answer in answers.items()} == {
        (page, page, "no") for page in PAGES
    }
