"""Each bad behaviour of a server: the state that the link gets and the words that a person reads."""

from __future__ import annotations

import functools
import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from bad_server import CARD, EXPIRED, BadServer, serving

from claimbook.settings import Settings, load_settings
from claimbook.sources.limits import Limits
from claimbook.sources.links import Link
from claimbook.sources.live import Web, look
from claimbook.sources.resolver import NameFailed, Resolver
from claimbook.sources.state import Seen, State

ROOT = Path(__file__).parents[2]
LIMITS = Limits(name=10, connect=10, read=10, total=20, size=300_000, tries=3, pause=0)
SHORT = replace(LIMITS, read=0.3, total=0.6)
"""For the servers that are slow on purpose; a busy machine makes the others slow as well."""
NAMES = {"inside.example": ["10.0.0.7"], "both.example": ["127.0.0.1", "192.168.0.1"], "empty.example": []}


def lookup(host: str) -> Sequence[str]:
    """Every name leads to the bad server, less those in the table and `lost.example`."""
    if host == "lost.example":
        raise OSError("no such name")
    return NAMES.get(host, ["127.0.0.1"])


@functools.cache
def settings() -> Settings:
    return load_settings(ROOT)


@pytest.fixture(scope="module")
def server() -> Iterator[BadServer]:
    with serving() as running:
        yield running


@pytest.fixture(autouse=True)
def fresh(server: BadServer) -> None:
    server.asked.clear()


def seen(server: BadServer, path: str, *, waits: list[float] | None = None) -> Seen:
    """The state of one link to the bad server; a whole address is asked as it is."""
    url = f"http://good.example:{server.server_port}/{path}" if "://" not in path else path
    wait = (waits if waits is not None else []).append
    slow = path.startswith(("slow", "dripping"))
    web = Web(
        limits=SHORT if slow else LIMITS, refused=lambda ip: ip != "127.0.0.1", lookup=lookup, wait=wait
    )
    (one,) = look(
        [Link(url=url.replace(":PORT", f":{server.server_port}"), card=CARD, pointer=())], settings(), web
    )
    return one.seen


