"""The built site in Chromium: what a reader does."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from built import served
from playwright.sync_api import Page, expect, sync_playwright

pytestmark = pytest.mark.browser

CONCEPT = "data-parallelism/fsdp2/"


@pytest.fixture(scope="module")
def chromium() -> str:
    """The browser; without it the tests are skipped by name."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None:
        pytest.skip("no Chromium on this machine (apt install chromium)")
    return found


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    """Where the built site is served."""
    with served(site) as address:
        yield address


@pytest.fixture(scope="module")
def page(chromium: str, address: str) -> Iterator[Page]:
    """A page that fails the test on an error in the console and on a request that leaves the site."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page()
        problems: list[str] = []
        page.on("console", lambda it: problems.append(it.text) if it.type == "error" else None)
        page.on("pageerror", lambda it: problems.append(str(it)))
        page.on(
            "request", lambda it: None if it.url.startswith((address, "data:")) else problems.append(it.url)
        )
        yield page
        assert problems == []
        browser.close()


def test_the_root_leads_to_russian(page: Page, address: str) -> None:
    page.goto(address)
    page.wait_for_url(f"{address}ru/")
    expect(page.locator("html")).to_have_attribute("lang", "ru")


def test_the_language_switch_stays_on_the_claim(page: Page, address: str) -> None:
    page.goto(f"{address}ru/{CONCEPT}#parameter-groups")
    page.get_by_label("Выберите язык").hover()
    page.locator("a.cb-language[hreflang=en]").click()
    page.wait_for_url(f"{address}en/{CONCEPT}#parameter-groups")
    expect(page.locator("h1")).to_contain_text("Fully sharded data parallelism")


def test_dark_or_light_is_chosen_for_all_languages(page: Page, address: str) -> None:
    page.goto(f"{address}ru/{CONCEPT}")
    page.locator("label[for=__palette_1]").click()
    expect(page.locator("body")).to_have_attribute("data-md-color-scheme", "slate")
    for path in ("en/", f"en/{CONCEPT}", "ru/"):
        page.goto(f"{address}{path}")
        expect(page.locator("body")).to_have_attribute("data-md-color-scheme", "slate")
    page.evaluate("localStorage.clear()")


def test_a_mark_leads_to_the_evidence(page: Page, address: str) -> None:
    page.goto(f"{address}en/{CONCEPT}")
    row = page.locator("#reshard-after-forward--true-frees")
    expect(row).not_to_be_visible()
    page.locator("a.cb-mark[href='#reshard-after-forward--true-frees']").first.click()
    expect(row).to_be_visible()


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("ru", "участниками"),  # an inflected form that stands in no text
        ("ru", "разделением градиентов"),  # two words, both inflected
        ("en", "gathering"),  # an English form that the stemmer has to find
        ("ru", "fully_shard"),  # an alias
    ],
)
def test_the_search_finds_word_forms(page: Page, address: str, language: str, words: str) -> None:
    # A query in the address waits for the index by itself; typed before that, it would be lost.
    page.goto(f"{address}{language}/?q={words}")
    expect(page.locator(".md-search-result__item").first).to_be_visible(timeout=10_000)
    assert CONCEPT in str(page.locator(".md-search-result__link").first.get_attribute("href"))


def test_nothing_is_wider_than_a_phone(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 375, "height": 800})
    for path in ("ru/", f"ru/{CONCEPT}", f"en/{CONCEPT}", "en/catalog/", "ru/courses/"):
        page.goto(f"{address}{path}")
        assert page.evaluate("document.documentElement.scrollWidth") == 375, path
