"""The model that the data-parallel experiments train: equal linear layers, small enough to count by hand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

import torch
from torch import nn
from torch.distributed.device_mesh import DeviceMesh
from torch.distributed.fsdp import FSDPModule, fully_shard
from torch.distributed.tensor import DTensor, Shard
from torch.nn.parallel import DistributedDataParallel

from claimbook.experiment import Rank

WIDTH = 8
"""Of every layer: a float32 weight of 8 x 8 takes 256 bytes."""

AXES = ("replicate", "shard")
"""Names of the axes of a two-dimensional mesh; `fully_shard` refuses one without names."""


class Stack(nn.Module):
    """`layers` linear layers without bias; with `head`, one more that belongs to no layer of the list."""

    def __init__(self, layers: int, *, head: bool = False) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.layers = nn.ModuleList(nn.Linear(WIDTH, WIDTH, bias=False) for _ in range(layers))
        self.head = nn.Linear(WIDTH, WIDTH, bias=False) if head else nn.Identity()

    def forward(self, batch: torch.Tensor) -> torch.Tensor:
        for layer in self.layers:
            batch = layer(batch)
        out: torch.Tensor = self.head(batch)
        return out


class FullCopies:
    """The full weights that the linear layers of a wrapped model compute with.

    FSDP2 frees a full weight by emptying its storage, so a reference taken during forward goes on
    showing how many bytes are allocated for it.
    """

    def __init__(self, model: nn.Module) -> None:
        self.weights: dict[str, torch.Tensor] = {}
        for name, module in model.named_modules():
            if isinstance(module, nn.Linear):
                module.register_forward_pre_hook(partial(self._keep, name))

    def _keep(self, name: str, module: nn.Module, _: Any) -> None:
        assert isinstance(module.weight, torch.Tensor)
        self.weights[name] = module.weight

    def bytes(self, part: str = "") -> int:
        """Bytes allocated now for the full weights whose module name starts with `part`."""
        return sum(
            weight.untyped_storage().nbytes()
            for name, weight in self.weights.items()
            if name.startswith(part)
        )


def shard(model: Stack, *, by: str, mesh: DeviceMesh | None = None, **options: Any) -> nn.Module:
    """Wrap the model and return what is to be called.

    `layers`: one `fully_shard` call per layer, then one for the root. `pairs`: one call per two layers,
    then the root. `root`: one call for the whole model. `ddp`: DistributedDataParallel instead.
    """
    if by == "ddp":
        return DistributedDataParallel(model)
    groups: dict[str, Iterable[Any]] = {
        "layers": model.layers,
        "pairs": [list(model.layers[at : at + 2]) for at in range(0, len(model.layers), 2)],
        "root": (),
    }
    for group in groups[by]:
        fully_shard(group, mesh=mesh, **options)
    fully_shard(model, mesh=mesh, **options)
    return model


def sharded_modules(model: nn.Module) -> dict[str, FSDPModule]:
    """The modules of the model that `fully_shard` was called for, by name; the root's name is empty."""
    return {name: module for name, module in model.named_modules() if isinstance(module, FSDPModule)}


def mesh_of(rank: Rank, shape: Sequence[int] | None) -> DeviceMesh:
    """A mesh of that shape over all ranks, its axes named where there are two; one axis if None."""
    return rank.mesh(*(shape or ()), names=AXES if shape and len(shape) == len(AXES) else None)


def batch(rank: Rank, *, rows: int = 4) -> torch.Tensor:
    """Different data on each rank, the same at each call. It requires a gradient, as activations do."""
    generator = torch.Generator().manual_seed(100 + rank.rank)
    return torch.randn(rows, WIDTH, generator=generator).to(rank.device).requires_grad_()


def given(**options: Any) -> dict[str, Any]:
    """The arguments that are not None: what is left out gets the library's own default."""
    return {name: value for name, value in options.items() if value is not None}


def train(model: nn.Module, data: torch.Tensor) -> None:
    """One forward and one backward pass."""
    model(data).sum().backward()


def local(tensor: torch.Tensor) -> torch.Tensor:
    """What this rank holds of it."""
    return tensor.to_local() if isinstance(tensor, DTensor) else tensor


def stored_bytes(tensors: Iterable[torch.Tensor]) -> int:
    """Bytes allocated on this rank for the tensors; a storage that several of them share counts once."""
    storages = {storage.data_ptr(): storage.nbytes() for storage in map(_storage, tensors)}
    return sum(storages.values())


def _storage(tensor: torch.Tensor) -> torch.UntypedStorage:
    return local(tensor).untyped_storage()


def placements(tensor: torch.Tensor) -> list[str]:
    """How it lies on each axis of its mesh, as one writes it: `Replicate()`, `Shard(0)`."""
    if not isinstance(tensor, DTensor):
        return []
    return [f"Shard({item.dim})" if isinstance(item, Shard) else repr(item) for item in tensor.placements]


def together(groups: Iterable[Iterable[int]]) -> list[list[int]]:
    """Distinct groups of ranks, without empty ones, in ascending order within and among them."""
    return sorted(map(list, {tuple(sorted(group)) for group in groups} - {()}))
