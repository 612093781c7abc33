"""Pages without MkDocs: what each part shows, and what no text of a card can do."""

from __future__ import annotations

import datetime
import re
import shlex
from dataclasses import replace
from html import unescape

import pytest
from made_up import library

from claimbook.cards.card import Json
from claimbook.cards.rules.anchors import RESERVED
from claimbook.site import Library, Page, pages
from claimbook.site.words import LANGUAGES, VERDICTS, WORDS
from claimbook.sources.record import LinkRecord
from claimbook.sources.state import State
from claimbook.verdicts.verdict import Verdict

PARTS = (
    "definition",
    "why",
    "map",
    "claims",
    "myths",
    "check-yourself",
    "exercise",
    "sources",
    "related",
    "courses",
    "catalog",
)

HOSTILE = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "[a](javascript:alert(1))",
    "[a](data:text/html,<script>alert(1)</script>)",
    "{{ 7 * 7 }} {% raw %}",
    "--8<-- 'pyproject.toml'",
    "{: onclick=alert(1) }",
    '"><svg onload=alert(1)>',
)


def concept(library: Library, language: str = "ru") -> Page:
    """The page of FSDP2."""
    return next(page for page in pages(library, language) if page.address.endswith("/fsdp2/"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_part_of_a_concept_is_on_its_page(language: str) -> None:
    page = concept(library(), language)
    ids = re.findall(r'<h[23] id="([^"]+)"', page.html)
    assert [id for id in ids if id in PARTS] == list(PARTS)
    assert [heading.id for heading in page.headings] == list(PARTS)


def test_ids_are_ascii_once_each_and_the_same_in_both_languages() -> None:
    found = {
        language: re.findall(r' id="([^"]+)"', concept(library(), language).html) for language in LANGUAGES
    }
    assert found["ru"] == found["en"]
    assert all(id.isascii() for id in found["ru"])
    assert len(set(found["ru"])) == len(found["ru"])


def test_no_claim_can_take_the_id_of_a_part() -> None:
    assert {*PARTS, "top"} <= RESERVED


def test_each_sentence_of_a_claim_shows_what_backs_it() -> None:
    made = library()
    page = concept(made)
    sentences = re.findall(
        r'<span class="cb-sentence">(.*?)</span>\s*(?=<span class="cb-sentence">|</p>)', page.html, re.S
    )
    card = made.book.concepts["fsdp2"]
    assert len(sentences) == sum(len(claim.says) for claim in card.claims.values())
    assert all("cb-mark" in sentence or "cb-quote" in sentence for sentence in sentences)


def test_the_table_shows_given_expected_observed_and_control() -> None:
    row = re.search(
        r'<tr id="reshard-after-forward--true-frees".*?</tr>', concept(library(), "en").html, re.S
    )
    assert row is not None
    text = re.sub(r"\s+", " ", re.sub("<[^>]+>", " ", row[0]))
    assert "fsdp2_reshard.reshard_after_forward ranks: 4 value=true" in text
    assert text.count("{&#34;layers&#34;: 0, &#34;root&#34;: 0}") == 2
    assert "value=false : &#34;other&#34;" in text


@pytest.mark.parametrize("verdict", [verdict for verdict in Verdict if verdict is not Verdict.VERIFIED])
def test_a_verdict_that_is_not_good_is_said_at_the_top_and_at_the_claim(verdict: Verdict) -> None:
    page = concept(library(verdict))
    top, _, rest = page.html.partition('id="definition"')
    assert f'href="#parameter-groups">{VERDICTS[verdict]["ru"]}' in top
    assert f'<p class="cb-banner cb-{verdict}">' in rest
    assert "cb-badge cb-verified" not in page.html


def test_without_evidence_nothing_is_called_verified() -> None:
    page = concept(replace(library(), evidence=()))
    assert "cb-badge cb-verified" not in page.html
    assert WORDS["no_evidence"]["ru"] in page.html


def test_the_figure_is_drawn_from_observations() -> None:
    page = concept(library(), "en")
    figure = page.html.partition("<svg")[2].partition("</svg>")[0]
    assert re.findall(r'class="cb-group-(\d)".*?cb-rank[^>]*>(\d)<', figure) == [
        ("0", "0"),
        ("0", "1"),
        ("1", "2"),
        ("1", "3"),
    ]
    assert "shard group A: 0, 1; shard group B: 2, 3" in figure
    assert re.findall(r'class="cb-group"[^>]*>(\w)<', figure) == ["A", "A", "B", "B"]


@pytest.mark.parametrize("text", HOSTILE)
def test_a_text_of_a_card_is_only_shown(text: str) -> None:
    both = {"ru": text, "en": text}
    card = library().book.concepts["fsdp2"]
    claim = next(iter(card.claims.values()))
    sentence = replace(claim.says[0], text=both)
    changed = replace(claim, title=both, says=(sentence,), limits=(sentence,))
    made = library(
        term=both, abbr=text, aliases=(text,), definition=both, why=both, claims={claim.id: changed}
    )
    for page in pages(made, "ru"):
        assert not re.search(
            r"<script|<img|<svg onload|<[^>]*\son\w+\s*=|href=\"?(javascript|data):", page.html
        )
    assert "49" not in re.findall(r"<h1[^>]*>(.*?)</h1>", concept(made).html, re.S)[0]


def test_an_advice_names_the_run_as_the_card_does_it() -> None:
    assert "claimbook run fsdp2.mesh --ranks 8 --given &#39;mesh=[2,4]&#39;" in concept(library()).html


def test_the_evidence_names_each_run_of_its_checks_once() -> None:
    made = library()
    html = concept(made, "en").html.partition('id="two-dimensional-mesh"')[2].partition("</section>")[0]
    copied = [unescape(it) for it in re.findall(r'data-copy="(claimbook run [^"]+)"', html)]
    assert "claimbook run fsdp2.mesh --ranks 8 --given 'mesh=[2,4]'" in copied
    assert len(set(copied)) == len(copied)
    checks = made.book.concepts["fsdp2"].claims["two-dimensional-mesh"].checks.values()
    assert {it.split()[2] for it in copied} == {check.run for check in checks}


@pytest.mark.parametrize(
    ("value", "argument"),
    [
        ("layers", "value=layers"),
        ("true", 'value="true"'),  # a text that the command would take for a truth value
        (True, "value=true"),
        ([2, 4], "value=[2,4]"),
    ],
)
def test_a_copied_command_gives_the_parameter_of_the_card(value: Json, argument: str) -> None:
    card = library().book.concepts["fsdp2"]
    claim = card.claims["parameter-groups"]
    check = replace(next(iter(claim.checks.values())), given={"value": value})
    changed = replace(claim, checks={check.id: check}, says=(), limits=())
    html = concept(library(claims={claim.id: changed})).html
    assert shlex.quote(argument) in unescape(html)


def test_links_to_other_hosts_keep_their_scheme() -> None:
    both = {"ru": "[docs](https://docs.pytorch.org/)", "en": "x"}
    assert '<a href="https://docs.pytorch.org/">docs</a>' in concept(library(why=both)).html


def test_the_search_knows_names_claims_and_myths() -> None:
    made = library()
    card = made.book.concepts["fsdp2"]
    entries = {entry.location: entry for entry in concept(made).entries}
    address = "data-parallelism/fsdp2/"
    assert "fully_shard" in entries[address].text
    assert {f"{address}#{id}" for id in (*card.claims, *card.myths)} < entries.keys()
    assert not any(re.search(r"\{[a-z-]+\}", entry.text) for entry in entries.values())


def test_a_source_shows_its_pin_and_its_last_check() -> None:
    made = library()
    source = made.book.concepts["fsdp2"].sources["fully-shard"]
    page = concept(made, "en")
    assert "blob/v2.9.1/torch/distributed/fsdp/_fully_shard/_fully_shard.py#L85" in page.html
    assert "blob/v2.9.1/torch/distributed/fsdp/_fully_shard/_fully_shard.py#L129-L130" in page.html
    assert f"({WORDS['link_not_checked']['en']})" in page.html
    day = datetime.date(2026, 11, 30)
    record = LinkRecord(state=State.GONE, date=day, since=day, ok=None)
    assert "(the page is gone, 2026-11-30)" in concept(replace(made, links={source.url: record}), "en").html


def test_a_broken_card_says_so_on_its_last_good_page() -> None:
    page = concept(replace(library(), errors={"fsdp2": "concepts/fsdp2.yml:3: <unclosed>"}))
    assert WORDS["error_banner"]["ru"] in page.html
    assert "concepts/fsdp2.yml:3: &lt;unclosed&gt;" in page.html


def test_every_word_is_in_every_language() -> None:
    assert all(set(text) == set(LANGUAGES) for text in (*WORDS.values(), *VERDICTS.values()))
