"""A small book about a small package, for the tests of sources."""

from __future__ import annotations

import textwrap
from pathlib import Path

from claimbook.sources.passage import fingerprint

COMMIT = "0123456789abcdef0123456789abcdef01234567"

SETTINGS = f"""\
[tool.claimbook]
title = {{ru = "Книга", en = "Book"}}
languages = ["ru", "en"]
package = "kit"
release = "1.2"
tag = "v1.2.3"
version = "1.2.3"
commit = "{COMMIT}"
docs = "https://docs.example.org/docs/1.2/"
repository = "https://github.com/example/kit"

[tool.claimbook.families]
tools = {{ru = "Инструменты", en = "Tools"}}
"""

CARD = """\
id: hammer
term: {ru: Молоток, en: Hammer}
family: tools
definition: {ru: Бьёт., en: It hits.}
why: {ru: Нужен., en: One needs it.}
claims:
  hits:
    title: {ru: Удар, en: Blow}
    says:
      - {ru: Бьёт., en: It hits., by: [hammer/strikes]}
    sources: [hammer]
sources:
"""

CODE = """\
def nail():
    pass

@decorated
class Hammer:
    \"\"\"A hammer.

    It strikes   nails
    on the head.
    \"\"\"
"""

SOURCE = f"""\
hammer:
  kind: docs
  title: kit.Hammer
  url: https://docs.example.org/docs/1.2/hammer.html
  symbol: kit.Hammer
  file: kit/_tools.py
  line: 4
  passages:
    strikes:
      lines: [8, 9]
      has: [strikes nails]
      sha256: {fingerprint(["It strikes nails", "on the head."])}
"""


def write_package(root: Path) -> Path:
    """Write the installed package; returns its folder."""
    folder = root / "site-packages" / "kit"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("from ._tools import Hammer, nail\n", "utf-8")
    (folder / "_tools.py").write_text(CODE, "utf-8")
    (folder / "version.py").write_text(f"__version__ = '1.2.3+cpu'\ngit_version = '{COMMIT}'\n", "utf-8")
    return folder


def write_book(root: Path, *edits: tuple[str, str], settings: str = SETTINGS) -> Path:
    """Write a book with one card, words of its sources replaced; returns its root."""
    sources = SOURCE
    for before, after in edits:
        assert before in sources
        sources = sources.replace(before, after)
    book = root / "book"
    (book / "concepts").mkdir(parents=True, exist_ok=True)
    (book / "pyproject.toml").write_text(settings, "utf-8")
    (book / "concepts" / "hammer.yml").write_text(CARD + textwrap.indent(sources, "  "), "utf-8")
    return book
