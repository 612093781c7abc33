"""The settings of a book: `[tool.claimbook]` in its `pyproject.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

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
        table = tomllib.loads(file.read_text("utf-8"))["tool"]["claimbook"]
    except FileNotFoundError:
        raise SettingsError(f"{file}: no such file", help="name the folder of the book with --root") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{file}: {error}") from None
    except KeyError:
        raise SettingsError(
            f"{file}: no [tool.claimbook] table", help="add it, or name another --root"
        ) from None
    return _settings(root, table, file)


def _settings(root: Path, table: dict[str, Any], file: Path) -> Settings:
    try:
        return Settings(
            root=root,
            title=table["title"],
            languages=tuple(table["languages"]),
            package=table["package"],
            release=table["release"],
            tag=table["tag"],
            version=table["version"],
            commit=table["commit"],
            docs=table["docs"],
            repository=table["repository"],
            families=table["families"],
            relations={
                kind: RelationKind(
                    id=kind,
                    label=entry["label"],
                    inverse=entry["inverse"],
                    inverse_label=entry["inverse_label"],
                )
                for kind, entry in table.get("relations", {}).items()
            },
            planned=table.get("planned", {}),
        )
    except KeyError as missing:
        raise SettingsError(f"{file}: [tool.claimbook] has no key {missing}") from None
