"""Finds where the installed package defines a public name, by reading its files and importing nothing."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

Definition: TypeAlias = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef

_MAX_HOPS = 40
"""Imports that are followed for one name; a longer way is a circle."""


@dataclass(frozen=True, kw_only=True)
class Found:
    """Where a name is defined."""

    file: str
    """Relative to the folder that holds the package, with slashes: its path in the repository."""
    line: int
    """Of the first decorator, or of the definition: what a documentation's source link points to."""
    end: int


@dataclass(frozen=True, kw_only=True)
class NotFound:
    """Why there is no place in a file of Python."""

    reason: str
    compiled: bool = False
    """The name is there but comes from an extension module."""


@dataclass(frozen=True, kw_only=True)
class _Module:
    """The names that a file defines or imports at its top level, compound statements included."""

    name: str
    path: Path
    definitions: Mapping[str, Definition | ast.stmt]
    imports: Mapping[str, tuple[str, str | None]]
    """Local name -> module, and the name in it (None for the module itself)."""
    stars: Sequence[str]


@dataclass
class Package:
    """The files of one installed package; each is parsed once."""

    folder: Path
    _modules: dict[str, _Module | None] = field(default_factory=dict)

    def find(self, symbol: str) -> Found | NotFound:
        """The definition of a dotted public name, through re-exports, base classes and aliases."""
        parts = symbol.split(".")
        if parts[0] != self.folder.name:
            return NotFound(reason=f"`{symbol}` is not a name in {self.folder.name}")
        name = parts[0]
        taken = 1
        # `torch.amp.autocast_mode` is a module, `torch.distributed.checkpoint.save` a function in a package.
        while taken < len(parts) and self._file(f"{name}.{parts[taken]}"):
            name = f"{name}.{parts[taken]}"
            taken += 1
        return self._inside(name, parts[taken:], hops=0)

    def _inside(self, name: str, rest: Sequence[str], hops: int) -> Found | NotFound:
        module = self._module(name)
        if module is None:
            return self._extension(name, rest)
        if not rest:
            return Found(file=self._shown(module.path), line=1, end=1)
        if hops > _MAX_HOPS:
            return NotFound(reason=f"{name}.{rest[0]} is imported in a circle")
        if rest[0] in module.definitions:
            return self._defined(module, module.definitions[rest[0]], rest, hops)
        if rest[0] in module.imports:
            source, original = module.imports[rest[0]]
            return self._imported(source, original, rest[1:], hops)
        return self._starred(module, rest, hops)

    def _imported(
        self, source: str, original: str | None, rest: Sequence[str], hops: int
    ) -> Found | NotFound:
        if original is None:
            return self._inside(source, rest, hops + 1)
        if self._file(f"{source}.{original}") and not self._names(source, original):
            return self._inside(f"{source}.{original}", rest, hops + 1)
        return self._inside(source, (original, *rest), hops + 1)

    def _starred(self, module: _Module, rest: Sequence[str], hops: int) -> Found | NotFound:
        """The last star import that has the name wins, as it does at run time."""
        for star in reversed(module.stars):
            found = self._inside(star, rest, hops + 1)
            if isinstance(found, Found) or found.compiled:
                return found
        return NotFound(reason=f"{module.name} has no `{rest[0]}`")

    def _defined(
        self, module: _Module, node: Definition | ast.stmt, rest: Sequence[str], hops: int
    ) -> Found | NotFound:
        alias = _alias(node)
        if alias is not None and alias != list(rest[:1]):
            found = self._inside(module.name, (*alias, *rest[1:]), hops + 1)
            if isinstance(found, Found) or len(rest) > 1:
                return found
        if len(rest) == 1:
            return self._place(module, node)
        if not isinstance(node, ast.ClassDef):
            return NotFound(reason=f"{module.name}.{rest[0]} is no class")
        return self._member(module, node, rest[1:], hops)

    def _member(
        self, module: _Module, node: ast.ClassDef, rest: Sequence[str], hops: int
    ) -> Found | NotFound:
        members = _collect(node.body)[0]
        if rest[0] in members:
            member = members[rest[0]]
            if len(rest) == 1:
                return self._place(module, member)
            if isinstance(member, ast.ClassDef):
                return self._member(module, member, rest[1:], hops)
        for base in filter(None, map(_dotted, node.bases)):
            found = self._inside(module.name, (*base, *rest), hops + 1)
            if isinstance(found, Found):
                return found
        return NotFound(reason=f"class {module.name}.{node.name} has no `{rest[0]}`")

    def _place(self, module: _Module, node: Definition | ast.stmt) -> Found:
        decorators = getattr(node, "decorator_list", [])
        line = min([node.lineno, *(decorator.lineno for decorator in decorators)])
        return Found(file=self._shown(module.path), line=line, end=node.end_lineno or node.lineno)

    def _names(self, name: str, word: str) -> bool:
        """Whether a module binds the word itself, rather than having a submodule of that name."""
        module = self._module(name)
        return module is not None and (word in module.definitions or word in module.imports)

    def _module(self, name: str) -> _Module | None:
        if name not in self._modules:
            path = self._file(name)
            self._modules[name] = _read(name, path) if path else None
        return self._modules[name]

    def _file(self, name: str) -> Path | None:
        top, *rest = name.split(".")
        if top != self.folder.name:
            return None
        place = self.folder.joinpath(*rest)
        candidates = [place / "__init__.py"] + ([place.with_name(f"{place.name}.py")] if rest else [])
        return next((path for path in candidates if path.is_file()), None)

    def _extension(self, name: str, rest: Sequence[str]) -> NotFound:
        """A name of an extension module, as far as the stubs beside it tell."""
        top, *below = name.split(".")
        if top != self.folder.name or not below:
            return NotFound(reason=f"there is no module {name}")
        place = self.folder.joinpath(*below)
        stubs = [place.with_name(f"{place.name}.pyi"), place / "__init__.pyi"]
        stub = next((path for path in stubs if path.is_file()), None)
        if stub is None:
            there = any(place.parent.glob(f"{place.name}.*so"))
            return NotFound(reason=f"there is no file of Python for {name}", compiled=there)
        declared = not rest or rest[0] in _collect(_parsed(stub))[0]
        if declared:
            return NotFound(reason=f"it comes from the extension module {name}", compiled=True)
        return NotFound(reason=f"{name} has no `{rest[0]}`")

    def _shown(self, path: Path) -> str:
        return path.relative_to(self.folder.parent).as_posix()


