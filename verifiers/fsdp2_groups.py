"""FSDP2: which parameters a `fully_shard` call puts into one group, and what the groups change."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn
from torch.distributed.fsdp import FSDPModule, fully_shard
from torch.distributed.tensor import DTensor

from claimbook.experiment import Observations, Rank, experiment
from verifiers.stack import (
    FullCopies,
    Stack,
    batch,
    given,
    mesh_of,
    shard,
    sharded_modules,
    stored_bytes,
    train,
)


@experiment
def members(rank: Rank, *, by: str = "layers", order: str = "inner first") -> Observations:
    """Names of the parameters in the group of each `fully_shard` call, by the module that it was called for.

    A group is seen by its effect: `unshard()` of that module, which is not recursive, turns exactly the
    parameters of its group into plain tensors. `order` `root first` calls the root before the layers.
    """
    model = Stack(2, head=True).to(rank.device)
    outcome = "accepted"
    if order == "root first":
        fully_shard(model, mesh=rank.mesh())
        outcome = _outcome(lambda: [fully_shard(layer, mesh=rank.mesh()) for layer in model.layers])
    else:
        shard(model, by=by, mesh=rank.mesh())
    groups = {name or "root": _group(model, module) for name, module in sharded_modules(model).items()}
    return {
        "outcome": outcome,
        "groups": groups,
        "group_count": len({tuple(names) for names in groups.values() if names}),
    }


def _group(model: nn.Module, module: FSDPModule) -> list[str]:
    module.unshard()
    names = [name for name, parameter in model.named_parameters() if not isinstance(parameter, DTensor)]
    module.reshard()
    return names


def _outcome(call: Any) -> str:
    """`accepted`, or the type of the exception that the library refuses the call with."""
    try:
        call()
    except (AssertionError, KeyError, TypeError, ValueError, RuntimeError) as refusal:
        return type(refusal).__name__
    return "accepted"


@experiment
def peak(rank: Rank, *, by: str = "layers", reshard_after_forward: bool | None = None) -> Observations:
    """Four equal layers: the most bytes of full weights at any matrix product, in forward and in backward."""
    stack = Stack(4).to(rank.device)
    model_bytes = stored_bytes(stack.parameters())
    model = shard(stack, by=by, mesh=rank.mesh(), **given(reshard_after_forward=reshard_after_forward))
    copies = FullCopies(model)
    data = batch(rank)
    train(model, data)
    with rank.phase("forward", sample=copies.bytes) as forward:
        loss = model(data).sum()
    with rank.phase("backward", sample=copies.bytes) as backward:
        loss.backward()
    return {
        "layer_bytes": model_bytes // 4,
        "model_bytes": model_bytes,
        "peak_in_forward": forward.peak(),
        "peak_in_backward": backward.peak(),
        "gathers_in_forward": forward.count("all_gather"),
    }


@experiment
def order(
    rank: Rank,
    *,
    by: str = "layers",
    reshard_after_forward: bool | None = None,
    forward_prefetch: bool = False,
) -> Observations:
    """The order in which collectives and matrix products of a step are issued; three layers.

    `forward_prefetch`: the first layer is told to gather the other two as well.
    """
    stack = Stack(3).to(rank.device)
    model = shard(stack, by=by, mesh=rank.mesh(), **given(reshard_after_forward=reshard_after_forward))
    if forward_prefetch:
        first, *rest = sharded_modules(stack.layers).values()
        first.set_modules_to_forward_prefetch(rest)
    data = batch(rank)
    train(model, data)
    with rank.phase("forward") as forward:
        loss = model(data).sum()
    with rank.phase("backward") as backward:
        loss.backward()
    issued = backward.order()
    return {
        "forward": forward.order(),
        "backward": issued,
        "gathers_before_first_matmul": issued[: issued.index("matmul")].count("all_gather"),
    }


@experiment
def device_groups(rank: Rank, *, mesh: list[int] | None = None) -> Observations:
    """Groups of ranks in which the all-gathers of one forward pass run; three parameter groups."""
    model = shard(Stack(3).to(rank.device), by="layers", mesh=mesh_of(rank, mesh))
    with rank.phase("forward") as forward:
        model(batch(rank))
    groups = [list(event.group) for event in forward.of("all_gather")]
    return {"all_gathers": len(groups), "groups": groups}


@experiment
def containers(rank: Rank, *, container: str = "ModuleList") -> Observations:
    """Whether `fully_shard` takes two linear layers in a container of this class of `torch.nn`."""
    layers = [nn.Linear(8, 8), nn.Linear(8, 8)]
    module = nn.Sequential(*layers) if container == "Sequential" else nn.ModuleList(layers)
    return {"outcome": _outcome(lambda: fully_shard(module.to(rank.device), mesh=rank.mesh()))}


class Tied(nn.Module):
    """Two layers that share one weight."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.Linear(8, 8, bias=False), nn.Linear(8, 8, bias=False)
        self.second.weight = self.first.weight


