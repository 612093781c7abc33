"""What each code of `claimbook check` means, for `claimbook explain`."""

from __future__ import annotations

from collections.abc import Mapping

_EXPLANATIONS: Mapping[str, str] = {
    "CB001": """\
The file is not YAML as cards are written.

YAML has readings that no author means: `no` is false, `1:30` is ninety, `2024-01-01` is a date.
Such a word has
to stand in quotes. Anchors, aliases, tags, merge keys and second documents are refused: a card is
plain data.

  bad:   language: no
  good:  language: 'no'""",
    "CB002": """\
A key stands twice in one mapping. YAML would keep the last one and lose the first without a word.""",
    "CB004": """\
The card has a key that its schema does not know; mostly it is misspelt.

  bad:   defintion: {ru: …, en: …}
  good:  definition: {ru: …, en: …}""",
    "CB005": """\
A key that the schema asks for is missing. Every text, for instance, has both `ru:` and `en:`.""",
    "CB006": """\
A value is not what its key asks for: text where a list is expected, an id with capital letters, an
empty list.""",
    "CB007": """\
The id of a card is the name of its file, so that a page, its evidence and its card are found from
each other.""",
    "CB010": """\
A sentence of a claim has no evidence, so nobody can tell whether it is true.

  bad:   - {ru: …, en: …}
  good:  - {ru: …, en: …, by: [true-frees]}

Name one or more checks of the claim, or a passage as `source/passage` where the sentence is about
what the
documentation says. A caution that nothing can show belongs under `limits:`.""",
    "CB011": """\
A name in `by:` answers to no check of this claim and to no passage of this card.""",
    "CB012": """\
A check has no control. Without parameters under which the expectation fails, nothing shows that it
can fail.

  good:  given: {by: layers}
         expect: {const: 3}
         control: {by: root}""",
    "CB013": """\
A control repeats the parameters of its check. It is the same run, so it meets the expectation as
well, and
`claimbook verify` will call the check unfalsifiable.""",
    "CB014": """\
Something stands in the card that nothing uses: a check, a passage or a source. Name it in a
sentence or delete it.""",
    "CB015": """\
A family, course, entry of the catalog or source that the card names is not there.""",
    "CB016": """\
A relation leads to no card, is of an unknown kind, or stands on both cards. An edge is written on
one card;
the other side is derived from the inverse of its kind. A card that is not written yet is listed under
[tool.claimbook.planned] in pyproject.toml, and leaves that list once it is written.""",
    "CB017": """\
The experiment is not there, or takes no such parameter. `run: module.function` is a function marked
with
@experiment in verifiers/module.py; `given` and `control` name its parameters.""",
    "CB018": """\
An expectation is no JSON Schema, refers to another one, or holds for any observation, which proves
nothing.

  bad:   expect: {}
  good:  expect: {const: 0}""",
    "CB019": """\
`{check-id}` in a text stands for the `const` of a check of the same claim, so that a number is
written once.""",
    "CB020": """\
The address of a source can come to show something else: `stable`, `main` or `latest` move, and so
does an arXiv
address without a version. Documentation is pinned to the release, code to the tag.""",
    "CB021": """\
The two languages differ in a number or in a piece of code. They say the same, or one of them is
wrong.""",
    "CB022": """\
A text is not in the script of its language; perhaps the two were swapped.""",
    "CB023": """\
An alias or a former id leads to two cards.""",
    "CB024": """\
A claim or a myth is called like a part of the page, or like each other. Its id is the anchor that
readers link to and the name of its evidence file, so it can stand for one thing only.""",
}


def explanation(code: str) -> str | None:
    """The meaning of a code and what to do about it; None where it is not a code of this stage."""
    return _EXPLANATIONS.get(code)


CODES = tuple(_EXPLANATIONS)
"""Every code that this stage reports."""
