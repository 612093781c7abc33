"""Faults: deliberate defects, and whether the checks that must notice each of them do."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from claimbook.cards.card import Book, Check
from claimbook.diagnostics import counted
from claimbook.errors import CannotRun
from claimbook.experiment.outcome import Outcome, Run
from claimbook.verdicts.evidence import subjects
from claimbook.verdicts.judge import judge
from claimbook.verdicts.plan import Target, lacking, run_of
from claimbook.verdicts.report import WIDTH
from claimbook.verdicts.verdict import Verdict

FOLDER = "verifiers/faults"


@dataclass(frozen=True, kw_only=True)
class Fault:
    """A defect that can be put into the library of a run."""

    name: str
    """`module.function` under `verifiers/faults/`."""
    about: str
    """What is broken, in one line."""
    checks: tuple[str, ...]
    """`card#claim/check`: those that must notice it."""


@dataclass(frozen=True, kw_only=True)
class Trial:
    """One check under one fault."""

    fault: Fault
    name: str
    """`card#claim/check`."""
    check: Check
    run: Run


@dataclass(frozen=True, kw_only=True)
class Noticed:
    """Whether a check noticed a fault."""

    trial: Trial
    verdict: Verdict
    reason: str = ""

    @property
    def held(self) -> bool:
        """Noticed: what was seen under the fault misses the expectation."""
        return self.verdict is Verdict.REFUTED


def load_faults(root: Path) -> tuple[Fault, ...]:
    """The faults of a book, read from their source. Raises CannotRun for a file that is no Python."""
    return tuple(fault for file in sorted((root / FOLDER).glob("*.py")) for fault in _faults(file))


def _faults(file: Path) -> Iterator[Fault]:
    try:
        tree = ast.parse(file.read_text("utf-8"))
    except (SyntaxError, ValueError) as error:
        raise CannotRun(f"{FOLDER}/{file.name}: {error}") from None
    for node in tree.body:
        for decorator in getattr(node, "decorator_list", ()):
            if isinstance(node, ast.FunctionDef) and _name(decorator) == "fault":
                about = (ast.get_docstring(node) or "").partition("\n")[0]
                yield Fault(name=f"{file.stem}.{node.name}", about=about, checks=_strings(decorator))


def _name(decorator: ast.expr) -> str:
    function = decorator.func if isinstance(decorator, ast.Call) else decorator
    return function.id if isinstance(function, ast.Name) else ""


def _strings(decorator: ast.expr) -> tuple[str, ...]:
    arguments = decorator.args if isinstance(decorator, ast.Call) else []
    return tuple(str(it.value) for it in arguments if isinstance(it, ast.Constant))


def checks_by_name(book: Book) -> Mapping[str, Check]:
    """Every check of the book by `card#claim/check`."""
    return {
        f"{name}/{check.id}": check for name, subject in subjects(book) for check in subject.checks.values()
    }


def trials(faults: Sequence[Fault], book: Book, target: Target) -> tuple[Trial, ...]:
    """Each fault with each check that must notice it. Raises CannotRun where a fault names no check."""
    known = checks_by_name(book)
    made = []
    for fault in faults:
        if not fault.checks:
            raise CannotRun(f"the fault {fault.name} names no check that must notice it")
        for name in fault.checks:
            if name not in known:
                raise CannotRun(f"the fault {fault.name} names {name!r}, which is no check of this book")
            check = known[name]
            if not lacking(check, target):
                run = replace(run_of(check, check.given, target), fault=fault.name)
                made.append(Trial(fault=fault, name=name, check=check, run=run))
    return tuple(made)


def notice(trial: Trial, outcome_of: Callable[[Run], Outcome]) -> Noticed:
    """Judge the check by the run under the fault alone; its controls have no part in this."""
    evidence = judge(replace(trial.check, controls=()), lambda _: outcome_of(trial.run))
    if evidence.verdict is Verdict.UNFALSIFIABLE:
        return Noticed(trial=trial, verdict=Verdict.VERIFIED, reason="seen as if nothing were broken")
    return Noticed(trial=trial, verdict=evidence.verdict, reason=evidence.reason)


def as_matrix(noticed: Sequence[Noticed], faults: Sequence[Fault], chosen: Sequence[str]) -> str:
    """For people: a block per fault with its checks, the unnoticed first; then what no fault shakes.

    `chosen` are the checks that were asked about.
    """
    by_fault = {fault: [it for it in noticed if it.trial.fault == fault] for fault in faults}
    order = sorted(faults, key=lambda fault: all(it.held for it in by_fault[fault]))
    blocks = ["\n".join(_block(fault, by_fault[fault])) for fault in order]
    named = {name for fault in faults for name in fault.checks}
    if rest := [name for name in chosen if name not in named]:
        title = f"no fault names {counted(len(rest), 'check')}; only their controls shake them"
        blocks.append("\n".join([title, *(f"  {name}" for name in rest)]))
    missed = sum(not it.held for it in noticed)
    total = f"{counted(len(faults), 'fault')}, {counted(len(noticed), 'trial')}"
    blocks.append(f"{total}: {f'{missed} unnoticed' if missed else 'all noticed'}")
    return "\n\n".join(blocks)


def _block(fault: Fault, noticed: Sequence[Noticed]) -> Iterator[str]:
    yield f"{fault.name}: noticed by {sum(it.held for it in noticed)} of {counted(len(noticed), 'check')}"
    yield from textwrap.wrap(fault.about, WIDTH - 2, initial_indent="  ", subsequent_indent="  ")
    for it in sorted(noticed, key=lambda it: it.held):
        yield f"  {_mark(it)} {it.trial.name}"
        if it.reason and not it.held:
            yield from textwrap.wrap(
                it.reason, WIDTH - 12, initial_indent=" " * 12, subsequent_indent=" " * 12
            )


def _mark(noticed: Noticed) -> str:
    if noticed.held:
        return "noticed  "
    return "UNNOTICED" if noticed.verdict is Verdict.VERIFIED else "error    "
