"""Evidence goes stale with what it is about, and with nothing else."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from small import edit, make_book

from claimbook.cards import load_book
from claimbook.settings import load_settings
from claimbook.verdicts.digest import Digests
from claimbook.verdicts.evidence import exercises, subjects
from claimbook.verdicts.verdict import Environment

HERE = Environment(torch="2.9.1", commit="5811a8d", device="cpu", backend="gloo")


@pytest.fixture
def book(tmp_path: Path) -> Path:
    make_book(tmp_path)
    (tmp_path / "verifiers" / "tools.py").write_text("from verifiers.deep import DEPTH\n", "utf-8")
    (tmp_path / "verifiers" / "deep.py").write_text("DEPTH = 3\n", "utf-8")
    (tmp_path / "verifiers" / "other.py").write_text("import verifiers.demo\n", "utf-8")
    return edit(tmp_path, "import torch\n", "import torch\nfrom . import tools\n", name="verifiers/demo.py")


def digests(root: Path, environment: Environment = HERE) -> dict[str, str]:
    """Of everything that has evidence, by its name."""
    cards, _ = load_book(load_settings(root))
    found = Digests(root)
    return {name: found.of(subject, environment) for name, subject in (*subjects(cards), *exercises(cards))}


def changed(before: dict[str, str], after: dict[str, str]) -> set[str]:
    assert before.keys() == after.keys()
    return {name.partition("#")[2] for name in before if before[name] != after[name]}


ALL = {"sum", "sum-is-zero", "how-much"}

EDITS: list[tuple[str, str, str, set[str]]] = [
    # The words of a claim, in either language, its limits and its title.
    ("concepts/demo.yml", "The sum of the numbers", "A sum of the numbers", {"sum"}),
    ("concepts/demo.yml", "Сумма номеров", "Сложение номеров", {"sum"}),
    ("concepts/demo.yml", "У трёх участников", "У троих участников", {"sum"}),
    ("concepts/demo.yml", "Sum of ranks", "Total of ranks", {"sum"}),
    ("concepts/demo.yml", "The sum is zero.", "A sum is zero.", {"sum-is-zero"}),
    # Its checks and controls; a boolean is not a number.
    ("concepts/demo.yml", "expect: {const: 3}", "expect: {const: 4}", {"sum"}),
    ("concepts/demo.yml", "{start: 5}", "{start: 7}", {"sum"}),
    ("concepts/demo.yml", "expect: {const: 1}", "expect: {const: true}", {"sum"}),
    ("concepts/demo.yml", "ranks: 3", "ranks: 4", {"sum"}),
    ("concepts/demo.yml", "What is the sum?", "What is a sum?", {"how-much"}),
    # The experiment, and whatever it imports from the package: comments too, it is the file that counts.
    ("verifiers/demo.py", "@experiment\n", "# A comment\n@experiment\n", ALL),
    ("verifiers/tools.py", "import DEPTH", "import DEPTH as DEPTH", ALL),
    ("verifiers/deep.py", "3", "4", ALL),
    # What is about something else.
    ("verifiers/other.py", "import verifiers.demo", "# A comment\nimport verifiers.demo", set()),
    ("concepts/demo.yml", "A card for tests.", "A card for trials.", set()),
    ("concepts/demo.yml", "abbr: EX", "# A comment\nabbr: EX", set()),
    ("concepts/demo.yml", "        ranks: 2\n", "", set()),
]


@pytest.mark.parametrize(("name", "old", "new", "stale"), EDITS)
def test_an_edit_changes_what_is_about_it(book: Path, name: str, old: str, new: str, stale: set[str]) -> None:
    before = digests(book)
    edit(book, old, new, name=name)
    assert changed(before, digests(book)) == stale


def test_a_file_put_beside_changes_nothing(book: Path) -> None:
    before = digests(book)
    (book / "verifiers" / "new.py").write_text("x = 1\n", "utf-8")
    assert changed(before, digests(book)) == set()


def test_a_module_that_goes_changes_what_imports_it(book: Path) -> None:
    before = digests(book)
    (book / "verifiers" / "deep.py").unlink()
    assert changed(before, digests(book)) == ALL


def test_an_import_in_a_function_counts(book: Path) -> None:
    edit(book, "    number =", "    import verifiers.late\n    number =", name="verifiers/demo.py")
    before = digests(book)
    (book / "verifiers" / "late.py").write_text("x = 1\n", "utf-8")
    assert changed(before, digests(book)) == ALL


def test_a_package_of_the_package_counts(book: Path) -> None:
    (book / "verifiers" / "faults").mkdir()
    (book / "verifiers" / "faults" / "__init__.py").write_text("from .. import other2\n", "utf-8")
    edit(book, "import torch\n", "import torch\nfrom verifiers import faults\n", name="verifiers/demo.py")
    before = digests(book)
    (book / "verifiers" / "other2.py").write_text("x = 1\n", "utf-8")
    assert changed(before, digests(book)) == ALL


@pytest.mark.parametrize("field", ["torch", "commit"])
def test_another_release_makes_all_stale(book: Path, field: str) -> None:
    assert changed(digests(book), digests(book, replace(HERE, **{field: "other"}))) == ALL


def test_the_device_has_a_folder_of_its_own_instead(book: Path) -> None:
    assert changed(digests(book), digests(book, replace(HERE, device="cuda", backend="nccl"))) == set()


def test_an_experiment_that_cannot_be_parsed_still_counts(book: Path) -> None:
    before = digests(book)
    (book / "verifiers" / "demo.py").write_bytes(b"\xff\xfe not Python \0")
    assert changed(before, digests(book)) == ALL
