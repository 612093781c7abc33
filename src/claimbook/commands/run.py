"""Run one experiment on real ranks and print what they observed, as JSON."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from typing import Any

from claimbook.commands.arguments import positive
from claimbook.errors import UsageError
from claimbook.experiment.availability import availability
from claimbook.experiment.outcome import Outcome, Run
from claimbook.experiment.scheduler import Request, outcomes
from claimbook.settings import load_settings

HELP = "run one experiment and print its observations"


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("experiment", metavar="EXPERIMENT", help="module.function under verifiers/")
    parser.add_argument("--ranks", type=positive(int), default=2, metavar="N", help="processes (default: 2)")
    parser.add_argument(
        "--given",
        action="append",
        default=[],
        metavar="K=V",
        help="a parameter; the value is JSON, or a string where it is no JSON; may be repeated",
    )
    parser.add_argument(
        "--timeout", type=positive(float), default=60.0, metavar="S", help="deadline (default: 60)"
    )
    parser.add_argument(
        "--trace", action="store_true", help="print what each rank issued, in order, instead of JSON"
    )


def main(args: argparse.Namespace) -> int:
    """Do the command; returns the exit status."""
    settings = load_settings(args.root)
    availability(settings)
    run = Run(experiment=_name(args.experiment), ranks=args.ranks, given=_parameters(args.given))
    request = Request(run=run, timeout=args.timeout, trace=args.trace)
    ((_, outcome),) = outcomes([request], root=settings.root, jobs=1)
    if outcome.failure:
        print(f"claimbook: {outcome.failure}", file=sys.stderr)
        if outcome.detail:
            print(outcome.detail, file=sys.stderr)
        return 3
    if args.trace:
        print("\n".join(_timeline(outcome)))
    else:
        print(json.dumps(_observations(outcome), ensure_ascii=False, indent=2))
    return 0


def _name(experiment: str) -> str:
    if not all(part.isidentifier() for part in experiment.split(".")) or "." not in experiment:
        raise UsageError(f"{experiment!r} is no experiment", help="name it as module.function")
    return experiment


def _parameters(texts: Sequence[str]) -> dict[str, Any]:
    given: dict[str, Any] = {}
    for name, value in map(_parameter, texts):
        if name in given:
            raise UsageError(f"--given {name} stands twice")
        given[name] = value
    return given


def _parameter(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals or not name.isidentifier():
        raise UsageError(f"--given {text!r} is not of the form name=value")
    try:
        parsed = json.loads(value)
        # Python's reader takes `NaN` and reads `1e999` as infinity; JSON has neither.
        json.dumps(parsed, allow_nan=False)
    except ValueError:
        return name, value
    return name, parsed


def _observations(outcome: Outcome) -> Any:
    """One object where all ranks saw the same, else a list by rank."""
    first, *others = outcome.values
    agree = all(json.dumps(other, sort_keys=True) == json.dumps(first, sort_keys=True) for other in others)
    return first if agree else list(outcome.values)


def _timeline(outcome: Outcome) -> list[str]:
    lines = []
    for rank, events in enumerate(outcome.events):
        lines.append(f"rank {rank}")
        for number, event in enumerate(events, 1):
            group = f"ranks {event['group']}" if event["group"] else ""
            size = f"{event['sent']} B in, {event['received']} B out" if group else ""
            lines.append(f"  {number:3} {event['phase']:14} {event['op']:16} {group:20} {size}".rstrip())
    return lines
