"""The settings of a book: `[tool.claimbook]` in its `pyproject.toml`."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from claimbook.errors import SettingsError

Text = Mapping[str, str]
"""One text in every language of the book: language code -> text."""


@dataclass(frozen=True, kw_only=True)
class RelationKind:
    """A typed edge of the concept map, written on one card only; the other side is derived."""

    id: str
    label: Text
    inverse: str
    inverse_label: Text


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What the book is about, said once."""

    root: Path
    title: Text
    languages: tuple[str, ...]
    """Language codes, the default one first."""
    package: str
    release: str
    tag: str
    version: str
    commit: str
    docs: str
    repository: str
    families: Mapping[str, Text]
    relations: Mapping[str, RelationKind]
    planned: Mapping[str, Text]
    """Concepts that cards already name and nobody has written yet: id -> term."""


def load_settings(root: Path) -> Settings:
    """Read the settings of the book under `root`. Raises SettingsError with the file and the key at fault."""
    file = root / "pyproject.toml"
    try:
        project = tomllib.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        raise SettingsError(f"{file}: no such file", help="name the folder of the book with --root") from None
    except OSError as error:
        help = "name the folder of the book with --root"
        raise SettingsError(f"{file}: {error.strerror}", help=help) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{file}: {error}") from None
    tool = project.get("tool")
    table = tool.get("claimbook") if isinstance(tool, dict) else None
    if not isinstance(table, dict):
        raise SettingsError(f"{file}: no [tool.claimbook] table", help="add it, or name another --root")
    return _settings(root, table, file)


def _settings(root: Path, table: dict[str, Any], file: Path) -> Settings:
    check = _Check(file=file)
    check.keys("[tool.claimbook]", table, required=_REQUIRED, optional=("relations", "planned"))
    for key in _TEXTS:
        check.word(key, table[key])
    for key, (address, example) in _ADDRESSES.items():
        if not address.fullmatch(table[key]):
            check.fail(f"`{key}` is {table[key]!r}, not such an address", f"for instance {example}")
    languages = check.languages(table["languages"])
    texts = {f"families.{id}": text for id, text in check.entries("families", table["families"]).items()}
    planned = check.entries("planned", table.get("planned", {}))
    texts |= {"title": table["title"]} | {f"planned.{id}": text for id, text in planned.items()}
    for key, text in texts.items():
        check.text(key, text, languages)
    return Settings(
        root=root,
        title=table["title"],
        languages=languages,
        families=table["families"],
        relations={
            id: _relation(check, id, entry, languages)
            for id, entry in check.entries("relations", table.get("relations", {})).items()
        },
        planned=planned,
        **{key: table[key] for key in _TEXTS},
    )


_TEXTS = ("package", "release", "tag", "version", "commit", "docs", "repository")
_REQUIRED = (*_TEXTS, "title", "languages", "families")
_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_ADDRESSES = {
    "docs": (re.compile(r"https?://[\w.-]+(:\d+)?/\S+/"), "https://docs.pytorch.org/docs/2.9/"),
    "repository": (re.compile(r"https?://[\w.-]+(:\d+)?/\S*[^\s/]"), "https://github.com/pytorch/pytorch"),
}
"""The one ends in a slash, as pages follow it; the other in none, as `/blob/` does."""
LANGUAGES = ("ru", "en")
"""Languages that the interface of the site is written in."""


def _relation(check: _Check, id: str, entry: Any, languages: tuple[str, ...]) -> RelationKind:
    key = f"relations.{id}"
    check.keys(f"`{key}`", check.table(key, entry), required=("label", "inverse", "inverse_label"))
    check.id(f"{key}.inverse", entry["inverse"])
    check.text(f"{key}.label", entry["label"], languages)
    check.text(f"{key}.inverse_label", entry["inverse_label"], languages)
    return RelationKind(id=id, **entry)


@dataclass(frozen=True, kw_only=True)
class _Check:
    """Refuses what is not as it must be; raises SettingsError with the file and the key."""

    file: Path

    def fail(self, message: str, help: str = "") -> NoReturn:
        raise SettingsError(f"{self.file}: {message}", help=help)

    def keys(
        self, name: str, table: Mapping[str, Any], *, required: Sequence[str], optional: Sequence[str] = ()
    ) -> None:
        possible = (*required, *optional)
        for key in table:
            if key not in possible:
                close = difflib.get_close_matches(key, possible, n=1)
                help = f"did you mean `{close[0]}`?" if close else f"possible: {', '.join(possible)}"
                self.fail(f"{name}: unknown key `{key}`", help)
        for key in required:
            if key not in table:
                self.fail(f"{name} has no key `{key}`")

    def table(self, key: str, value: Any) -> Mapping[str, Any]:
        if not isinstance(value, dict):
            self.fail(f"`{key}` is {value!r}, not a table")
        return value

    def word(self, key: str, value: Any) -> None:
        if not isinstance(value, str):
            self.fail(f"`{key}` is {value!r}, not text")
        if not value.strip():
            self.fail(f"`{key}` is empty")

    def id(self, key: str, value: Any) -> None:
        if not isinstance(value, str) or not _ID.fullmatch(value):
            help = "lowercase Latin words joined by hyphens, such as `data-parallelism`"
            self.fail(f"`{key}`: {value!r} is no id", help)

    def entries(self, key: str, value: Any) -> Mapping[str, Any]:
        """A table whose keys are ids: they become parts of addresses."""
        for id in self.table(key, value):
            self.id(key, id)
        return dict(value)

    def languages(self, value: Any) -> tuple[str, ...]:
        if not isinstance(value, list) or not value:
            self.fail(f"`languages` is {value!r}, not a list of language codes")
        for language in value:
            if language not in LANGUAGES:
                help = f"it speaks {', '.join(LANGUAGES)}"
                self.fail(f"`languages`: {language!r} is no language that the site speaks", help)
            if value.count(language) > 1:
                self.fail(f"`languages` names {language!r} twice")
        return tuple(value)

    def text(self, key: str, value: Any, languages: tuple[str, ...]) -> None:
        if not isinstance(value, dict):
            self.fail(f"`{key}` is {value!r}, not a text in every language")
        for language in value:
            if language not in LANGUAGES:
                close = difflib.get_close_matches(language, languages, n=1)
                help = f"did you mean `{close[0]}`?" if close else f"possible: {', '.join(LANGUAGES)}"
                self.fail(f"`{key}`: unknown language `{language}`", help)
        for language in languages:
            if not isinstance(value.get(language), str) or not value[language].strip():
                self.fail(f"`{key}` has no text in `{language}`")
