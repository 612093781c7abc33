"""Pages of the documentation: the release, the item, and where its [source] link leads."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from bad_server import CARD, serving

from claimbook.cards.card import Source
from claimbook.settings import load_settings
from claimbook.sources.links import Link
from claimbook.sources.live import Web, look
from claimbook.sources.state import State

ROOT = Path(__file__).parents[2]
SOURCE = Source(
    id="nail", kind="docs", title="nail", url="", symbol="torch.nail", file="torch/tools/_nail.py", line=85
)
GITHUB = "https://github.com/pytorch/pytorch/blob"
TAGGED = f"{GITHUB}/v2.9.1/torch/tools/_nail.py#L85"


def item(link: str | None, name: str = "torch.nail") -> str:
    source = f'<a href="{link}"><span class="viewcode-link"><span>[source]</span></span></a>' if link else ""
    return f'<dl><dt class="sig sig-object py" id="{name}">nail(){source}<a href="#x">#</a></dt></dl>'


PAGES = (
    (item(TAGGED), State.OK, "", ""),
    # the commit of the tag is as good, and a range begins on the line
    (item(TAGGED.replace("v2.9.1", "5811a8d7da873dd699ff6687092c225caffcf1bb") + "-L90"), State.OK, "", ""),
    # classes of a rewritten module
    (item(None), State.OK, "", "the documentation has no [source] link for the symbol"),
    # the link of the item after it is not its own
    (item(None) + item(f"{GITHUB}/v2.8.0/x.py#L1", "torch.other"), State.OK, "", "no [source] link"),
    # the first build of the pages of this release
    (item(TAGGED.replace("v2.9.1", "v2.9.0")), State.GONE, "leads to v2.9.0, not to v2.9.1", ""),
    (item(TAGGED.replace("v2.9.1", "main")), State.GONE, "leads to main, not to v2.9.1", ""),
    (item(TAGGED.replace("L85", "L86")), State.GONE, "leads to torch/tools/_nail.py, line 86", ""),
    (item(TAGGED.replace("_nail", "_bolt")), State.GONE, "leads to torch/tools/_bolt.py, line 85", ""),
    (item("_modules/torch/nail.html#nail"), State.GONE, "does not lead into the repository", ""),
    ("<p id=other>", State.GONE, "the page has no item `torch.nail`", ""),
    # a stub of a page that has moved within the release, and one that leads out of it
    ("<meta http-equiv=refresh content='0; url=new.html'>", State.MOVED, "only sends its reader on", ""),
    ("<meta http-equiv=refresh content='0; url=/docs/stable/x.html'>", State.GONE, "out of release 2.9", ""),
)


@pytest.mark.parametrize(("body", "state", "words", "note"), PAGES, ids=[row[0][:90] for row in PAGES])
def test_page(body: str, state: State, words: str, note: str) -> None:
    with serving() as server:
        server.pages["/docs/2.9/page.html"] = (200, body, {})
        base = f"http://docs.example:{server.server_port}/docs/2.9/"
        settings = replace(load_settings(ROOT), docs=base)
        source = replace(SOURCE, url=base + "page.html")
        link = Link(url=source.url, card=CARD, pointer=(), source=source)
        (one,) = look([link], settings, Web(refused=lambda ip: False, lookup=lambda host: ["127.0.0.1"]))
    assert one.seen.state is state, one.seen
    assert words in one.seen.words if words else not one.seen.words
    assert note in one.seen.note if note else not one.seen.note


REDIRECTS = (
    ("/docs/2.9/new.html", State.MOVED, "the page has moved"),
    ("/docs/stable/page.html", State.GONE, "the page leads out of release 2.9"),
)


@pytest.mark.parametrize(("to", "state", "words"), REDIRECTS, ids=[row[0] for row in REDIRECTS])
def test_redirect(to: str, state: State, words: str) -> None:
    with serving() as server:
        server.pages["/docs/2.9/page.html"] = (301, "", {"Location": to})
        base = f"http://docs.example:{server.server_port}/docs/2.9/"
        settings = replace(load_settings(ROOT), docs=base)
        source = replace(SOURCE, url=base + "page.html", symbol=None)
        link = Link(url=source.url, card=CARD, pointer=(), source=source)
        (one,) = look([link], settings, Web(refused=lambda ip: False, lookup=lambda host: ["127.0.0.1"]))
    assert (one.seen.state, one.seen.words) == (state, words)
    assert to in one.seen.help
