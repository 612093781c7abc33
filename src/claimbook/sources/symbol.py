"""Finds where the installed package defines a public name, by reading its files and importing nothing."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from claimbook.sources.module import Definition, Module, aliased, collect, dotted, parsed, read_module

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


@dataclass
class Package:
    """The files of one installed package; each is parsed once."""

    folder: Path
    _modules: dict[str, Module | None] = field(default_factory=dict)

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

    def _starred(self, module: Module, rest: Sequence[str], hops: int) -> Found | NotFound:
        """The last star import that has the name wins, as it does at run time."""
        for star in reversed(module.stars):
            found = self._inside(star, rest, hops + 1)
            if isinstance(found, Found) or found.compiled:
                return found
        return NotFound(reason=f"{module.name} has no `{rest[0]}`")

    def _defined(
        self, module: Module, node: Definition | ast.stmt, rest: Sequence[str], hops: int
    ) -> Found | NotFound:
        other = aliased(node)
        if other is not None and other != list(rest[:1]):
            found = self._inside(module.name, (*other, *rest[1:]), hops + 1)
            if isinstance(found, Found) or len(rest) > 1:
                return found
        if len(rest) == 1:
            return self._place(module, node)
        if not isinstance(node, ast.ClassDef):
            return NotFound(reason=f"{module.name}.{rest[0]} is no class")
        return self._member(module, node, rest[1:], hops)

    def _member(self, module: Module, node: ast.ClassDef, rest: Sequence[str], hops: int) -> Found | NotFound:
        members = collect(node.body)[0]
        if rest[0] in members:
            member = members[rest[0]]
            if len(rest) == 1:
                return self._place(module, member)
            if isinstance(member, ast.ClassDef):
                return self._member(module, member, rest[1:], hops)
        for base in filter(None, map(dotted, node.bases)):
            found = self._inside(module.name, (*base, *rest), hops + 1)
            if isinstance(found, Found):
                return found
        return NotFound(reason=f"class {module.name}.{node.name} has no `{rest[0]}`")

    def _place(self, module: Module, node: Definition | ast.stmt) -> Found:
        decorators = getattr(node, "decorator_list", [])
        line = min([node.lineno, *(decorator.lineno for decorator in decorators)])
        return Found(file=self._shown(module.path), line=line, end=node.end_lineno or node.lineno)

    def _names(self, name: str, word: str) -> bool:
        """Whether a module binds the word itself, rather than having a submodule of that name."""
        module = self._module(name)
        return module is not None and (word in module.definitions or word in module.imports)

    def _module(self, name: str) -> Module | None:
        if name not in self._modules:
            path = self._file(name)
            self._modules[name] = read_module(name, path) if path else None
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
        declared = not rest or rest[0] in collect(parsed(stub))[0]
        if declared:
            return NotFound(reason=f"it comes from the extension module {name}", compiled=True)
        return NotFound(reason=f"{name} has no `{rest[0]}`")

    def _shown(self, path: Path) -> str:
        return path.relative_to(self.folder.parent).as_posix()
