"""The settings of a book, and what is said of wrong ones."""

from __future__ import annotations

from pathlib import Path

import pytest
from small import edit, make_book

from claimbook.errors import SettingsError
from claimbook.settings import load_settings


def test_the_settings_are_typed(tmp_path: Path) -> None:
    settings = load_settings(make_book(tmp_path))
    assert settings.languages == ("ru", "en")
    assert settings.relations["uses"].inverse_label["en"] == "is used by"
    assert settings.planned["other"]["ru"] == "Другое"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('tag = "v2.9.1"\n', "", "[tool.claimbook] has no key `tag`"),
        ('tag = "v2.9.1"', "tag = 2.9", "`tag` is 2.9, not text"),
        ("tag =", "tga =", "unknown key `tga`"),
        ('["ru", "en"]', '"ru"', "`languages` is 'ru', not a list of language codes"),
        ('["ru", "en"]', '["ru", "de"]', "`languages`: 'de' is no language that the site speaks"),
        ('{ru = "Книга", en = "Book"}', '{ru = "Книга"}', "`title` has no text in `en`"),
        (
            '{ru = "Другое", en = "Other"}',
            '"Other"',
            "`planned.other` is 'Other', not a text in every language",
        ),
        ('inverse = "used-by"\n', "", "`relations.uses` has no key `inverse`"),
        ('package = "torch"', "package = torch", "Invalid value"),
    ],
)
def test_a_wrong_setting_is_named(tmp_path: Path, old: str, new: str, message: str) -> None:
    book = edit(make_book(tmp_path), old, new, name="pyproject.toml")
    with pytest.raises(SettingsError) as caught:
        load_settings(book)
    assert message in str(caught.value)
    assert str(book / "pyproject.toml") in str(caught.value)


def test_a_project_that_is_no_book(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'other'\n")
    with pytest.raises(SettingsError, match=r"no \[tool\.claimbook\] table"):
        load_settings(tmp_path)