@experiment
def tied(rank: Rank, *, calls: str = "one per layer") -> Observations:
    """How many parameters two layers with one shared weight have, before and after `fully_shard`.

    `calls`: `one per layer`, or `one for both` with a list of the two.
    """
    model = Tied().to(rank.device)
    before = len(list(model.parameters()))
    if calls == "one for both":
        fully_shard([model.first, model.second], mesh=rank.mesh())
    else:
        fully_shard(model.first, mesh=rank.mesh())
        fully_shard(model.second, mesh=rank.mesh())
    fully_shard(model, mesh=rank.mesh())
    return {
        "parameters_before": before,
        "parameters_after": len(list(model.parameters())),
        "still_shared": model.first.weight is model.second.weight,
    }


@experiment
def overlap(rank: Rank, *, by: str = "layers", layers: int = 8, width: int = 4096) -> Observations:
    """Whether an all-gather and a matrix product ran at the same time in backward, by the profiler's clock.

    Needs at least two GPUs: kernels are looked for on CUDA devices only, and one rank gathers nothing.
    """
    torch.manual_seed(0)
    model = nn.Sequential(*(nn.Linear(width, width, bias=False) for _ in range(layers))).to(rank.device)
    for layer in model if by == "layers" else ():
        fully_shard(layer, mesh=rank.mesh())
    fully_shard(model, mesh=rank.mesh(), reshard_after_forward=True)
    data = torch.randn(width, width, device=rank.device, requires_grad=True)
    train(model, data)
    loss = model(data).sum()
    _finish(rank)
    with torch.profiler.profile() as profile:
        loss.backward()
        _finish(rank)
    gathers, products = _kernels(profile)
    shared = sum(
        max(0.0, min(end, other_end) - max(start, other_start))
        for start, end in gathers
        for other_start, other_end in products
    )
    return {
        "gathers_seen": bool(gathers),
        "products_seen": bool(products),
        "overlapped": shared > 0,
        "volatile": {"overlapped_us": shared, "gather_us": sum(end - start for start, end in gathers)},
    }


def _finish(rank: Rank) -> None:
    """Wait until the device has done all that was issued."""
    if rank.device.type == "cuda":
        torch.cuda.synchronize()


def _kernels(profile: Any) -> tuple[list[tuple[float, float]], list[tuple[float, float]]]:
    """Start and end of the CUDA kernels of all-gathers and of matrix products, in microseconds."""
    events = list(profile.events())
    names = {
        kernel.name
        for event in events
        if event.name in ("aten::mm", "aten::addmm")
        for kernel in event.kernels
    }
    on_gpu = [event for event in events if event.device_type.name == "CUDA"]
    gathers = [_span(event) for event in on_gpu if "AllGather" in event.name]
    products = [_span(event) for event in on_gpu if event.name in names]
    return gathers, products


def _span(event: Any) -> tuple[float, float]:
    return event.time_range.start, event.time_range.end
