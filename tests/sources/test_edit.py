"""Single values written into YAML: everything else stays as it was, comments and all."""

from __future__ import annotations

import pytest

from claimbook.sources.edit import with_value

TEXT = """\
# card
sources:
  молоток:  # why
    kind: docs   # the kind
    line: 3  # to be checked
    title: >-
      Long
      title
    passages:
      one: {has: [a, "b: c"]}  # flow
      two:
        lines: [1, 2]   # here
"""

EDITS = (
    # a value that is there: its comment stays
    (("line", "12", ("kind",)), ("    line: 3  #", "    line: 12  #"), ()),
    # a new key goes on a line of its own after the one that is named
    (("file", "x.py", ("symbol", "kind")), ("# the kind\n", "# the kind\n    file: x.py\n"), ()),
    # blocks of lines end where the next key begins, so the new key goes before them
    (("file", "x.py", ("title",)), ("    title:", "    file: x.py\n    title:"), ()),
    (("file", "x.py", ("passages",)), ("    passages", "    file: x.py\n    passages"), ()),
    # in braces
    (("lines", "[3, 4]", ("has",)), ('"b: c"]}', '"b: c"], lines: [3, 4]}'), ("passages", "one")),
    # at the end of the file, and a value that is a list
    (("sha256", "abc", ("lines",)), ("# here\n", "# here\n        sha256: abc\n"), ("passages", "two")),
    (("lines", "[5, 6]", ()), ("[1, 2]", "[5, 6]"), ("passages", "two")),
)


@pytest.mark.parametrize(("edit", "change", "below"), EDITS, ids=[str(row[0]) for row in EDITS])
def test_only_the_value_changes(
    edit: tuple[str, str, tuple[str, ...]], change: tuple[str, str], below: tuple[str, ...]
) -> None:
    key, value, after = edit
    assert TEXT.count(change[0]) == 1
    assert with_value(TEXT, ("sources", "молоток", *below), key, value=value, after=after) == TEXT.replace(
        *change
    )


def test_a_file_may_end_without_a_newline() -> None:
    assert with_value("a:\n  b: 1", ("a",), "c", value="2", after=("b",)) == "a:\n  b: 1\n  c: 2\n"


def test_line_ends_stay_what_they_are() -> None:
    edited = with_value("a:\r\n  b: 1\r\n", ("a",), "c", value="2", after=("b",))
    assert edited == "a:\r\n  b: 1\r\n  c: 2\r\n"


def test_no_mapping_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        with_value(TEXT, ("sources", "nail"), "c", value="2", after=("b",))
