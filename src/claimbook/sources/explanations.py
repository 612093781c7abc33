"""What each code of `claimbook sources` means, for `claimbook explain`."""

from __future__ import annotations

from collections.abc import Mapping

_EXPLANATIONS: Mapping[str, str] = {
    "CB101": """\
The installed package was not built from the commit of the tag that the book is pinned to.

Symbols and passages are read from the installed package. They say something about the pinned release only
if its `version.py` names the commit in [tool.claimbook]. With another release installed, what differs there
is listed as warnings: that is how one learns that a later release says something else.""",
    "CB102": """\
The installed package defines no such symbol.

`symbol` is a dotted public name. It is looked up in the files of the package, through re-exports, base
classes and aliases, without importing anything. Names that come from an extension module have no file.""",
    "CB103": """\
`file` or `line` of a source is not where the installed package defines its symbol.

`line` is the line of the first decorator, or of the definition where there is none; that is where the
[source] links of the documentation lead. `claimbook sources --pin` writes both.""",
    "CB104": """\
A passage stands on other lines than the card says; its text has not changed.

Read the lines named in the message, then write them into `lines`, or run `claimbook sources --pin`.""",
    "CB105": """\
The lines of a passage are not the lines that were pinned.

The fingerprint is the SHA-256 of the lines joined by newlines, each stripped and with runs of white space
as one space. Read what the file says now. If the sentence that the passage backs still follows from it,
pin the passage again; if not, the sentence has to change.""",
    "CB106": """\
A passage does not have the words that it was chosen for.

`has` holds a few telling words. They show a reader of the card what the passage is about, and they keep a
passage from being pinned to the wrong lines.""",
    "CB107": """\
A source has passages or a symbol and does not say in which file they stand.

Without `file` there is no permalink. `claimbook sources --pin` writes `file` and `line` for a symbol.""",
    "CB108": """\
The lines in the address of a code source are not there, or it names another file than `file`.""",
}


def explanation(code: str) -> str | None:
    """The meaning of a code and what to do about it; None where it is not a code of this stage."""
    return _EXPLANATIONS.get(code)


CODES = tuple(_EXPLANATIONS)
"""Every code that this stage reports."""