BEHAVIOURS = (
    ("200", State.OK, "", ""),
    ("204", State.OK, "", ""),
    # permanent redirects: the end of the permanent part is the new address
    ("chain", State.MOVED, "the page has moved", "write http://good.example:PORT/end"),
    ("chain#here", State.MOVED, "the page has moved", "write http://good.example:PORT/end#here"),
    ("half", State.MOVED, "the page has moved", "write http://good.example:PORT/for-now"),
    ("for-now", State.OK, "", ""),
    ("russian", State.MOVED, "the page has moved", "%D1%81%D1%82%D1%80"),
    ("other-host", State.OK, "", ""),
    ("cookie", State.OK, "", ""),
    ("loop", State.UNSURE, "redirects in a circle", ""),
    ("far", State.UNSURE, "redirects more than 10 times", ""),
    ("file", State.UNSURE, "redirects to what is no web address: only http and https are checked", ""),
    # not the page that was asked for
    ("secret", State.UNSURE, "redirects to a page that asks to log in", ""),
    ("deep/page", State.UNSURE, "redirects to the home page of good.example", ""),
    ("challenge", State.UNSURE, "shows a test for robots instead of the page", ""),
    ("captcha#here", State.UNSURE, "shows a test for robots instead of the page", ""),
    ("soft-404#here", State.UNSURE, "answers 200 with a page that says it was not found", ""),
    ("sends-on#here", State.MOVED, "the page only sends its reader on", "write http://good.example:PORT/end"),
    # GET counts where HEAD is refused
    ("head-403", State.OK, "", ""),
    ("head-404", State.OK, "", ""),
    ("head-breaks", State.OK, "", ""),
    ("405", State.UNSURE, "answers with status 405", "look at it in a browser"),
    ("404", State.GONE, "the page is gone (404)", ""),
    ("410", State.GONE, "the page is gone (410)", ""),
    ("401", State.UNSURE, "asks for a login", ""),
    ("403", State.UNSURE, "refuses to answer a program (403)", ""),
    ("503", State.UNSURE, "the server fails (503)", ""),
    ("fails-once", State.OK, "", ""),
    ("busy-seconds", State.OK, "", ""),
    ("busy-date", State.OK, "", ""),
    ("busy-for-an-hour", State.UNSURE, "asked too often (429); try again in 3600 s", ""),
    ("busy-nonsense", State.UNSURE, "asked too often (429)", ""),
    # too slow, too much, broken
    ("slow-headers", State.UNREACHABLE, "no answer within 0.3 s", ""),
    ("dripping-headers", State.UNREACHABLE, "no whole answer within 0.6 s", ""),
    ("slow-body", State.OK, "", ""),
    ("slow-body#here", State.UNSURE, "the page, which was not read in 0.6 s", ""),
    ("endless", State.OK, "", ""),
    ("endless#here", State.UNSURE, "which is larger than 292 KiB", ""),
    ("endless-redirect", State.OK, "", ""),
    ("bomb#here", State.UNSURE, "which is larger than 292 KiB", ""),
    ("no-gzip#here", State.UNSURE, "which breaks off", ""),
    ("short#here", State.UNSURE, "`here` is not in what was read of the page, which breaks off", ""),
    ("reset", State.UNSURE, "the connection broke off before an answer", ""),
    ("no-http", State.UNSURE, "the answer is not HTTP that can be read", ""),
    ("huge-header", State.UNSURE, "its headers are too long", ""),
    ("many-headers", State.UNSURE, "its headers are too long", ""),
    # fragments
    ("page#here", State.OK, "", ""),
    ("page#there", State.OK, "", ""),
    ("page#top", State.OK, "", ""),
    ("page#", State.OK, "", ""),
    ("page#!/route", State.OK, "", ""),
    ("page#здесь", State.GONE, "the page has no element `здесь`", ""),
    ("page#главная", State.OK, "", ""),
    ("page#%D0%B3%D0%BB%D0%B0%D0%B2%D0%BD%D0%B0%D1%8F", State.OK, "", ""),
    ("page#here:~:text=word", State.OK, "", ""),
    ("page#:~:text=word", State.OK, "", ""),
    ("page#nowhere", State.GONE, "the page has no element `nowhere`", ""),
    ("204#here", State.GONE, "the page has no element `here`", ""),
    ("by-script#made-later", State.UNSURE, "`made-later` is not in the page; a script may put it there", ""),
    ("frame#part", State.UNSURE, "`part` is not in the page; a script may put it there", ""),
    ("pdf#page=3", State.OK, "", ""),
    ("user-content#usage", State.OK, "", ""),
    ("blob/v1/file.py#L10-L20", State.OK, "", ""),
    ("page#L10", State.GONE, "the page has no element `L10`", ""),
    ("broken-markup#here", State.OK, "", ""),
    # charsets
    ("bad-charset#главная", State.OK, "", ""),
    ("windows#часть", State.OK, "", ""),
    ("windows-meta#часть", State.OK, "", ""),
    # written addresses
    ("http://хост.example:PORT/страница", State.OK, "", ""),
    ("http://good.example:PORT/%D1%81 ?q=ы", State.OK, "", ""),
    (
        "http://inside.example:PORT/",
        State.SKIPPED,
        "not public: inside.example is 10.0.0.7",
        "--allow-private",
    ),
    (
        "http://both.example:PORT/",
        State.SKIPPED,
        "not public: both.example is 192.168.0.1",
        "--allow-private",
    ),
    ("inside", State.SKIPPED, "not public: inside.example is 10.0.0.7", "--allow-private asks"),
    ("http://user:word@good.example:PORT/", State.SKIPPED, "holds a user name or a password", ""),
    ("ftp://good.example/", State.SKIPPED, "only http and https are checked, not ftp", ""),
    ("http://good.example:99999/", State.SKIPPED, "is not an address", ""),
    ("http:///path", State.SKIPPED, "the address names no host", ""),
    ("http://a b.example/", State.SKIPPED, "`a b.example` is no host name", ""),
    # nobody there
    ("http://lost.example/", State.UNREACHABLE, "its name was not found", ""),
    ("http://empty.example/", State.UNREACHABLE, "its name has no address", ""),
    ("http://good.example:1/", State.UNREACHABLE, "the connection was refused", ""),
    ("https://good.example:PORT/", State.UNSURE, "it does not speak TLS", ""),
)


@pytest.mark.parametrize(("path", "state", "words", "help"), BEHAVIOURS, ids=[row[0] for row in BEHAVIOURS])
def test_behaviour(server: BadServer, path: str, state: State, words: str, help: str) -> None:
    found = seen(server, path)
    assert found.state is state, found
    assert words in found.words if words else not found.words
    assert help.replace("PORT", str(server.server_port)) in found.help


def test_an_expired_certificate(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(tls=True) as server:
        link = f"https://localhost:{server.server_port}/"
        assert seen(server, link).words == "its certificate is not trusted"
        monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(EXPIRED))
        found = seen(server, link)
        assert (found.state, found.words) == (State.UNSURE, "its certificate has expired")


def test_a_server_may_ask_for_a_wait(server: BadServer) -> None:
    waits: list[float] = []
    seen(server, "busy-seconds", waits=waits)
    assert waits == [3]
    assert server.asked == {"HEAD /busy-seconds": 2}


