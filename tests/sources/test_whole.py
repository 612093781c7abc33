"""The whole command against a server: what is printed, what is written, the exit status."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from bad_server import BadServer, serving
from small_book import SETTINGS, write_book, write_package

from claimbook.cli import main

DOCS = "https://docs.example.org/docs/1.2/"


@pytest.fixture
def server() -> Iterator[BadServer]:
    with serving() as running:
        yield running


@pytest.fixture
def root(tmp_path: Path, server: BadServer, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A book whose documentation and repository are on the server, and its package installed."""
    monkeypatch.syspath_prepend(write_package(tmp_path).parent)
    here = f"http://127.0.0.1:{server.server_port}"
    settings = SETTINGS.replace(DOCS, f"{here}/docs/1.2/").replace("https://github.com", here)
    code = f"{here}/example/kit/blob/v1.2.3/kit/_tools.py#L4"
    link = f'<a href="{code}"><span class="viewcode-link">[source]</span></a>'
    page = f'<dl><dt class="sig sig-object" id="kit.Hammer">Hammer{link}</dt></dl>'
    server.pages["/docs/1.2/hammer.html"] = (200, page, {})
    return write_book(tmp_path, (DOCS, f"{here}/docs/1.2/"), settings=settings)


def run(root: Path, *options: str) -> int:
    return main(["sources", "--root", str(root), "--allow-private", *options])


def test_all_is_well(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(root) == 0
    assert capsys.readouterr().out == (
        "the installed kit is v1.2.3: 1 symbol, 1 passage, all as pinned\n2 links: 2 ok\n"
    )
    assert not (root / "evidence").exists()


def test_answers_are_recorded_when_asked_for(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(root, "--record") == 0
    assert capsys.readouterr().out.endswith("wrote evidence/links.json\n")
    links = json.loads((root / "evidence" / "links.json").read_text("utf-8"))["links"]
    assert {entry["state"] for entry in links.values()} == {"ok"}


def test_a_page_that_is_gone_fails_on_its_line(
    root: Path, server: BadServer, capsys: pytest.CaptureFixture[str]
) -> None:
    server.pages["/docs/1.2/hammer.html"] = (404, "", {})
    assert run(root) == 1
    out = capsys.readouterr().out
    assert "concepts/hammer.yml:16:5: error[CB110]: http://127.0.0.1" in out
    assert "2 links: 1 ok, 1 gone" in out


def test_the_words_of_a_page_do_not_reach_the_terminal(
    root: Path, server: BadServer, capsys: pytest.CaptureFixture[str]
) -> None:
    moved = "/docs/1.2/\x1b[31mred\x07"
    server.pages["/docs/1.2/hammer.html"] = (301, "", {"Location": moved})
    assert run(root) == 0
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "\x07" not in out
    assert "docs/1.2/%1B%5B31mred%07" in out


def test_private_addresses_are_not_asked(root: Path, server: BadServer) -> None:
    assert main(["sources", "--root", str(root)]) == 0
    assert not server.asked


def test_a_server_that_is_off_alone_is_no_failure(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (root / "pyproject.toml").read_text("utf-8")
    card = root / "concepts" / "hammer.yml"
    port = text.partition("http://127.0.0.1:")[2].partition("/")[0]
    for file in (root / "pyproject.toml", card):
        file.write_text(file.read_text("utf-8").replace(f"127.0.0.1:{port}", "127.0.0.1:1"), "utf-8")
    assert run(root) == 0
    assert "2 links: 2 unreachable\nnobody answered" in capsys.readouterr().out
