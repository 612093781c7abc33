"""What the parent of all ranks does once, so that no rank has to: lazy imports, dispatch caches."""

from __future__ import annotations

import importlib

import torch
import torch.distributed as dist
from torch import nn

LAZY = (
    "torch._dynamo",
    "torch.distributed.algorithms._checkpoint.checkpoint_wrapper",
    "torch.distributed.device_mesh",
    "torch.distributed.fsdp",
    "torch.distributed.tensor",
    "torch.distributed.tensor.debug",
    "torch.distributed.tensor.parallel",
    "torch.nn.parallel",
    "torch.testing._internal.distributed.fake_pg",
)
"""Modules that torch imports at first use, some of them for a second."""


def warm() -> None:
    """Import what is lazy and take one FSDP2 step on the `fake` backend, which moves no data.

    Starts no thread and does not touch CUDA: the process is about to fork.
    """
    torch.set_num_threads(1)
    for name in LAZY:
        importlib.import_module(name)
    _step()


def _step() -> None:
    from torch.distributed.fsdp import fully_shard
    from torch.testing._internal.distributed.fake_pg import FakeStore

    dist.init_process_group("fake", store=FakeStore(), rank=0, world_size=2)
    try:
        mesh = dist.device_mesh.init_device_mesh("cpu", (2,))
        model = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 4))
        for module in (*model, model):
            fully_shard(module, mesh=mesh)
        model(torch.zeros(2, 4)).sum().backward()
        torch.optim.Adam(model.parameters()).step()
    finally:
        dist.destroy_process_group()
