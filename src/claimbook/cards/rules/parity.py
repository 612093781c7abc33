"""CB021: both languages give the same numbers and the same code. CB022: each is in its own script."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from claimbook.cards.card import Book, Card, Json, Pointer
from claimbook.cards.rules.finding import finding
from claimbook.diagnostics import Diagnostic, Severity
from claimbook.settings import Settings

_CODE = re.compile(r"`[^`]+`")
_NUMBER = re.compile(r"(?<![A-Za-z_\d])\d+(?:[.,]\d+)*")


def parity(book: Book, settings: Settings) -> Iterator[Diagnostic]:
    """Texts whose two languages differ in numbers or code spans."""
    for card in book.concepts.values():
        for pointer, pair in _pairs(card.data, ()):
            yield from _differences(card, pointer, pair)


def _pairs(node: Json, pointer: Pointer) -> Iterator[tuple[Pointer, dict[str, str]]]:
    """Every `{ru, en}` pair of texts in a card."""
    if isinstance(node, dict):
        if isinstance(node.get("ru"), str) and isinstance(node.get("en"), str):
            yield pointer, node
        for key, value in node.items():
            yield from _pairs(value, (*pointer, key))
    elif isinstance(node, list):
        for at, value in enumerate(node):
            yield from _pairs(value, (*pointer, at))


def _differences(card: Card, pointer: Pointer, pair: dict[str, str]) -> Iterator[Diagnostic]:
    for what, find in (("code", _code), ("numbers", _numbers)):
        ru, en = find(pair["ru"]), find(pair["en"])
        only = {"ru": list((ru - en).elements()), "en": list((en - ru).elements())}
        if any(only.values()):
            language = "en" if only["en"] else "ru"
            where = " and ".join(
                f"{', '.join(words)} only in `{name}`" for name, words in only.items() if words
            )
            message = f"the languages differ in {what}: {where}"
            help = "both say the same; write it in both, or in neither"
            yield finding(card, (*pointer, language), "CB021", message=message, help=help)
    if not re.search("[а-яё]", pair["ru"], re.IGNORECASE) and re.search("[a-z]{3} [a-z]{3}", pair["ru"]):
        yield _script(card, (*pointer, "ru"), "the Russian text has no Cyrillic letter")
    if re.search("[а-яё]", pair["en"], re.IGNORECASE):
        yield _script(card, (*pointer, "en"), "the English text has Cyrillic letters")


def _script(card: Card, pointer: Pointer, message: str) -> Diagnostic:
    help = "perhaps the languages were swapped"
    return finding(card, pointer, "CB022", message=message, help=help, severity=Severity.WARNING)


def _code(text: str) -> Counter[str]:
    return Counter(set(_CODE.findall(text)))


def _numbers(text: str) -> Counter[str]:
    """Numbers outside code, the decimal comma written as a point."""
    return Counter(number.replace(",", ".") for number in _NUMBER.findall(_CODE.sub("", text)))
