"""What evidence is about, as one fingerprint: any difference makes the evidence stale. Needs no torch."""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from claimbook.cards.card import Claim, Exercise, Myth
from claimbook.verdicts.verdict import Environment

EVIDENCE_VERSION = 1
"""Raised when the same cards and experiments would leave other evidence."""

PACKAGE = "verifiers"


class Digests:
    """Fingerprints of the claims of one book; reads each module of experiments once."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._modules: dict[str, _Module | None] = {}

    def of(self, subject: Claim | Myth | Exercise, environment: Environment) -> str:
        """Of its text and checks, the experiments and what they import, release and commit of the package."""
        runs = [subject.run] if isinstance(subject, Exercise) else [c.run for c in subject.checks.values()]
        content = {
            "version": EVIDENCE_VERSION,
            "subject": plain(subject),
            "modules": self._sources(run.rpartition(".")[0] for run in runs),
            "torch": environment.torch,
            "commit": environment.commit,
        }
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()

    def _sources(self, names: Iterator[str]) -> dict[str, str]:
        """Fingerprints of the modules and of every module of the package that they import."""
        found: dict[str, str] = {}
        waiting = ["", *names]
        while waiting:
            name = waiting.pop()
            if name in found:
                continue
            module = self._module(name)
            found[name] = module.fingerprint if module else ""
            waiting += module.imports if module else ()
        return found

    def _module(self, name: str) -> _Module | None:
        if name not in self._modules:
            self._modules[name] = _find(self.root / PACKAGE, name)
        return self._modules[name]


class _Module:
    """One source file below `verifiers`; the package itself has the empty name."""

    def __init__(self, name: str, content: bytes, *, is_package: bool) -> None:
        self.name, self.content, self.is_package = name, content, is_package

    @cached_property
    def fingerprint(self) -> str:
        return hashlib.sha256(self.content).hexdigest()

    @cached_property
    def imports(self) -> tuple[str, ...]:
        """Modules below `verifiers` that it imports; some may turn out to be names in a module."""
        try:
            tree = ast.parse(self.content)
        except (SyntaxError, ValueError):
            return ()
        names = [name for node in ast.walk(tree) for name in self._imported(node)]
        return tuple(name.removeprefix(f"{PACKAGE}.") for name in names if name.startswith(f"{PACKAGE}."))

    def _imported(self, node: ast.AST) -> Iterator[str]:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            origin = ".".join(filter(None, (*self._above(node.level), node.module or "")))
            yield origin
            yield from (f"{origin}.{alias.name}" for alias in node.names)

    def _above(self, level: int) -> list[str]:
        """The package that a relative import of that many dots starts from."""
        if not level:
            return []
        parts = [PACKAGE, *filter(None, self.name.split("."))]
        return parts[: len(parts) - level + self.is_package]


def _find(folder: Path, name: str) -> _Module | None:
    path = folder.joinpath(*filter(None, name.split(".")))
    for file, is_package in ((path.with_suffix(".py"), False), (path / "__init__.py", True)):
        if not (name or is_package):
            continue
        try:
            return _Module(name, file.read_bytes(), is_package=is_package)
        except (OSError, ValueError):
            continue
    return None


def plain(value: Any) -> Any:
    """The same as JSON values. Fields that have their default value are left out, so that a new kind of
    field leaves the fingerprints of cards that do not use it as they were."""
    if is_dataclass(value) and not isinstance(value, type):
        return {
            field.name: plain(getattr(value, field.name))
            for field in fields(value)
            if getattr(value, field.name) != _default(field)
        }
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value


def _default(field: Field[Any]) -> Any:
    if field.default_factory is not MISSING:
        return field.default_factory()
    return field.default
