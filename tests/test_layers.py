"""Data flows down the layout of the design, and no import goes up it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "claimbook"
LAYERS = (
    "errors",
    "settings",
    "diagnostics",
    "cards",
    "experiment",
    "verdicts",
    "sources",
    "site",
    "commands",
    "cli",
)
MODULES = sorted(path for path in SOURCE.rglob("*.py") if path.parent != SOURCE or path.stem in LAYERS)

RANK_SIDE = "experiment"
"""Where torch may be imported: ranks run there, and only there."""


def imports(path: Path) -> Iterator[str]:
    """Every module that a file imports, inside functions too."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            assert node.module is not None
            yield node.module


def layer(path: Path) -> int:
    """The place of a file in the layout."""
    return LAYERS.index(path.relative_to(SOURCE).parts[0].removesuffix(".py"))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_no_import_goes_up(path: Path) -> None:
    for name in imports(path):
        if name.startswith("claimbook."):
            assert LAYERS.index(name.split(".")[1]) <= layer(path), f"imports {name}"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_torch_is_imported_where_ranks_run(path: Path) -> None:
    if path.relative_to(SOURCE).parts[0] != RANK_SIDE:
        assert "torch" not in {name.split(".")[0] for name in imports(path)}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_renderers_are_imported_where_pages_are_made(path: Path) -> None:
    if path.relative_to(SOURCE).parts[0] != "site":
        assert not {name.split(".")[0] for name in imports(path)} & {"mkdocs", "jinja2", "markdown_it"}


def test_mkdocs_stays_in_the_plugin() -> None:
    users = {path.name for path in MODULES if "mkdocs" in {name.split(".")[0] for name in imports(path)}}
    assert users <= {"plugin.py"}
