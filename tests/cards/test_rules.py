"""Each mistake an editor can make: the one line that a person reads first."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from small import CARD, edit, first_lines, make_book, problems

from claimbook.cards import load_book
from claimbook.cards.explanations import CODES, explanation
from claimbook.settings import load_settings

ROOT = Path(__file__).parent.parent.parent

MISTAKES = (
    # the schema: unknown, missing and wrong keys
    ("definition:", "defintion:", "8:1: error[CB004]: unknown key `defintion`"),
    ("  en: Example\n", "", "2:1: error[CB005]: `term` has no `en:`"),
    ("  en: Example\n", "  en: ' '\n", '4:3: error[CB006]: `en` is " "'),
    ("aliases: [sample]", "aliases: sample", '6:1: error[CB006]: `aliases` is "sample", not a list'),
    ("kind: code", "kind: codes", '60:5: error[CB006]: `kind` is "codes"'),
    ("  sum-is-zero:", "  Sum_Is:", "44:3: error[CB006]: `Sum_Is` is no id"),
    ("observe: /total", "observe: a b", '40:9: error[CB006]: `observe` is "a b"'),
    ("ranks: 3", "ranks: 0", "38:9: error[CB006]: `ranks` is 0"),
    ("id: demo\n", "id: dеmo\n", '1:1: error[CB006]: `id` is "dеmo"'),  # a Cyrillic letter
    ("id: demo\n", "id: demos\n", "1:1: error[CB007]: the id `demos` is not the name of the file"),
    # evidence
    (
        "        by: [sum-of-two, sum-code/all-reduce]\n",
        "",
        "20:9: error[CB010]: the sentence has no evidence",
    ),
    ("[sum-of-two, sum", "[sum-of-to, sum", "22:14: error[CB011]: `sum-of-to` is no check of this claim"),
    ("/all-reduce]", "/all-gather]", "22:26: error[CB011]: `all-gather` is no passage of `sum-code`"),
    ("        control: {start: 5}\n", "", "29:7: error[CB012]: the check `sum-of-two` has no control"),
    ("{start: 5}", "{start: 0}", "35:9: warning[CB013]: the control is the same run as the check"),
    ("        by: [sum-of-three]\n", "", "35:7: error[CB014]: no sentence rests on the check `sum-of-three`"),
    # ids
    ("  sum-is-zero:", "  sum:", "44:3: error[CB024]: a claim is called `sum` already"),
    ("  sum-is-zero:", "  sources:", "44:3: error[CB024]: `sources` is the name of a part of the page"),
    # references
    ("family: basics", "family: basic", "7:1: error[CB015]: `basic` is no family of the settings"),
    ("[demo-course]", "[demo-curse]", "78:11: error[CB015]: `demo-curse` is no course"),
    ("sources: [sum-code]", "sources: [code]", "27:15: error[CB015]: `code` is no source of this card"),
    (
        "{to: other, kind: uses}",
        "{to: others, kind: uses}",
        "70:6: error[CB016]: no card `others`, written or planned",
    ),
    (
        "kind: uses}",
        "kind: used-by}",
        "70:17: error[CB016]: `used-by` is no kind of relation of the settings",
    ),
    # experiments and expectations
    (
        "        run: demo.total\n        ranks: 3",
        "        run: demo.totl\n        ranks: 3",
        "37:9: error[CB017]: verifiers/demo.py has no experiment `totl`",
    ),
    ("{start: 5}", "{begin: 5}", "35:19: error[CB017]: `demo.total` takes no parameter `begin`"),
    (
        "expect: {const: 3}",
        "expect: {type: [integer, string, object, array, boolean, number, 'null']}",
        "41:9: error[CB018]: `expect` holds for any observation",
    ),
    ("expect: {const: 3}", "expect: {$ref: '#'}", "41:9: error[CB018]: `expect` refers to another schema"),
    ("expect: {const: 3}", "expect: {type: nothing}", "41:9: error[CB018]: `expect` is no JSON Schema"),
    # texts
    (
        "двух участников равна {sum-of-two}",
        "двух участников равна {sum-of-tow}",
        "20:9: error[CB019]: `{sum-of-tow}` names no check of this claim",
    ),
    (
        "With three ranks the sum is 3.",
        "With three ranks the sum is 4.",
        "25:9: error[CB021]: the languages differ in numbers: 3 only in `ru` and 4 only in `en`",
    ),
    (
        "en: What is the sum?",
        "en: What is `sum`?",
        "75:7: error[CB021]: the languages differ in code: `sum` only in `en`",
    ),
    ("en: For example.", "en: Для примера.", "83:7: warning[CB022]: the English text has Cyrillic letters"),
    # pins
    ("/blob/v2.9.1/", "/blob/main/", "62:5: error[CB020]: the address is not pinned: `main` is not v2.9.1"),
    # addresses that no reader of addresses takes
    ("url: https://github.com/", "url: https://[github.com/", '62:5: error[CB006]: `url` is "https://[git'),
    (
        "url: https://github.com/",
        "url: https://git\u2100hub.com/",
        '62:5: error[CB006]: `url` is "https://git',
    ),
    # YAML
    ("abbr: EX", "abbr: EX\nabbr: EY", "6:1: error[CB002]: duplicate key `abbr`"),
    ("abbr: EX", "abbr:\tEX: a", "5:9: error[CB001]: a colon in unquoted text"),
    (
        "abbr: EX",
        "\tabbr: EX",
        "5:1: error[CB001]: a tab where YAML wants spaces",
    ),
    ("abbr: EX", "abbr: no", "5:7: error[CB001]: `no`: YAML 1.1 reads it as a boolean or null"),
    ("abbr: EX", "abbr: 1:30", "5:7: error[CB001]: `1:30`: YAML 1.1 reads it in base sixty"),
    ("abbr: EX", "abbr: 0o17", "5:7: error[CB001]: `0o17`: YAML 1.1 reads it as an octal number"),
    ("abbr: EX", "abbr: 2024-01-01", "5:7: error[CB001]: `2024-01-01`: YAML 1.1 reads it as a date"),
    ("abbr: EX", "abbr: &name EX", "5:7: error[CB001]: anchor &name"),
    ("abbr: EX", "abbr: *name", "5:7: error[CB001]: alias *name"),
    ("abbr: EX", "abbr: !!str EX", "5:7: error[CB001]: tag tag:yaml.org,2002:str"),
    ("abbr: EX", "<<: {abbr: EX}", "5:1: error[CB001]: merge key <<"),
    ("abbr: EX", "abbr: EX\n---\nid: other", "6:1: error[CB001]: a second document begins here"),
    ("abbr: EX", "abbr: E\u200fX", "5:8: error[CB001]: invisible character RIGHT-TO-LEFT MARK"),
    ("abbr: EX", "abbr: E\u200bX", "5:8: error[CB001]: invisible character ZERO WIDTH SPACE"),
    # a line end to some readers only: the places after it would differ
    ("abbr: EX", "abbr: E\u2028X", "5:8: error[CB001]: invisible character LINE SEPARATOR"),
    ("{const: 3}", "{const: 1e999}", "41:25: error[CB001]: `1e999`: JSON has no such number"),
    ("abbr: EX", "abbr: E\x00X", "5:8: error[CB001]: invisible character U+0000"),
    (
        "abbr: EX",
        "abbr: и\u0306",
        "5:1: error[CB001]: letters with separate accents (text is not in Unicode form NFC)",
    ),
    ("abbr: EX", f"abbr: {'[' * 60}{']' * 60}", "5:47: error[CB001]: nested more than 40 levels deep"),
)


@pytest.mark.parametrize(
    ("old", "new", "message"), MISTAKES, ids=[line.split(": ", 2)[2] for *_, line in MISTAKES]
)
def test_one_mistake_is_one_message_at_its_place(tmp_path: Path, old: str, new: str, message: str) -> None:
    book = edit(make_book(tmp_path), old, new)
    (line,) = first_lines(book)
    assert line.startswith(f"concepts/demo.yml:{message}")


def test_nothing_is_wrong_with_the_small_book(tmp_path: Path) -> None:
    assert problems(make_book(tmp_path)) == ()


def test_nothing_is_wrong_with_the_real_book() -> None:
    assert load_book(load_settings(ROOT))[1] == ()


FILES = (
    (b"", "1:1: error[CB001]: is empty"),
    (b"\xef\xbb\xbfid: demo", "1:1: error[CB001]: starts with a byte order mark"),
    ("id: demo".encode("utf-16"), "1:1: error[CB001]: is UTF-16"),
    (b"id: demo\nabbr: \xff", "2:7: error[CB001]: is not UTF-8"),
    ("id: пример".encode() + b"\xff", "1:11: error[CB001]: is not UTF-8"),  # letters, not bytes
    (b"#" * 1_000_001, "1:1: error[CB001]: is larger than 1,000,000 bytes"),
    (b"- a list", "1:1: error[CB006]: the card is"),
)


@pytest.mark.parametrize(("content", "message"), FILES, ids=[message for _, message in FILES])
def test_a_file_that_is_no_card(tmp_path: Path, content: bytes, message: str) -> None:
    book = make_book(tmp_path)
    (book / "concepts" / "demo.yml").write_bytes(content)
    assert first_lines(book)[0].startswith(f"concepts/demo.yml:{message}")


def test_a_folder_and_a_broken_link_named_like_cards(tmp_path: Path) -> None:
    book = make_book(tmp_path)
    (book / "concepts" / "folder.yml").mkdir()
    (book / "concepts" / "link.yml").symlink_to("nowhere")
    assert [line.partition(":")[0] for line in first_lines(book)] == [
        "concepts/folder.yml",
        "concepts/link.yml",
    ]


def test_a_pipe_named_like_a_card_is_not_waited_for(tmp_path: Path) -> None:
    book = make_book(tmp_path)
    os.mkfifo(book / "concepts" / "pipe.yml")
    assert first_lines(book)[0].startswith(
        "concepts/pipe.yml:1:1: error[CB001]: is a folder or a broken link"
    )


@pytest.mark.parametrize(
    "code",
    [
        "def total(:\n",
        "x = " + "-" * 100_000 + "1\n",  # deeper than the parser goes
        "x = '\x00'\n",
    ],
    ids=["syntax", "depth", "zero"],
)
def test_a_verifier_that_is_no_python(tmp_path: Path, code: str) -> None:
    book = make_book(tmp_path)
    (book / "verifiers" / "demo.py").write_text(code, "utf-8")
    lines = first_lines(book)
    assert lines
    assert all("error[CB017]: verifiers/demo.py cannot be read: " in line for line in lines)


def test_python_does_not_warn_of_a_verifier_over_the_report(tmp_path: Path) -> None:
    # warnings are errors here
    edit(
        make_book(tmp_path), "import torch\n", "import torch\nodd = 1if 1 else 2\n", name="verifiers/demo.py"
    )
    assert problems(tmp_path) == ()


def test_carriage_returns_are_line_ends(tmp_path: Path) -> None:
    book = make_book(tmp_path)
    (book / "concepts" / "demo.yml").write_bytes(CARD.replace("\n", "\r\n").encode())
    assert problems(book) == ()


def test_a_planned_card_that_is_written(tmp_path: Path) -> None:
    book = edit(make_book(tmp_path), "planned.other", "planned.demo", name="pyproject.toml")
    assert any("`demo` is written, and still listed as planned" in line for line in first_lines(book))


def test_a_relation_written_on_both_cards(tmp_path: Path) -> None:
    book = edit(make_book(tmp_path), "planned.other = {", "planned.another = {", name="pyproject.toml")
    text = CARD.replace("id: demo\n", "id: other\n").replace("aliases: [sample]\n", "")
    kind = "\n[tool.claimbook.relations.twin]\nlabel = {ru = 'а', en = 'a'}\ninverse = 'twin'\n"
    kind += "inverse_label = {ru = 'а', en = 'a'}\n"
    (book / "pyproject.toml").write_text((book / "pyproject.toml").read_text("utf-8") + kind, "utf-8")
    (book / "concepts/other.yml").write_text(
        text.replace("to: other, kind: uses", "to: demo, kind: twin"), "utf-8"
    )
    edit(book, "{to: other, kind: uses}", "{to: other, kind: twin}")
    assert first_lines(book) == [
        "concepts/other.yml:69:6: error[CB016]: the relation stands on `demo` as well"
    ]


def test_an_alias_of_two_cards(tmp_path: Path) -> None:
    book = edit(make_book(tmp_path), "planned.other = {", "planned.another = {", name="pyproject.toml")
    text = CARD.replace("id: demo\n", "id: other\n").replace("to: other", "to: demo")
    (book / "concepts/other.yml").write_text(text.replace("[sample]", "[Sample]"), "utf-8")
    edit(book, "{to: other, kind: uses}", "{to: another, kind: uses}")
    assert first_lines(book) == [
        "concepts/other.yml:6:11: error[CB023]: `Sample` leads to the card `demo` already"
    ]


def test_every_code_is_explained_and_no_other() -> None:
    source = Path(load_book.__code__.co_filename).parent
    used = {
        code
        for file in source.rglob("*.py")
        if file.name != "explanations.py"
        for code in re.findall(r'"(CB\d{3})"', file.read_text("utf-8"))
    }
    assert used == set(CODES)


@pytest.mark.parametrize("code", CODES)
def test_an_explanation_shows_what_is_wrong_and_what_is_right(code: str) -> None:
    text = explanation(code) or ""
    assert text.index("\n\n  bad:   ") < text.index("\n  good:  ")
    assert text[0].isupper() or text[0] == "`"


def test_no_explanation_of_an_unknown_code() -> None:
    assert explanation("CB003") is None
