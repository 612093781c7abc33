"""Kept pages: confirmed by their server, never an answer by themselves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from bad_server import CARD, PAGE, BadServer, serving

from claimbook.settings import load_settings
from claimbook.sources.cache import AGE, PageCache
from claimbook.sources.links import Link
from claimbook.sources.live import Web, look
from claimbook.sources.state import Seen, State

ROOT = Path(__file__).parents[2]
URL = "https://a.example/page"


@pytest.fixture
def cache(tmp_path: Path) -> PageCache:
    return PageCache(folder=tmp_path / "pages", now=1_000_000)


def lookup(host: str) -> Sequence[str]:
    return ["127.0.0.1"]


def seen(server: BadServer, path: str, cache: PageCache) -> Seen:
    link = Link(url=f"http://good.example:{server.server_port}{path}", card=CARD, pointer=())
    web = Web(refused=lambda ip: False, lookup=lookup, cache=cache)
    (one,) = look([link], load_settings(ROOT), web)
    return one.seen


@pytest.mark.parametrize("path", ["/kept", "/dated"])
def test_a_page_that_has_not_changed_is_not_sent_again(cache: PageCache, path: str) -> None:
    with serving() as server:
        for fragment, state in (("#here", State.OK), ("#here", State.OK), ("#nowhere", State.GONE)):
            assert seen(server, path + fragment, cache).state is state
        assert server.sent[path] == [200, 304, 304]


def test_a_page_that_has_changed_is_read_anew(cache: PageCache) -> None:
    with serving() as server:
        server.pages["/page"] = (200, PAGE, {"ETag": '"one"'})
        assert seen(server, "/page#here", cache).state is State.OK
        server.pages["/page"] = (200, "<p id=new>", {"ETag": '"two"'})
        assert seen(server, "/page#here", cache).state is State.GONE
        assert seen(server, "/page#new", cache).state is State.OK


def test_a_kept_page_does_not_stand_in_for_its_server(cache: PageCache) -> None:
    with serving() as server:
        assert seen(server, "/kept#here", cache).state is State.OK
    assert seen(server, "/kept#here", cache).state is State.UNREACHABLE


@pytest.mark.parametrize(
    "path", ["/short#here", "/endless#here", "/404#here", "/challenge#here", "/page#here"]
)
def test_only_whole_pages_with_a_name_for_their_state_are_kept(cache: PageCache, path: str) -> None:
    with serving() as server:
        seen(server, path, cache)
    assert not cache.folder.exists()


def test_a_kept_page_grows_old(cache: PageCache) -> None:
    cache.keep(URL, "text", etag='"one"', modified="")
    for later, there in ((0, True), (AGE, True), (AGE + 1, False), (-1, False)):
        assert bool(replace(cache, now=cache.now + later).find(URL)) is there


def test_a_folder_of_kept_pages_stays_out_of_commits(cache: PageCache) -> None:
    cache.keep(URL, "text", etag='"one"', modified="")
    assert (cache.folder / ".gitignore").read_text("utf-8") == "*\n"


def test_a_damaged_file_is_as_none(cache: PageCache) -> None:
    cache.keep(URL, "text", etag='"one"', modified="")
    (file,) = cache.folder.glob("*.gz")
    whole = file.read_bytes()
    for damage in (b"", whole[:20], b"\x00" * 40, whole[:-12] + b"\x01" * 12):
        file.write_bytes(damage)
        assert cache.find(URL) is None


def test_a_folder_that_cannot_be_written_keeps_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    cache = PageCache(folder=tmp_path / "file", now=0)
    cache.keep(URL, "text", etag='"one"', modified="")
    assert cache.find(URL) is None