def test_a_server_may_name_the_time_of_the_next_try(server: BadServer) -> None:
    waits: list[float] = []
    assert seen(server, "busy-date", waits=waits).state is State.OK
    assert len(waits) == 1
    assert 5 < waits[0] <= 10


def test_a_long_wait_is_not_waited_for(server: BadServer) -> None:
    waits: list[float] = []
    seen(server, "busy-for-an-hour#here", waits=waits)
    assert not waits
    assert server.asked == {"GET /busy-for-an-hour": 1}


def test_a_server_that_is_asked_too_often_is_not_asked_again_by_get(server: BadServer) -> None:
    seen(server, "busy-for-an-hour")
    assert server.asked == {"HEAD /busy-for-an-hour": 1}


def test_a_request_whose_time_is_over_is_not_tried_again(server: BadServer) -> None:
    assert seen(server, "dripping-status").words == "no whole answer within 0.6 s"
    assert server.asked == {"HEAD /dripping-status": 1, "GET /dripping-status": 1}


def test_cookies_stay_in_their_chain(server: BadServer) -> None:
    base = f"http://good.example:{server.server_port}"
    links = [Link(url=f"{base}/{path}", card=CARD, pointer=()) for path in ("cookie", "page")]
    web = Web(limits=replace(LIMITS, per_host=1), refused=lambda ip: False, lookup=lookup)
    assert [one.seen.state for one in look(links, settings(), web)] == [State.OK, State.OK]
    assert "Cookie" in server.headers["/cookie"]
    assert "Cookie" not in server.headers["/page"]


def test_retries_end_and_back_off_by_chance(server: BadServer) -> None:
    waits: list[float] = []
    seen(server, "503", waits=waits)
    assert server.asked == {"HEAD /503": 1, "GET /503": 3}
    assert len(waits) == 1
    assert 1 <= waits[0] <= 1.5


def test_nothing_of_the_reader_is_sent(
    server: BadServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    netrc = tmp_path / ".netrc"
    netrc.write_text("machine good.example login name password word\n", "utf-8")
    monkeypatch.setenv("NETRC", str(netrc))
    seen(server, "page#here")
    assert "Authorization" not in server.headers["/page"]
    assert "Cookie" not in server.headers["/page"]


def test_a_proxy_is_used_and_does_not_lead_inside(server: BadServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{server.server_port}")
    monkeypatch.delenv("no_proxy", raising=False)
    # The proxy knows a name that this machine does not.
    assert seen(server, "http://lost.example/page#here").state is State.OK
    assert seen(server, "http://inside.example/page#here").state is State.SKIPPED
    assert list(server.asked) == ["GET http://lost.example/page"]


def test_the_real_web_has_no_private_addresses(server: BadServer) -> None:
    link = Link(url=f"http://127.0.0.1:{server.server_port}/page", card=CARD, pointer=())
    (one,) = look([link], settings(), Web())
    assert (one.seen.state, one.seen.words) == (
        State.SKIPPED,
        "leads to an address that is not public: 127.0.0.1",
    )
    assert not server.asked


def test_a_page_is_asked_once_for_all_its_fragments(server: BadServer) -> None:
    base = f"http://good.example:{server.server_port}/page"
    links = [Link(url=base + end, card=CARD, pointer=()) for end in ("", "#here", "#nowhere")]
    web = Web(limits=LIMITS, refused=lambda ip: False, lookup=lookup)
    assert [one.seen.state for one in look(links, settings(), web)] == [State.OK, State.OK, State.GONE]
    assert server.asked == {"GET /page": 1}


def test_a_host_that_is_not_there_is_asked_once() -> None:
    asked: list[str] = []

    def lost(host: str) -> Sequence[str]:
        asked.append(host)
        raise OSError

    links = [
        Link(url=f"https://{host}.example/{at}", card=CARD, pointer=()) for host in "ab" for at in range(9)
    ]
    looked = look(links, settings(), Web(lookup=lost))
    assert {one.seen.state for one in looked} == {State.UNREACHABLE}
    assert sorted(asked) == ["a.example", "b.example"]


def test_a_host_is_tried_at_one_address_of_each_family() -> None:
    many = ["2001:db8::1", "2001:db8::2", "127.0.0.1", "127.0.0.2"]
    resolver = Resolver(timeout=5, refused=lambda ip: False, lookup=lambda host: many)
    assert resolver.addresses("a.example") == ["2001:db8::1", "127.0.0.1"]


def test_a_name_server_that_never_answers_is_waited_for_once() -> None:
    never = threading.Event()
    resolver = Resolver(timeout=0.01, lookup=lambda host: [str(never.wait())])
    for _ in range(2):
        with pytest.raises(NameFailed, match="its name was not found in time"):
            resolver.addresses("a.example")
    never.set()
