"""What a person reads about links."""

from __future__ import annotations

import datetime

from bad_server import CARD

from claimbook.diagnostics import Severity
from claimbook.sources.links import Link
from claimbook.sources.live import Looked
from claimbook.sources.record import LinkRecord
from claimbook.sources.report import LinkReport
from claimbook.sources.state import Seen, State

TODAY = datetime.date(2030, 6, 1)
URL = "https://a.example/"


def looked(
    state: State, *, code: str = "", words: str = "", host: str = "a.example", note: str = ""
) -> Looked:
    seen = Seen(state=state, code=code, words=words, help="do this", note=note)
    return Looked(link=Link(url=URL, card=CARD, pointer=("url",)), seen=seen, host=host)


def record(state: State, days: int, ok: int | None = None) -> LinkRecord:
    since = TODAY - datetime.timedelta(days=days)
    good = TODAY - datetime.timedelta(days=ok) if ok is not None else None
    return LinkRecord(state=state, date=since, since=since, ok=good)


def said(one: Looked, before: LinkRecord | None = None) -> tuple[Severity, str]:
    report = LinkReport(looked=[one], today=TODAY, before={URL: before} if before else {})
    (problem,) = report.problems()
    assert (problem.path, problem.code, problem.help) == (CARD.path, one.seen.code, "do this")
    return problem.severity, problem.message


def test_only_what_is_gone_is_an_error() -> None:
    gone = looked(State.GONE, code="CB110", words="the page is gone (404)")
    assert said(gone) == (Severity.ERROR, f"{URL}: the page is gone (404)")
    assert said(looked(State.MOVED, code="CB111", words="moved")) == (Severity.WARNING, f"{URL}: moved")
    assert said(looked(State.SKIPPED, code="CB115", words="not")) == (Severity.WARNING, f"{URL}: not")
    nothing = [looked(State.OK), looked(State.UNREACHABLE, words="its name was not found")]
    assert not list(LinkReport(looked=nothing, today=TODAY).problems())


def test_an_address_is_told_of_once_in_a_card() -> None:
    gone = looked(State.GONE, code="CB110", words="the page is gone (404)")
    assert len(list(LinkReport(looked=[gone, gone, gone], today=TODAY).problems())) == 1


def test_unsure_becomes_an_error_when_it_lasts() -> None:
    unsure = looked(State.UNSURE, code="CB116", words="the server fails (503)")
    assert said(unsure) == (Severity.WARNING, f"{URL}: the server fails (503)")
    assert said(unsure, record(State.UNSURE, 29))[0] is Severity.WARNING
    assert said(unsure, record(State.UNSURE, 31)) == (
        Severity.ERROR,
        f"{URL}: the server fails (503), for more than 30 days now, since 2030-05-01",
    )


def test_the_last_good_day_is_said() -> None:
    gone = looked(State.GONE, code="CB110", words="the page is gone (404)")
    assert said(gone, record(State.OK, 2, ok=2))[1].endswith("; it was there on 2030-05-30")


def test_the_summary_counts_states() -> None:
    note = "the documentation has no [source] link for the symbol"
    many = [looked(State.OK), looked(State.OK, note=note), looked(State.GONE, code="CB110")]
    many.append(looked(State.UNREACHABLE, words="its name was not found", host="b.example"))
    assert list(LinkReport(looked=many, today=TODAY).notes()) == [
        "4 links: 2 ok, 1 gone, 1 unreachable",
        f"1 link: {note}",
        "unreachable: b.example: its name was not found",
    ]


def test_without_a_network_it_is_said_once() -> None:
    lost = [looked(State.UNREACHABLE, words="its name was not found", host=host) for host in "abcdefgh"]
    assert list(LinkReport(looked=lost, today=TODAY).notes()) == [
        "8 links: 8 unreachable",
        "nobody answered: is there a network? None of the links is known to work",
    ]
    assert list(LinkReport(looked=[*lost, looked(State.OK)], today=TODAY).notes())[-1] == (
        "unreachable: 3 further hosts"
    )


def test_no_links() -> None:
    assert list(LinkReport(looked=[], today=TODAY).notes()) == ["no links"]
