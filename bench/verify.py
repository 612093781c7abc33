"""`claimbook verify` against the same runs under `torchrun`, one after the other.

`python -m bench.verify [--card fsdp2] [--sample N | --all]`. Under torchrun a run takes seconds, so by
default only some runs of each number of ranks are measured there, and what the table extrapolates it says.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import mean

from claimbook.cards import load_book
from claimbook.experiment.outcome import Run
from claimbook.experiment.progress import Progress
from claimbook.experiment.scheduler import Request, default_jobs, outcomes
from claimbook.settings import load_settings
from claimbook.verdicts.plan import Target, plan
from claimbook.verdicts.selection import select

ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    """Measure both and print the ratio; 1 where a run under torchrun fails or saw something else."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--card", default="fsdp2")
    parser.add_argument("--sample", type=int, default=4, help="runs under torchrun per number of ranks")
    parser.add_argument("--all", action="store_true", help="every run under torchrun; takes many minutes")
    args = parser.parse_args()
    runs = _runs(args.card)
    sample = runs if args.all else _sample(runs, args.sample)
    whole = _claimbook(["verify", args.card, "--dry-run"])
    print(f"claimbook verify {args.card}: {len(runs)} runs in {whole:.1f} s, all of the program included")
    ours, same = _ours(sample)
    theirs = _theirs(sample, same)
    print(_table(runs, sample, theirs))
    measured = sum(theirs.values())
    print(f"\nmeasured, {len(sample)} runs: claimbook {ours:.1f} s, torchrun {measured:.1f} s", end=": ")
    print(f"{measured / ours:.0f} times as long")
    if len(sample) < len(runs):
        total = sum(_mean_of(run.ranks, theirs, sample) for run in runs)
        print(f"all {len(runs)} runs at these means (extrapolated): torchrun {total:.0f} s", end=": ")
        print(f"{total / whole:.0f} times as long")
    return 0


def _runs(card: str) -> Sequence[Run]:
    """The distinct runs of a card that can be done here."""
    book, _ = load_book(load_settings(ROOT))
    selection = select(book, [card])
    checks = [check for subject in selection.subjects for check in subject.checks.values()]
    exercises = [exercise for _, exercise in selection.exercises]
    return list(plan([*checks, *exercises], Target()).runs.values())


def _sample(runs: Sequence[Run], number: int) -> Sequence[Run]:
    """So many runs of each number of ranks, spread over the book."""
    by_ranks: Mapping[int, list[Run]] = defaultdict(list)
    for run in runs:
        by_ranks[run.ranks].append(run)
    return [run for group in by_ranks.values() for run in group[:: max(1, -(-len(group) // number))][:number]]


def _claimbook(arguments: Sequence[str]) -> float:
    began = time.monotonic()
    command = [sys.executable, "-m", "claimbook", "--root", str(ROOT), *arguments]
    subprocess.run(command, check=True, capture_output=True)
    return time.monotonic() - began


def _ours(sample: Sequence[Run]) -> tuple[float, Mapping[str, str]]:
    """Seconds for the sample, the start of the parent included, and what rank 0 saw in each run."""
    began = time.monotonic()
    seen = {}
    for run, outcome in outcomes(
        [Request(run=run, timeout=60) for run in sample], root=ROOT, jobs=default_jobs()
    ):
        if outcome.failure:
            sys.exit(f"{run.experiment} {dict(run.given)}: {outcome.failure}")
        seen[run.key] = _stable(outcome.values[0])
    return time.monotonic() - began, seen


def _theirs(sample: Sequence[Run], same: Mapping[str, str]) -> Mapping[str, float]:
    """Seconds of each run under torchrun. Ends the bench where a run fails or saw something else."""
    seconds = {}
    with Progress(total=len(sample), stream=sys.stderr) as progress:
        for run in sample:
            name = f"{run.experiment} on {run.ranks} ranks"
            began = time.monotonic()
            seen = _torchrun(run)
            seconds[run.key] = time.monotonic() - began
            if seen != same[run.key]:
                sys.exit(f"{name} saw something else under torchrun: {seen} rather than {same[run.key]}")
            progress.done(f"torchrun {name}")
    return seconds


def _torchrun(run: Run) -> str:
    given = json.dumps(dict(run.given))
    launcher = [
        sys.executable,
        "-m",
        "torch.distributed.run",
        "--standalone",
        f"--nproc-per-node={run.ranks}",
    ]
    command = [*launcher, "-m", "bench.under_torchrun", str(ROOT), run.experiment, given]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "GLOO_SOCKET_IFNAME": "lo"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"\n{' '.join(command)}\n{done.stderr[-2000:]}")
    line = next(line for line in reversed(done.stdout.splitlines()) if line.startswith("{"))
    return _stable(json.loads(line))


def _stable(observations: Mapping[str, object]) -> str:
    kept = {key: value for key, value in observations.items() if key != "volatile"}
    return json.dumps(kept, sort_keys=True)


def _mean_of(ranks: int, theirs: Mapping[str, float], sample: Sequence[Run]) -> float:
    return mean(theirs[run.key] for run in sample if run.ranks == ranks)


def _table(runs: Sequence[Run], sample: Sequence[Run], theirs: Mapping[str, float]) -> str:
    lines = ["", "ranks  runs  measured under torchrun  seconds each (mean)"]
    for ranks in sorted({run.ranks for run in runs}):
        measured = [run for run in sample if run.ranks == ranks]
        each = _mean_of(ranks, theirs, sample)
        number = sum(run.ranks == ranks for run in runs)
        lines.append(f"{ranks:5}  {number:4}  {len(measured):23}  {each:19.1f}")
    return "\n".join(lines)


if __name__ == "__main__":
    raise SystemExit(main())
