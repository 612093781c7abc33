"""One file of a package as the names that it binds, read without importing it."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

Definition: TypeAlias = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, kw_only=True)
class Module:
    """The names that a file defines or imports at its top level, compound statements included."""

    name: str
    path: Path
    definitions: Mapping[str, Definition | ast.stmt]
    imports: Mapping[str, tuple[str, str | None]]
    """Local name -> module, and the name in it (None for the module itself)."""
    stars: Sequence[str]


@functools.cache
def parsed(path: Path) -> Sequence[ast.stmt]:
    """The statements of a file; none where it is no Python that this interpreter reads."""
    try:
        return ast.parse(path.read_bytes()).body
    except (OSError, SyntaxError, ValueError):
        return ()


def read_module(name: str, path: Path) -> Module:
    definitions, imports = collect(parsed(path))
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    bound: dict[str, tuple[str, str | None]] = {}
    stars = []
    for statement in imports:
        if isinstance(statement, ast.Import):
            for one in statement.names:
                local = one.asname or one.name.partition(".")[0]
                bound[local] = (one.name if one.asname else local, None)
            continue
        source = _absolute(statement, package)
        for one in statement.names:
            if one.name == "*":
                stars.append(source)
            else:
                bound[one.asname or one.name] = (source, one.name)
    return Module(name=name, path=path, definitions=definitions, imports=bound, stars=stars)


def _absolute(statement: ast.ImportFrom, package: str) -> str:
    if not statement.level:
        return statement.module or ""
    parts = package.split(".")
    above = parts[: len(parts) - statement.level + 1]
    return ".".join([*above, *([statement.module] if statement.module else [])])


def collect(
    body: Sequence[ast.stmt],
) -> tuple[dict[str, Definition | ast.stmt], list[ast.Import | ast.ImportFrom]]:
    """What a body binds: definitions by name (the last one, as at run time) and imports in order."""
    definitions: dict[str, Definition | ast.stmt] = {}
    imports: list[ast.Import | ast.ImportFrom] = []
    for node in _statements(body):
        if isinstance(node, ast.Import | ast.ImportFrom):
            imports.append(node)
        elif isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = definitions.get(node.name)
            if not _setter(node) or first is None:
                definitions[node.name] = node
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                if isinstance(target, ast.Name):
                    definitions.setdefault(target.id, node)
    return definitions, imports


def _statements(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements of a body and of the `if`, `try` and `with` in it."""
    for node in body:
        yield node
        if isinstance(node, ast.If):
            # What only type checkers read counts as well: packages declare there what they bind by code.
            yield from _statements(node.body)
            yield from _statements(node.orelse)
        elif isinstance(node, ast.Try):
            # The way without the exception binds last, so that it wins.
            for handler in node.handlers:
                yield from _statements(handler.body)
            yield from _statements([*node.body, *node.orelse, *node.finalbody])
        elif isinstance(node, ast.With):
            yield from _statements(node.body)


def _setter(node: Definition) -> bool:
    """Whether this is `@name.setter` or the like: `name` stays where its getter is."""
    return any(
        isinstance(decorator, ast.Attribute)
        and decorator.attr in ("setter", "deleter")
        and isinstance(decorator.value, ast.Name)
        and decorator.value.id == node.name
        for decorator in node.decorator_list
    )


def aliased(node: ast.stmt) -> list[str] | None:
    """`Old = New` and `Old = module.New`: the names on the right."""
    return dotted(node.value) if isinstance(node, ast.Assign | ast.AnnAssign) else None


def dotted(node: ast.expr | None) -> list[str] | None:
    """`a.b.c` as names; of `Generic[T]` the names before the bracket."""
    if isinstance(node, ast.Subscript):
        return dotted(node.value)
    if isinstance(node, ast.Name):
        return [node.id]
    if isinstance(node, ast.Attribute):
        before = dotted(node.value)
        return [*before, node.attr] if before else None
    return None
