"""What an experiment must leave as it was. Ranks are fresh processes here, but under a launcher of a
cluster one process runs many experiments, and what one leaves behind the next would find."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist

from claimbook.experiment import process


@dataclass(frozen=True, kw_only=True)
class Surroundings:
    """A state of this process, to compare with a later one."""

    folder: str
    environment: dict[str, str]
    settings: dict[str, Any]
    outputs: tuple[tuple[int, int], ...]
    threads: frozenset[int]
    group: bool
    """Whether there is a default process group."""


def surroundings() -> Surroundings:
    """The state now."""
    return Surroundings(
        folder=_folder(),
        environment=dict(os.environ),
        settings={
            "default dtype": torch.get_default_dtype(),
            "default device": torch.get_default_device(),
            "gradient mode": torch.is_grad_enabled(),
            "number of threads": torch.get_num_threads(),
        },
        outputs=tuple(_identity(descriptor) for descriptor in (1, 2)),
        threads=frozenset(thread.ident or 0 for thread in threading.enumerate()),
        group=dist.is_initialized(),
    )


def leavings(before: Surroundings) -> list[str]:
    """What differs now, in words that follow `left`; child processes count and are ended."""
    return list(_differences(before, surroundings()))


def _differences(before: Surroundings, now: Surroundings) -> Iterator[str]:
    if now.folder != before.folder:
        yield "the working directory changed"
    for name in sorted(before.environment.keys() | now.environment.keys()):
        if before.environment.get(name) != now.environment.get(name):
            yield f"the environment variable {name} changed"
    for name, value in before.settings.items():
        if now.settings[name] != value:
            yield f"the {name} changed"
    if before.group and not now.group:
        yield "its process group"
    yield from _closed(before, now)
    for thread in threading.enumerate():
        if (thread.ident or 0) not in before.threads:
            yield f"the thread {thread.name!r} running"
    if children := process.end_strays(()):
        yield f"{children} child {'process' if children == 1 else 'processes'} running"


def _closed(before: Surroundings, now: Surroundings) -> Iterator[str]:
    for index, name in enumerate(("stdout", "stderr")):
        if before.outputs[index] != now.outputs[index] or getattr(sys, name).closed:
            yield f"its {name} closed"


def _folder() -> str:
    try:
        return str(Path.cwd())
    except FileNotFoundError:
        return ""


def _identity(descriptor: int) -> tuple[int, int]:
    try:
        status = os.fstat(descriptor)
    except OSError:
        return (0, 0)
    return (status.st_dev, status.st_ino)
