"""What a rank does from its fork to its end: join the group, run the experiment, report, wait to be ended."""

from __future__ import annotations

import datetime
import faulthandler
import importlib
import os
import random
import signal
import tempfile
import time
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import torch
import torch.distributed as dist

from claimbook.experiment import process
from claimbook.experiment.definition import is_fault
from claimbook.experiment.outcome import MOST_BYTES, Run, frame
from claimbook.experiment.rank import Rank
from claimbook.experiment.strict import NotJson, refuse_other_than_json
from claimbook.experiment.surroundings import leavings, surroundings
from claimbook.experiment.trace import Event

SHOW_STACKS = signal.SIGRTMAX - 3
"""At this signal a rank writes the stacks of all its threads, whatever it is doing."""

NEVER = datetime.timedelta(days=1)
"""Timeout of the process group: a hang is for the deadline of the run to end, with stacks."""


@dataclass(frozen=True, kw_only=True)
class Seat:
    """One rank's place in a run, and its ends of the pipes."""

    rank: int
    run: Run
    parent: int
    folder: Path
    """Private to the run; the store lies here, and so does what the experiment writes to a temporary file."""
    report: int
    output: int
    stacks: int
    trace: bool


def live(seat: Seat) -> NoReturn:
    """Be that rank. Never returns: the parent ends the process once every rank has reported."""
    try:
        if not process.die_with_parent(seat.parent, signal.SIGKILL):
            os._exit(1)
        os.setpgid(0, 0)
        process.adopt_orphans()
        _furnish(seat)
        report = _report(seat)
        _write(seat.report, frame(report))
        while True:
            signal.pause()
    finally:
        os._exit(70)


def _furnish(seat: Seat) -> None:
    """Give the rank its output, its private folder for temporary files, and its seeds."""
    nothing = os.open(os.devnull, os.O_RDONLY)
    for source, target in ((nothing, 0), (seat.output, 1), (seat.output, 2)):
        os.dup2(source, target)
    faulthandler.enable(seat.stacks)
    faulthandler.register(SHOW_STACKS, seat.stacks, all_threads=True, chain=False)
    os.environ["TMPDIR"] = tempfile.tempdir = str(seat.folder)
    random.seed(0)
    torch.manual_seed(0)
    torch.set_num_threads(1)


def _report(seat: Seat) -> dict[str, Any]:
    try:
        return _observed(seat)
    except NotJson as refusal:
        return {"refused": str(refusal), "at": time.monotonic()}
    except BaseException as error:
        message = f"raised {type(error).__name__}: {_first_line(error)}"
        return {"raised": message, "detail": traceback.format_exc()[-20_000:], "at": time.monotonic()}


def _first_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return lines[0][:300] if lines else ""


def _observed(seat: Seat) -> dict[str, Any]:
    device = _device(seat)
    _join(seat)
    rank = Rank(rank=seat.rank, world=seat.run.ranks, device=device)
    module = importlib.import_module(f"verifiers.{seat.run.module}")
    function = getattr(module, seat.run.experiment.rpartition(".")[2])
    _break(seat.run.fault)
    before = surroundings()
    me = os.getpid()
    value = function(rank, **seat.run.given)
    if os.getpid() != me:
        # A child that the experiment forked came back here: it is not the rank.
        os._exit(0)
    refuse_other_than_json(value)
    if left := leavings(before):
        raise NotJson("left " + ", ".join(left))
    report = {"value": value, "events": [_told(event) for phase in rank.phases for event in phase.events]}
    if not seat.trace:
        del report["events"]
    # Collectives that the others did not join, or that nobody waited for, are found out here.
    _write(seat.report, frame({"finished": True}))
    if dist.is_initialized():
        dist.barrier()
        if seat.run.backend == "nccl":
            # It keeps shared memory, which outlives a killed process.
            dist.destroy_process_group()
    return report


def _break(fault: str) -> None:
    """Put the fault of the run into the library. Raises LookupError where there is no such fault."""
    if not fault:
        return
    module_name, _, name = fault.rpartition(".")
    function = getattr(importlib.import_module(f"verifiers.faults.{module_name}"), name, None)
    if function is None or not is_fault(function):
        raise LookupError(f"verifiers/faults/{module_name}.py has no fault {name}")
    function()


def _told(event: Event) -> dict[str, Any]:
    sample = event.sample
    try:
        refuse_other_than_json({"sample": sample})
    except NotJson:
        sample = repr(sample)[:200]
    return {
        "phase": event.phase,
        "op": event.op,
        "group": list(event.group),
        "sent": event.sent,
        "received": event.received,
        "sample": sample,
    }


def _device(seat: Seat) -> torch.device:
    if seat.run.device == "cpu":
        return torch.device("cpu")
    device = torch.device("cuda", seat.rank % torch.cuda.device_count())
    torch.cuda.set_device(device)
    return device


def _join(seat: Seat) -> None:
    """Join the default group. The barrier connects every pair before anyone can leave: a rank that
    leaves while another still connects makes the other fail."""
    store = torch._C._distributed_c10d.FileStore(str(seat.folder / "store"), seat.run.ranks)
    dist.init_process_group(
        seat.run.backend, store=store, rank=seat.rank, world_size=seat.run.ranks, timeout=NEVER
    )
    dist.barrier()


def _write(descriptor: int, data: bytes) -> None:
    assert len(data) < 100 * MOST_BYTES
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
