"""What each code of `claimbook check` means, for `claimbook explain`."""

from __future__ import annotations

from collections.abc import Mapping

_EXPLANATIONS: Mapping[str, str] = {
    "CB001": """\
The file is not YAML as cards are written.

YAML has readings that no author means: `no` is false, `1:30` is ninety, `2024-01-01` is a date.
Such a word has to stand in quotes. Anchors, aliases, tags, merge keys and second documents are
refused: a card is plain data.

  bad:   language: no
  good:  language: 'no'""",
    "CB002": """\
A key stands twice in one mapping. YAML would keep the last one and lose the first without a word.

  bad:   ranks: 2
         ranks: 4
  good:  ranks: 4""",
    "CB004": """\
The card has a key that its schema does not know; mostly it is misspelt.

  bad:   defintion: {ru: …, en: …}
  good:  definition: {ru: …, en: …}""",
    "CB005": """\
A key that the schema asks for is missing. Every text, for instance, has both `ru:` and `en:`.

  bad:   term: {ru: Сетка}
  good:  term: {ru: Сетка, en: Mesh}""",
    "CB006": """\
A value is not what its key asks for: text where a list is expected, an id with capital letters,
an empty list.

  bad:   aliases: FSDP
  good:  aliases: [FSDP]""",
    "CB007": """\
The id of a card is the name of its file, so that a page, its evidence and its card are found from
each other.

  bad:   id: mesh          in concepts/device-mesh.yml
  good:  id: device-mesh   in concepts/device-mesh.yml""",
    "CB010": """\
A sentence of a claim has no evidence, so nobody can tell whether it is true.

  bad:   - {ru: …, en: …}
  good:  - {ru: …, en: …, by: [true-frees]}

Name one or more checks of the claim, or a passage as `source/passage` where the sentence is about
what the documentation says. A caution that nothing can show belongs under `limits:`.""",
    "CB011": """\
A name in `by:` answers to no check of this claim and to no passage of this card. A sentence would
then rest on nothing.

  bad:   by: [true-free]
  good:  by: [true-frees]""",
    "CB012": """\
A check has no control. Without parameters under which the expectation fails, nothing shows that
it can fail.

  bad:   expect: {const: 3}
  good:  given: {by: layers}
         expect: {const: 3}
         control: {by: root}""",
    "CB013": """\
A control repeats the parameters of its check. It is the same run, so it meets the expectation as
well, and `claimbook verify` will call the check unfalsifiable.

  bad:   given: {start: 0}
         control: {start: 0}
  good:  given: {start: 0}
         control: {start: 5}""",
    "CB014": """\
Something stands in the card that nothing uses: a check, a passage or a source. Name it in a
sentence or delete it. What nobody reads is run and kept up for nothing, or was meant for a
sentence that forgot it.

  bad:   checks: {a: …, b: …}   with by: [a]
  good:  checks: {a: …, b: …}   with by: [a, b]""",
    "CB015": """\
A family, course, entry of the catalog or source that the card names is not there. The page would
have a hole there.

  bad:   sources: [docs]   with no `docs` under the sources of the card
  good:  sources: [fully-shard]""",
    "CB016": """\
A relation leads to no card, is of an unknown kind, or stands on both cards. An edge is written on
one card; the other side is derived from the inverse of its kind. A card that is not written yet
is listed under [tool.claimbook.planned] in pyproject.toml, and leaves that list once it is
written.

  bad:   - {to: device-mesh, kind: configures}      the derived side
  good:  - {to: device-mesh, kind: configured-by}""",
    "CB017": """\
The experiment is not there, or takes no such parameter. `run: module.function` is a function
marked with @experiment in verifiers/module.py; `given` and `control` name its parameters.

  bad:   run: fsdp2.msh
  good:  run: fsdp2.mesh""",
    "CB018": """\
An expectation is no JSON Schema, refers to another one, or holds for any observation, which
proves nothing.

  bad:   expect: {}
  good:  expect: {const: 0}""",
    "CB019": """\
`{check-id}` in a text stands for the `const` of a check of the same claim, so that a number is
written once.

  bad:   en: It takes {count} steps.   with no check `count`
  good:  en: It takes {steps} steps.   with steps: {expect: {const: 3}, …}""",
    "CB020": """\
The address of a source can come to show something else: `stable`, `main` or `latest` move, and so
does an arXiv address without a version. Documentation is pinned to the release, code to the tag.

  bad:   https://docs.pytorch.org/docs/stable/fsdp.html
  good:  https://docs.pytorch.org/docs/2.9/fsdp.html""",
    "CB021": """\
The two languages differ in a number or in a piece of code. They say the same, or one of them is
wrong.

  bad:   {ru: Шагов 3., en: There are 4 steps.}
  good:  {ru: Шагов 3., en: There are 3 steps.}""",
    "CB022": """\
A text is not in the script of its language; perhaps the two were swapped.

  bad:   {ru: Mesh of devices, en: Сетка устройств}
  good:  {ru: Сетка устройств, en: Mesh of devices}""",
    "CB023": """\
An alias or a former id leads to two cards. A search or an old link can open only one of them.

  bad:   aliases: [mesh]   on two cards
  good:  aliases: [mesh]   on the card that is about it""",
    "CB024": """\
A claim or a myth is called like a part of the page, or like each other. Its id is the anchor that
readers link to and the name of its evidence file, so it can stand for one thing only.

  bad:   claims: {sources: …}
  good:  claims: {sources-are-read: …}""",
}


def explanation(code: str) -> str | None:
    """The meaning of a code and what to do about it; None where it is not a code of this stage."""
    return _EXPLANATIONS.get(code)


CODES = tuple(_EXPLANATIONS)
"""Every code that this stage reports."""
