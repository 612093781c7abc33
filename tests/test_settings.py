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
        ('tag = "v2.9.1"', "tag = ' '", "`tag` is empty"),
        ('["ru", "en"]', '["ru", "en", "ru"]', "`languages` names 'ru' twice"),
        ('["ru", "en"]', '[["ru"], "en"]', "`languages`: ['ru'] is no language that the site speaks"),
        ('{ru = "Основы", en = "Basics"}', '{ru = "Основы"}', "`families.basics` has no text in `en`"),
        (', en = "Basics"}', ', en = "Basics", eng = "Basics"}', "`families.basics`: unknown language `eng`"),
        # it becomes a folder of the site
        ("families.basics", 'families."../basics"', "`families`: '../basics' is no id"),
        ("planned.other", "planned.Other", "`planned`: 'Other' is no id"),
        ('inverse = "used-by"', "inverse = []", "`relations.uses.inverse`: [] is no id"),
        ('label = {ru = "использует", en = "uses"}', "lable = 1", "`relations.uses`: unknown key `lable`"),
        # no release in the address, and a slash too few or too many
        (
            'pytorch.org/docs/2.9/"',
            'pytorch.org/"',
            "`docs` is 'https://docs.pytorch.org/', not such an address",
        ),
        ('docs/2.9/"', 'docs/2.9"', "`docs` is 'https://docs.pytorch.org/docs/2.9', not such an address"),
        (
            'pytorch/pytorch"',
            'pytorch/pytorch/"',
            "`repository` is 'https://github.com/pytorch/pytorch/', not",
        ),
    ],
)
def test_a_wrong_setting_is_named(tmp_path: Path, old: str, new: str, message: str) -> None:
    book = edit(make_book(tmp_path), old, new, name="pyproject.toml")
    with pytest.raises(SettingsError) as caught:
        load_settings(book)
    assert message in str(caught.value)
    assert str(book / "pyproject.toml") in str(caught.value)


def test_a_misspelt_key_is_suggested(tmp_path: Path) -> None:
    book = edit(make_book(tmp_path), "release =", "relaese =", name="pyproject.toml")
    with pytest.raises(SettingsError) as caught:
        load_settings(book)
    assert caught.value.help == "did you mean `release`?"


@pytest.mark.parametrize(
    "content",
    ["[project]\nname = 'other'\n", "tool = 3\n", "[tool]\nclaimbook = 'x'\n", "[[tool.claimbook]]\na = 1\n"],
)
def test_a_project_that_is_no_book(tmp_path: Path, content: str) -> None:
    (tmp_path / "pyproject.toml").write_text(content)
    with pytest.raises(SettingsError, match=r"no \[tool\.claimbook\] table"):
        load_settings(tmp_path)
