"""CB017: the experiments that a card names are there and take the parameters that it gives."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path

from claimbook.cards.card import Book, Card, Concept, Json, Pointer
from claimbook.cards.rules.finding import checks, finding
from claimbook.cards.schema import similar
from claimbook.diagnostics import Diagnostic
from claimbook.settings import Settings

Parameters = Mapping[str, frozenset[str]]
"""Names of the experiments of a module -> names of their parameters, without the rank."""


def experiments(book: Book, settings: Settings) -> Iterator[Diagnostic]:
    """Experiments that are missing, and parameters they do not take. Reads the source; imports nothing."""
    modules = _Modules(settings.root / "verifiers")
    for card in book.concepts.values():
        for pointer, run, given in _runs(card):
            yield from modules.problems(card, pointer, run, given)


def _runs(card: Concept) -> Iterator[tuple[Pointer, str, Mapping[str, Mapping[str, Json]]]]:
    """Every place that names an experiment, with the parameters given there by key."""
    for pointer, check in checks(card):
        given = {"given": check.given}
        given |= {"control": {name: value for control in check.controls for name, value in control.items()}}
        yield pointer, check.run, given
    for id, exercise in card.exercises.items():
        yield ("exercises", id), exercise.run, {"given": exercise.given}
    for at, advice in enumerate(card.check_yourself):
        if advice.run:
            yield ("check_yourself", at), advice.run, {}


class _Modules:
    """The modules under `verifiers/`, each read once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.read: dict[str, Parameters | str] = {}

    def problems(
        self, card: Card, pointer: Pointer, run: str, given: Mapping[str, Mapping[str, Json]]
    ) -> Iterator[Diagnostic]:
        module, _, function = run.partition(".")
        if module not in self.read:
            self.read[module] = _experiments(self.folder / f"{module}.py")
        found = self.read[module]
        here = (*pointer, "run")
        if isinstance(found, str):
            yield finding(card, here, "CB017", message=found, help="write the experiment there")
        elif function not in found:
            message = f"verifiers/{module}.py has no experiment `{function}`"
            help = similar(function, found) if found else "mark a function with @experiment"
            yield finding(card, here, "CB017", message=message, help=help)
        else:
            for key, parameters in given.items():
                for name in parameters:
                    if name not in found[function]:
                        message = f"`{run}` takes no parameter `{name}`"
                        help = similar(name, sorted(found[function]))
                        yield finding(card, (*pointer, key, name), "CB017", message=message, help=help)


def _experiments(file: Path) -> Parameters | str:
    """What the module offers, or why it cannot be read."""
    shown = f"verifiers/{file.name}"
    try:
        with warnings.catch_warnings():
            # Python warns of odd literals on standard error; it does so again where the module is run.
            warnings.simplefilter("ignore", SyntaxWarning)
            tree = ast.parse(file.read_text("utf-8"), filename=shown)
    except FileNotFoundError:
        return f"no file {shown}"
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return f"{shown} cannot be read: {error}"
    return {
        node.name: frozenset(
            argument.arg for argument in [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs][1:]
        )
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and any(map(_is_mark, node.decorator_list))
    }


def _is_mark(decorator: ast.expr) -> bool:
    name = decorator.attr if isinstance(decorator, ast.Attribute) else getattr(decorator, "id", "")
    return name == "experiment"
