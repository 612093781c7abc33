"""The installed package that the book is about, read without importing it."""

from __future__ import annotations

import ast
import importlib.metadata
import importlib.util
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, kw_only=True)
class Installed:
    """A package in this Python's path."""

    folder: Path
    """Of the package itself: `…/site-packages/torch`."""
    version: str
    """The release without build label: `2.9.1`, not `2.9.1+cu128`."""
    commit: str
    """`git_version` of the package's `version.py`; empty where it has none."""


def installed(package: str) -> Installed | None:
    """Find the package on this Python's path; None where it is not installed."""
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        return None
    folder = Path(spec.origin).parent
    build = _build(folder / "version.py")
    version = build.get("__version__") or _metadata_version(package)
    return Installed(folder=folder, version=version.partition("+")[0], commit=build.get("git_version", ""))


def _build(file: Path) -> Mapping[str, str]:
    """The string constants that a `version.py` assigns."""
    try:
        tree = ast.parse(file.read_text("utf-8"))
    except (OSError, SyntaxError, ValueError):
        return {}
    return dict(_constants(tree))


def _constants(tree: ast.Module) -> list[tuple[str, str]]:
    found = []
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        value = getattr(node, "value", None)
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            found += [(target.id, value.value) for target in targets if isinstance(target, ast.Name)]
    return found


def _metadata_version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return ""
