"""What an experiment is given: its rank, its device, meshes, and phases that record what is issued."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch
import torch.distributed as dist
from torch.distributed.device_mesh import DeviceMesh, init_device_mesh

from claimbook.experiment.trace import Phase, Recorder


class Rank:
    """One process of an experiment; the default process group is initialised and every rank has joined it."""

    def __init__(self, *, rank: int, world: int, device: torch.device) -> None:
        self.rank = rank
        self.world = world
        self.device = device
        self.phases: list[Phase] = []

    def mesh(self, *shape: int, names: tuple[str, ...] | None = None) -> DeviceMesh:
        """A device mesh over all ranks: one axis over them all unless a shape is given."""
        return init_device_mesh(self.device.type, shape or (self.world,), mesh_dim_names=names)

    @contextmanager
    def phase(self, name: str, *, sample: Callable[[], Any] | None = None) -> Iterator[Phase]:
        """Record the collectives and matrix products issued inside the block.

        `sample` is called just before each of them; its value is kept with the event.
        """
        phase = Phase(name)
        self.phases.append(phase)
        with Recorder(phase, sample):
            yield phase

    def everyone(self, value: Any) -> list[Any]:
        """The value that each rank passed, in rank order; a collective that every rank has to call."""
        values: list[Any] = [None] * self.world
        dist.all_gather_object(values, value)
        return values
