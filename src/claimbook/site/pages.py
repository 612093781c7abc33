"""Finished pages of a book in one language, without MkDocs: from cards and evidence to HTML."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jinja2

from claimbook.cards.card import Book, Concept
from claimbook.settings import Settings
from claimbook.site import prose
from claimbook.site.command import advised_command, run_commands
from claimbook.site.figures import mesh_figure
from claimbook.site.page import Entry, Heading, Page
from claimbook.site.proof import Proof, expectation, main_environment, proof, shown
from claimbook.site.words import FIGURES, LANGUAGES, LEVELS, LINKS, MARKS, VERDICTS, words
from claimbook.sources import permalink
from claimbook.sources.record import LinkRecord
from claimbook.verdicts import EnvironmentEvidence
from claimbook.verdicts.verdict import Verdict

HERE = Path(__file__).parent


@dataclass(frozen=True, kw_only=True)
class Library:
    """All that pages are made of."""

    settings: Settings
    book: Book
    evidence: tuple[EnvironmentEvidence, ...] = ()
    links: Mapping[str, LinkRecord] = field(default_factory=dict)
    """The last answer to each address, where one was recorded."""
    errors: Mapping[str, str] = field(default_factory=dict)
    """What is wrong with a card now, by id; its last good version is in the book."""


def pages(library: Library, language: str) -> Iterator[Page]:
    """Every page of the book in one language: start page, sections, concepts, courses, catalog."""
    shelf = _Shelf(library=library, language=language)
    yield shelf.home()
    for family in shelf.families():
        yield shelf.section(family)
    yield shelf.courses()
    yield shelf.catalog()
    for card in library.book.concepts.values():
        yield shelf.concept(card)


@cache
def _templates() -> jinja2.Environment:
    # Autoescape: what is not Markup is data.
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"inline": prose.inline, "block": prose.block, "plain": prose.plain}
    environment.filters |= {"shown": shown, "expectation": expectation}
    return environment


@dataclass(frozen=True, kw_only=True)
class _Shelf:
    """The pages of one language."""

    library: Library
    language: str

    @property
    def settings(self) -> Settings:
        return self.library.settings

    def families(self) -> Sequence[str]:
        """Families that have a card, in the order of the settings."""
        used = {card.family for card in self.library.book.concepts.values()}
        return [family for family in self.settings.families if family in used]

    def render(self, template: str, root: str, **context: Any) -> str:
        """A template with the words of the language; `root` leads from the page to the language's root."""
        return (
            _templates()
            .get_template(template)
            .render(
                # A namespace: on a mapping, `t.copy` would be the method of that name.
                t=SimpleNamespace(**words(self.language)),
                language=self.language,
                verdict_words={verdict: text[self.language] for verdict, text in VERDICTS.items()},
                marks=MARKS,
                settings=self.settings,
                book=self.library.book,
                root=root,
                **context,
            )
        )

    def address(self, card: Concept) -> str:
        return f"{card.family}/{card.id}/"

    def home(self) -> Page:
        """The start page of the language."""
        families = [
            {
                "id": family,
                "name": self.settings.families[family][self.language],
                "cards": self.members(family),
            }
            for family in self.families()
        ]
        return Page(
            address="",
            title=words(self.language)["home"],
            description=words(self.language)["intro"],
            html=self.render("home.html", "", families=families),
            in_sidebar=True,
        )

    def members(self, family: str) -> Sequence[Mapping[str, Any]]:
        """The cards of a family with their proofs, for lists."""
        return [
            {"card": card, "address": self.address(card), "proofs": self.proofs(card)}
            for card in self.library.book.concepts.values()
            if card.family == family
        ]

    def section(self, family: str) -> Page:
        """The page of a family."""
        name = self.settings.families[family][self.language]
        return Page(
            address=f"{family}/",
            title=name,
            description=name,
            html=self.render("section.html", "../", cards=self.members(family), name=name),
            in_sidebar=True,
        )

    def courses(self) -> Page:
        """The list of all courses."""
        name = words(self.language)["all_courses"]
        body = self.render("courses.html", "../", levels=_in(LEVELS, self.language))
        return Page(address="courses/", title=name, description=name, html=body, in_sidebar=True)

    def catalog(self) -> Page:
        """The list of all GPUs with their figures."""
        name = words(self.language)["all_gpus"]
        body = self.render("catalog.html", "../", figure_names=_in(FIGURES, self.language))
        return Page(address="catalog/", title=name, description=name, html=body, in_sidebar=True)

    def proofs(self, card: Concept) -> Sequence[Proof]:
        """The claims of a card with their evidence."""
        return [self.proof(card, claim) for claim in card.claims.values()]

    def proof(self, card: Concept, claim: Any) -> Proof:
        evidence = main_environment(self.library.evidence, self.settings)
        return proof(card, claim, language=self.language, evidence=evidence, settings=self.settings)

    def concept(self, card: Concept) -> Page:
        """The page of a concept."""
        claims = self.proofs(card)
        myths = [(myth, self.proof(card, myth)) for myth in card.myths.values()]
        environment = main_environment(self.library.evidence, self.settings)
        relations = self.relations(card)
        body = self.render(
            "concept.html",
            "../../",
            card=card,
            claims=claims,
            myths=myths,
            status=_status(claims),
            environment=environment,
            exercises=[
                (it, environment and environment.exercises.get(f"{card.id}#{it.id}"))
                for it in card.exercises.values()
            ],
            relations=relations,
            related=sorted({term for _, terms in relations for term in terms}),
            advised_command=advised_command,
            run_commands=run_commands,
            last_check=self.last_check,
            levels=_in(LEVELS, self.language),
            figure_names=_in(FIGURES, self.language),
            language_names=LANGUAGES,
            figure=lambda seen, id: mesh_figure(seen, words=words(self.language), id=id),
            error=self.library.errors.get(card.id, ""),
            family_name=self.settings.families[card.family][self.language],
            permalink=_permalink(self.settings),
        )
        term = card.term[self.language]
        return Page(
            address=self.address(card),
            title=f"{term} ({card.abbr})" if card.abbr else term,
            description=prose.plain(card.definition[self.language]),
            html=body,
            headings=tuple(self.headings(card)),
            entries=tuple(self.entries(card, claims, [proof for _, proof in myths])),
        )

    def last_check(self, url: str) -> str:
        """What was last recorded of a link, in words."""
        record = self.library.links.get(url)
        if record is None:
            return words(self.language)["link_not_checked"]
        return f"{LINKS[record.state][self.language]}, {record.date.isoformat()}"

    def headings(self, card: Concept) -> Iterator[Heading]:
        """The table of contents: the same ids in every language."""
        t = words(self.language)
        claims = tuple(
            Heading(id=claim.id, text=prose.plain(claim.title[self.language]))
            for claim in card.claims.values()
        )
        parts = (
            ("definition", True, ()),
            ("why", True, ()),
            ("map", bool(card.relations), ()),
            ("claims", True, claims),
            ("myths", bool(card.myths), ()),
            ("check-yourself", bool(card.check_yourself), ()),
            ("exercise", bool(card.exercises), ()),
            ("sources", True, ()),
            ("related", bool(self.relations(card)), ()),
            ("courses", bool(card.courses), ()),
            ("catalog", bool(card.catalog), ()),
        )
        for id, there, children in parts:
            if there:
                yield Heading(id=id, text=t[id.replace("-", "_")], children=children)

    def entries(self, card: Concept, claims: Sequence[Proof], myths: Sequence[Proof]) -> Iterator[Entry]:
        """What the search knows of a card: the page, then each claim and myth at its anchor."""
        address, language = self.address(card), self.language
        names = " ".join([card.abbr or "", *card.aliases, *card.forms.get(language, ())])
        text = " ".join([card.definition[language], card.why[language], names])
        yield Entry(location=address, title=card.term[language], text=prose.plain(text))
        for claim in claims:
            said = " ".join(sentence.text for sentence in (*claim.says, *claim.limits))
            title = card.claims[claim.id].title[language]
            yield Entry(location=f"{address}#{claim.id}", title=prose.plain(title), text=prose.plain(said))
        for myth in myths:
            said = card.myths[myth.id].said[language]
            seen = " ".join(sentence.text for sentence in myth.says)
            yield Entry(
                location=f"{address}#{myth.id}", title=prose.plain(said), text=prose.plain(f"{said} {seen}")
            )

    def relations(self, card: Concept) -> Sequence[tuple[str, Sequence[tuple[str, str]]]]:
        """Label of an edge -> the terms at its other end with their addresses, empty for planned ones.

        An edge is written on one card; on the other it is read through the inverse of its kind.
        """
        grouped: dict[str, list[tuple[str, str]]] = {}
        for edge in card.relations:
            label = self.settings.relations[edge.kind].label[self.language]
            grouped.setdefault(label, []).append(self.term(edge.to))
        for other in self.library.book.concepts.values():
            for edge in other.relations:
                if edge.to == card.id:
                    label = self.settings.relations[edge.kind].inverse_label[self.language]
                    grouped.setdefault(label, []).append(self.term(other.id))
        return list(grouped.items())

    def term(self, id: str) -> tuple[str, str]:
        """A term and its address from the language's root; the address is empty for a planned card."""
        card = self.library.book.concepts.get(id)
        if card is not None:
            return card.term[self.language], self.address(card)
        return self.settings.planned.get(id, {}).get(self.language, id), ""


def _permalink(settings: Settings) -> Callable[..., str]:
    return lambda source, passage=None: permalink(settings, source, passage)


def _in(texts: Mapping[str, Mapping[str, str]], language: str) -> Mapping[str, str]:
    return {name: text[language] for name, text in texts.items()}


def _status(claims: Sequence[Proof]) -> Mapping[str, Any]:
    """Totals of a card, and its worst verdict."""
    rows = [row for claim in claims for row in claim.rows]
    return {
        "claims": len(claims),
        "claims_verified": sum(claim.verdict is Verdict.VERIFIED for claim in claims),
        "checks": len(rows),
        "checks_verified": sum(row.verdict is Verdict.VERIFIED for row in rows),
        "not_run": sum(row.verdict is Verdict.NOT_RUN for row in rows),
        "dates": sorted({claim.evidence.date for claim in claims if claim.evidence}),
        "bad": [claim for claim in claims if claim.verdict is not Verdict.VERIFIED],
    }
