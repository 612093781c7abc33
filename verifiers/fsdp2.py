"""FSDP2: what each rank stores, what the ranks exchange, and how a device mesh divides the work."""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import nn
from torch.distributed.fsdp import FSDPModule, fully_shard
from torch.distributed.tensor import DTensor, Shard

from claimbook.experiment import Observations, Rank, experiment
from claimbook.experiment.trace import Phase
from verifiers.stack import (
    Stack,
    batch,
    local,
    mesh_of,
    placements,
    shard,
    stored_bytes,
    together,
    train,
)

MOMENTS = ("exp_avg", "exp_avg_sq")
"""The states of Adam that are as large as the parameter."""

COUNTED = ("all_gather", "reduce_scatter", "all_reduce")


@experiment
def states(rank: Rank, *, by: str = "layers") -> Observations:
    """Local shapes and bytes of parameters, gradients and Adam states after one step; `by`: see `shard`."""
    stack = Stack(3).to(rank.device)
    model_bytes = stored_bytes(stack.parameters())
    model = shard(stack, by=by, mesh=rank.mesh())
    optimizer = torch.optim.Adam(model.parameters())
    train(model, batch(rank))
    optimizer.step()
    parameters = list(model.parameters())
    gradients = [parameter.grad for parameter in parameters if parameter.grad is not None]
    moments = {name: [optimizer.state[parameter][name] for parameter in parameters] for name in MOMENTS}
    return {
        "tensor_shapes": [list(parameter.shape) for parameter in parameters],
        "parameter_shapes": _shapes(parameters),
        "gradient_shapes": _shapes(gradients),
        "moment_shapes": {name: _shapes(kept) for name, kept in moments.items()},
        "model_bytes": model_bytes,
        "parameter_share": stored_bytes(parameters) / model_bytes,
        "gradient_share": stored_bytes(gradients) / model_bytes,
        "moment_shares": {name: stored_bytes(kept) / model_bytes for name, kept in moments.items()},
    }


def _shapes(tensors: Iterable[torch.Tensor]) -> list[list[int]]:
    """What this rank holds of each."""
    return [list(local(tensor).shape) for tensor in tensors]


@experiment
def exchanges(
    rank: Rank,
    *,
    by: str = "layers",
    mesh: list[int] | None = None,
    sync: bool = True,
    frozen: int = 0,
) -> Observations:
    """Collectives of the second step: how many, of how many bytes, in which groups of ranks; three layers.

    `sync` false: `set_requires_gradient_sync(False)` before that step. `frozen`: so many first layers
    require no gradient.
    """
    stack = Stack(3).to(rank.device)
    for layer in stack.layers[:frozen]:
        layer.requires_grad_(False)
    model = shard(stack, by=by, mesh=mesh_of(rank, mesh))
    data = batch(rank)
    train(model, data)
    model.zero_grad()
    if isinstance(model, FSDPModule):
        model.set_requires_gradient_sync(sync)
    with rank.phase("forward") as forward:
        loss = model(data).sum()
    with rank.phase("backward") as backward:
        loss.backward()
    events = [event for phase in (forward, backward) for event in phase.events if event.group]
    return {
        "forward": {op: forward.count(op) for op in COUNTED},
        "backward": {op: backward.count(op) for op in COUNTED},
        "order_in_forward": forward.order(),
        "all_gather_bytes": _sizes(forward, "all_gather"),
        "reduce_scatter_bytes": _sizes(backward, "reduce_scatter"),
        "groups": {op: together(event.group for event in events if event.op == op) for op in COUNTED},
        "gradients": sum(parameter.grad is not None for parameter in model.parameters()),
    }


def _sizes(phase: Phase, op: str) -> list[dict[str, int]]:
    return [{"sent": event.sent, "received": event.received} for event in phase.of(op)]


@experiment
def buffer(rank: Rank, *, kind: str = "buffer") -> Observations:
    """Rows that a rank holds of a tensor of 8 rows, registered in the module as `buffer` or `parameter`."""
    module = nn.Linear(8, 8, bias=False).to(rank.device)
    table = torch.ones(8, 8, device=rank.device)
    if kind == "buffer":
        module.register_buffer("table", table)
    else:
        module.register_parameter("table", nn.Parameter(table))
    fully_shard(module, mesh=rank.mesh())
    held = module.get_buffer("table") if kind == "buffer" else module.get_parameter("table")
    return {"local_rows": local(held).shape[0], "type": "DTensor" if isinstance(held, DTensor) else "Tensor"}


@experiment
def mesh(
    rank: Rank,
    *,
    mesh: list[int] | None = None,
    rows: int = 8,
    columns: int = 16,
    tensor_axis: int | None = None,
    named: bool = True,
) -> Observations:
    """One sharded weight of `rows` x `columns` on a device mesh: its parts, and who exchanges with whom.

    `tensor_axis`: the axis that `shard_placement_fn` asks to cut; None leaves the default.
    The groups are those of the collectives seen in the second step; `same_shard` lists the ranks whose
    parts of the weight are equal after it. A mesh or axis that is refused gives only `outcome`.
    """
    shape = tuple(mesh or (rank.world,))
    devices = rank.mesh(*shape, names=tuple(f"axis{at}" for at in range(len(shape))) if named else None)
    model = nn.Linear(columns, rows, bias=False, device=rank.device)
    with torch.no_grad():
        model.weight.copy_(torch.arange(rows * columns).view(rows, columns))
    placement_fn = None if tensor_axis is None else lambda _: Shard(tensor_axis)
    try:
        fully_shard(model, mesh=devices, shard_placement_fn=placement_fn)
    except (AssertionError, ValueError, NotImplementedError) as refusal:
        return {"outcome": type(refusal).__name__}
    data = torch.full((1, columns), float(rank.rank + 1), device=rank.device)
    optimizer = torch.optim.SGD(model.parameters(), lr=1.0)
    train(model, data)
    optimizer.zero_grad()
    with rank.phase("step") as step:
        train(model, data)
    optimizer.step()
    weight = local(model.weight).detach()
    everyone = rank.everyone(
        {
            "shape": list(weight.shape),
            "values": weight.flatten().tolist(),
            "gather": [event.group for event in step.of("all_gather")],
            "reduce": [event.group for event in step.of("all_reduce")],
            "sent": max(event.sent for event in step.of("all_gather")),
            "bytes": weight.nbytes,
        }
    )
    return {
        "outcome": "accepted",
        "mesh": devices.mesh.tolist(),
        "shard_groups": together(group for seen in everyone for group in seen["gather"]),
        "replicate_groups": together(group for seen in everyone for group in seen["reduce"]),
        "same_shard": together(
            [at for at, other in enumerate(everyone) if other["values"] == seen["values"] != []]
            for seen in everyone
        ),
        "placements": placements(model.weight),
        "tensor_shape": list(model.weight.shape),
        "local_shape": list(weight.shape),
        "local_shapes": [seen["shape"] for seen in everyone],
        "parameter_bytes": weight.nbytes,
        "all_gather_sent": [seen["sent"] for seen in everyone],
        "padding_bytes": [seen["sent"] - seen["bytes"] for seen in everyone],
    }
