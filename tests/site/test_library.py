"""What stays on the pages while the book is edited."""

from __future__ import annotations

from pathlib import Path

import pytest
from small import edit, make_book

from claimbook.errors import SettingsError
from claimbook.site.library import LastGood


def test_wrong_settings_leave_the_last_good_ones(tmp_path: Path) -> None:
    root, kept = make_book(tmp_path), LastGood()
    before, wrong = kept.read(root)
    assert wrong == ""
    edit(root, 'tag = "v2.9.1"', "tag = ", name="pyproject.toml")
    after, wrong = kept.read(root)
    assert after == before
    assert wrong.startswith(f"the settings are wrong, the last good ones stay\n{root / 'pyproject.toml'}: ")


def test_settings_that_never_were_right_are_an_error(tmp_path: Path) -> None:
    root = make_book(tmp_path)
    edit(root, 'tag = "v2.9.1"\n', "", name="pyproject.toml")
    with pytest.raises(SettingsError, match="has no key `tag`"):
        LastGood().read(root)
