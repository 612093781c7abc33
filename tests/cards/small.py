"""A minimal valid book in a folder of a test, and edits of its card."""

from __future__ import annotations

from pathlib import Path

from claimbook.cards import load_book
from claimbook.diagnostics import Diagnostic, as_text
from claimbook.settings import load_settings

PROJECT = """\
[tool.claimbook]
title = {ru = "Книга", en = "Book"}
languages = ["ru", "en"]
package = "torch"
release = "2.9"
tag = "v2.9.1"
version = "2.9.1"
commit = "5811a8d7da873dd699ff6687092c225caffcf1bb"
docs = "https://docs.pytorch.org/docs/2.9/"
repository = "https://github.com/pytorch/pytorch"
families.basics = {ru = "Основы", en = "Basics"}
planned.other = {ru = "Другое", en = "Other"}

[tool.claimbook.relations.uses]
label = {ru = "использует", en = "uses"}
inverse = "used-by"
inverse_label = {ru = "используется в", en = "is used by"}
"""

CARD = """\
id: demo
term:
  ru: Пример
  en: Example
abbr: EX
aliases: [sample]
family: basics
definition:
  ru: Карточка для проверок.
  en: A card for tests.
why:
  ru: На ней видно правила.
  en: It shows the rules.
claims:
  sum:
    title:
      ru: Сумма рангов
      en: Sum of ranks
    says:
      - ru: Сумма номеров двух участников равна {sum-of-two}.
        en: The sum of the numbers of two ranks is {sum-of-two}.
        by: [sum-of-two, sum-code/all-reduce]
    limits:
      - ru: У трёх участников сумма равна 3.
        en: With three ranks the sum is 3.
        by: [sum-of-three]
    sources: [sum-code]
    checks:
      sum-of-two:
        run: demo.total
        ranks: 2
        given: {start: 0}
        observe: total
        expect: {const: 1}
        control: {start: 5}
      sum-of-three:
        run: demo.total
        ranks: 3
        given: {start: 0}
        observe: /total
        expect: {const: 3}
        control: [{start: 1}, {start: 2}]
myths:
  sum-is-zero:
    said:
      ru: Сумма равна нулю.
      en: The sum is zero.
    instead:
      ru: Она равна единице.
      en: It is one.
      by: [not-zero]
    checks:
      not-zero:
        run: demo.total
        observe: total
        expect: {not: {const: 0}}
        control: {start: -0.5}
sources:
  sum-code:
    kind: code
    title: all_reduce
    url: https://github.com/pytorch/pytorch/blob/v2.9.1/torch/distributed/distributed_c10d.py
    file: torch/distributed/distributed_c10d.py
    passages:
      all-reduce:
        lines: [2845, 2846]
        has: [all_reduce]
        sha256: 0000000000000000000000000000000000000000000000000000000000000000
relations:
  - {to: other, kind: uses}
exercises:
  how-much:
    ask:
      ru: Чему равна сумма?
      en: What is the sum?
    run: demo.total
    observe: total
courses: [demo-course]
catalog:
  - gpu: demo-gpu
    note:
      ru: Для примера.
      en: For example.
"""

COURSE = """\
id: demo-course
title: A course
provider: Somebody
url: https://example.org/course
language: en
kind: course
level: beginner
access: free
"""

GPU = """\
id: demo-gpu
name: G1
vendor: Somebody
architecture: One
form_factor: PCIe
figures:
  memory_gb: {value: 80, source: "https://example.org/g1", vendor: true, seen: true}
"""

VERIFIER = """\
import torch
import torch.distributed as dist

from claimbook.experiment import Observations, Rank, experiment


@experiment
def total(rank: Rank, *, start: float = 0) -> Observations:
    number = torch.tensor(rank.rank + start)
    dist.all_reduce(number)
    return {"total": number.item()}
"""

FILES = {
    "pyproject.toml": PROJECT,
    "concepts/demo.yml": CARD,
    "courses/demo-course.yml": COURSE,
    "catalog/demo-gpu.yml": GPU,
    "verifiers/__init__.py": "",
    "verifiers/demo.py": VERIFIER,
}


def make_book(folder: Path) -> Path:
    """Write the book; `claimbook check` finds nothing in it."""
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return folder


def edit(book: Path, old: str, new: str, *, name: str = "concepts/demo.yml") -> Path:
    """Replace the one place of `old` in a file of the book."""
    text = (book / name).read_text("utf-8")
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times"
    (book / name).write_text(text.replace(old, new), "utf-8")
    return book


def problems(book: Path) -> tuple[Diagnostic, ...]:
    """What the checker finds."""
    return load_book(load_settings(book))[1]


def first_lines(book: Path) -> list[str]:
    """The first line of each diagnostic as a person reads it."""
    return [as_text([problem], root=book).splitlines()[0] for problem in problems(book)]
