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
delete `sha256` and run `claimbook sources --pin`; if not, the sentence has to change.""",
    "CB106": """\
A passage does not have the words that it was chosen for.

`has` holds a few telling words. They show a reader of the card what the passage is about, and they keep a
passage from being pinned to the wrong lines.""",
    "CB107": """\
A source has passages or a symbol and does not say in which file they stand.

Without `file` there is no permalink. `claimbook sources --pin` writes `file` and `line` for a symbol.""",
    "CB108": """\
The lines in the address of a code source are not there, or it names another file than `file`.""",
    "CB110": """\
The server says that the page is not there (404 or 410).""",
    "CB111": """\
The page has moved for good; the new address is the help.

Only permanent redirects from the start of the chain on count, and pages that send their reader on. A warning:
the reader still arrives. Before writing the new address, look whether it says the same.""",
    "CB112": """\
The page is there and the place on it is not: no element has the fragment as its `id` or `name`, or a page of
the documentation does not document the symbol.

Fragments that a script makes cannot be seen and are `unsure` instead. Line anchors of code hosts are held
against the installed package.""",
    "CB113": """\
A page of the pinned documentation leads to another release, by a redirect or by sending its reader on.""",
    "CB114": """\
The [source] link of a documented item does not lead to the tag, or not to the file and line that define it.

Classes whose module was rewritten have no [source] link; that is counted and is no failure.""",
    "CB115": """\
A link was not looked at: it is not http or https, holds a password, or leads to an address that is private,
loopback or link-local, itself or by a redirect. --allow-private asks such addresses too.""",
    "CB116": """\
Somebody answered, and the answer does not settle whether the page is there: a refusal (401, 403), too many
requests (429), a failing server (5xx), a test for robots, a login, a circle of redirects, a certificate that
is not trusted, a page that breaks off or is too large.

A warning, as long as it has not lasted.""",
}


def explanation(code: str) -> str | None:
    """The meaning of a code and what to do about it; None where it is not a code of this stage."""
    return _EXPLANATIONS.get(code)


CODES = tuple(_EXPLANATIONS)
"""Every code that this stage reports."""
