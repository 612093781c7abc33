"""The commands that a reader copies to see a run again."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence

from claimbook.cards.card import Check, Concept, Json
from claimbook.site.proof import Proof


def advised_command(card: Concept, experiment: str) -> str:
    """The command that runs an experiment as the card first does: its ranks and parameters."""
    checks = (check for claim in card.claims.values() for check in claim.checks.values())
    check = next((check for check in checks if check.run == experiment), None)
    return _run_command(check) if check else shlex.join(["claimbook", "run", experiment])


def _run_command(check: Check) -> str:
    """The command that does the run of a check once and prints what it observes."""
    words = ["claimbook", "run", check.run, "--ranks", str(check.ranks)]
    for name, value in check.given.items():
        words += ["--given", f"{name}={_argument(value)}"]
    return shlex.join(words)


def _argument(value: Json) -> str:
    # The command takes what is JSON for JSON: a text that is JSON by chance has to stay a text.
    if isinstance(value, str):
        try:
            json.loads(value)
        except ValueError:
            return value
    return json.dumps(value, separators=(",", ":"))


def run_commands(proof: Proof) -> Sequence[str]:
    """The distinct runs of a claim's checks; checks of equal runs share one."""
    return list(dict.fromkeys(_run_command(row.check) for row in proof.rows))
