"""The built site: its files, its links, and that it asks nobody else for anything."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin

import pytest
from built import build
from made_up import ROOT

from claimbook.site.words import LANGUAGES

CONCEPT = "data-parallelism/fsdp2/"


class Links(HTMLParser):
    """Collects what a page links to, loads, and offers as anchors."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.loads: list[str] = []
        self.ids: set[str] = set()
        self.feed(html)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Note the attributes that matter."""
        found = dict(attributes)
        if found.get("id"):
            self.ids.add(str(found["id"]))
        if tag == "a" and found.get("href"):
            self.targets.append(str(found["href"]))
        loaded = found.get("src") or (found.get("href") if tag == "link" else None)
        if loaded and found.get("rel", "").strip() not in ("alternate", "canonical"):  # type: ignore[union-attr]
            self.loads.append(loaded)


def pages_of(site: Path) -> Iterator[tuple[str, str]]:
    """Address and HTML of every page."""
    for file in sorted(site.rglob("*.html")):
        yield file.relative_to(site).as_posix(), file.read_text("utf-8")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_is_a_site_of_its_own(site: Path, language: str) -> None:
    html = (site / language / CONCEPT / "index.html").read_text("utf-8")
    assert f'<html lang="{language}"' in html
    assert {f'hreflang="{other}" href' for other in LANGUAGES} <= set(
        re.findall(r'hreflang="\w+" href', html)
    )
    index = json.loads((site / language / "search" / "search_index.json").read_text("utf-8"))
    assert any(doc["location"] == f"{CONCEPT}#parameter-groups" for doc in index["docs"])
    assert index["config"]["lang"][0] == language


def test_the_root_leads_to_russian(site: Path) -> None:
    html = (site / "index.html").read_text("utf-8")
    assert 'content="0; url=ru/"' in html
    assert not (site / "assets").exists()
    assert "/ru/" in (site / "404.html").read_text("utf-8")


def test_every_link_inside_the_site_leads_somewhere(site: Path) -> None:
    parsed = {name: Links(html) for name, html in pages_of(site)}
    wrong = []
    for name, page in parsed.items():
        for target in (*page.targets, *page.loads):
            if re.match("https?:|mailto:|data:", target):
                continue
            path, fragment = urldefrag(urljoin(f"http://site/{name}", target))
            file = unquote(path.removeprefix("http://site/")) or "index.html"
            file = f"{file}index.html" if file.endswith("/") else file
            missing = fragment and file in parsed and fragment not in parsed[file].ids
            if not (site / file).is_file() or missing:
                wrong.append((name, target))
    assert wrong == []


def test_no_page_loads_anything_from_elsewhere(site: Path) -> None:
    for name, html in pages_of(site):
        assert [it for it in Links(html).loads if re.match("(https?:)?//", it)] == [], name
    for file in site.rglob("*.css"):
        assert not re.search(r"@import|url\([\"']?(https?:)?//", file.read_text("utf-8")), file


def test_two_builds_are_the_same_bytes(site: Path, tmp_path: Path) -> None:
    build(ROOT, tmp_path / "again")
    left = {file.relative_to(site): file.read_bytes() for file in site.rglob("*") if file.is_file()}
    again = tmp_path / "again"
    right = {file.relative_to(again): file.read_bytes() for file in again.rglob("*") if file.is_file()}
    assert left.keys() == right.keys()
    assert [name for name in left if left[name] != right[name] and name.name != "sitemap.xml.gz"] == []


def test_a_broken_card_fails_a_strict_build(tmp_path: Path) -> None:
    for name in ("concepts", "courses", "catalog", "verifiers"):
        shutil.copytree(ROOT / name, tmp_path / name)
    for name in ("pyproject.toml", "mkdocs.yml"):
        shutil.copy(ROOT / name, tmp_path / name)
    assets = str(ROOT / "src/claimbook/site/assets")
    config = (tmp_path / "mkdocs.yml").read_text("utf-8").replace("src/claimbook/site/assets", assets)
    (tmp_path / "mkdocs.yml").write_text(config, "utf-8")
    card = tmp_path / "concepts" / "fsdp2.yml"
    card.write_text(card.read_text("utf-8").replace("family:", "famly:"), "utf-8")
    with pytest.raises(AssertionError, match="unknown key `famly`"):
        build(tmp_path, tmp_path / "site")


def test_the_search_worker_is_patched(site: Path) -> None:
    worker = next((site / "ru" / "assets" / "javascripts" / "workers").glob("search.*.js"))
    check = subprocess.run(
        ["grep", "-c", "withStem", str(worker)], capture_output=True, text=True, check=True
    )
    assert int(check.stdout) > 0