@functools.cache
def _parsed(path: Path) -> Sequence[ast.stmt]:
    """The statements of a file; none where it is no Python that this interpreter reads."""
    try:
        return ast.parse(path.read_bytes()).body
    except (OSError, SyntaxError, ValueError):
        return ()


def _read(name: str, path: Path) -> _Module:
    definitions, imports = _collect(_parsed(path))
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
    return _Module(name=name, path=path, definitions=definitions, imports=bound, stars=stars)


def _absolute(statement: ast.ImportFrom, package: str) -> str:
    if not statement.level:
        return statement.module or ""
    parts = package.split(".")
    above = parts[: len(parts) - statement.level + 1]
    return ".".join([*above, *([statement.module] if statement.module else [])])


def _collect(
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


def _alias(node: ast.stmt) -> list[str] | None:
    """`Old = New` and `Old = module.New`: the names on the right."""
    return _dotted(node.value) if isinstance(node, ast.Assign | ast.AnnAssign) else None


def _dotted(node: ast.expr | None) -> list[str] | None:
    """`a.b.c` as names; of `Generic[T]` the names before the bracket."""
    if isinstance(node, ast.Subscript):
        return _dotted(node.value)
    if isinstance(node, ast.Name):
        return [node.id]
    if isinstance(node, ast.Attribute):
        before = _dotted(node.value)
        return [*before, node.attr] if before else None
    return None
