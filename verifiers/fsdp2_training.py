"""FSDP2: what training with split states comes to, and what an optimizer has to be made from."""

from __future__ import annotations

import torch
from torch import nn
from torch.distributed.fsdp import fully_shard
from torch.distributed.tensor import DTensor

from claimbook.experiment import Observations, Rank, experiment
from verifiers.stack import Stack, batch, local, mesh_of, shard, train


@experiment
def gradient(
    rank: Rank,
    *,
    mesh: list[int] | None = None,
    sync: bool = True,
    all_reduce: bool = True,
    reduction: str = "default",
) -> Observations:
    """The gradient after one backward pass over data that differ from rank to rank.

    Rank r feeds rows of r + 1, so that its own gradient is r + 1 in every element and the mean over
    ranks is exact. `reduction` `sum` asks FSDP2 for the sum instead. An empty list is: no gradient.
    """
    data = torch.full((1, 8), float(rank.rank + 1), device=rank.device)
    alone = Stack(1).to(rank.device)
    train(alone, data)
    own = _values(next(alone.parameters()).grad)
    model = Stack(1).to(rank.device)
    sharded = fully_shard(model, mesh=mesh_of(rank, mesh))
    sharded.set_requires_gradient_sync(sync)
    sharded.set_requires_all_reduce(all_reduce)
    if reduction == "sum":
        sharded.set_gradient_divide_factor(1.0)
        sharded.set_force_sum_reduction_for_comms(True)
    train(model, data)
    grad = next(model.parameters()).grad
    return {
        "own_gradients": rank.everyone(own),
        "gradient": _values(grad.full_tensor() if isinstance(grad, DTensor) else grad),
    }


def _values(tensor: torch.Tensor | None) -> list[float]:
    """The distinct elements of a tensor, ascending; none where there is no tensor."""
    return [] if tensor is None else sorted(set(tensor.flatten().tolist()))


@experiment
def training(rank: Rank, *, data: str = "own", steps: int = 4) -> Observations:
    """Whether sharded training ends with the weights of one process that sees the data of all ranks.

    AdamW, mean loss, as many rows on each rank. `data` `own`: each rank has rows of its own; `first`:
    all of them have those of rank 0, which the one process does not do. Equal is: within 1e-5.
    """
    parts = [_rows(rank, step=step) for step in range(steps)]
    alone = _trained(Stack(2).to(rank.device), [torch.cat(part) for part in parts])
    source = rank.rank if data == "own" else 0
    model = Stack(2).to(rank.device)
    shard(model, by="layers", mesh=rank.mesh())
    sharded = _trained(model, [part[source] for part in parts])
    difference = max(float((one - many).abs().max()) for one, many in zip(alone, sharded, strict=True))
    return {"equal": difference < 1e-5, "volatile": {"largest_difference": difference}}


def _rows(rank: Rank, *, step: int) -> list[torch.Tensor]:
    """The rows of every rank in one step, the same on every rank."""
    generator = torch.Generator().manual_seed(step)
    return [torch.randn(4, 8, generator=generator).to(rank.device) for _ in range(rank.world)]


def _trained(model: nn.Module, batches: list[torch.Tensor]) -> list[torch.Tensor]:
    """The full weights after one step of AdamW per batch."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    for rows in batches:
        optimizer.zero_grad()
        model(rows).pow(2).mean().backward()
        optimizer.step()
    weights = [parameter.detach() for parameter in model.parameters()]
    return [weight.full_tensor() if isinstance(weight, DTensor) else weight for weight in weights]


@experiment
def optimizer_order(rank: Rank, *, optimizer_first: bool = False) -> Observations:
    """How many parameters a step of SGD changes, the optimizer made before `fully_shard` or after it."""
    model = Stack(2).to(rank.device)
    if optimizer_first:
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        shard(model, by="layers", mesh=rank.mesh())
    else:
        shard(model, by="layers", mesh=rank.mesh())
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    before = [local(parameter).detach().clone() for parameter in model.parameters()]
    train(model, batch(rank))
    optimizer.step()
    after = [local(parameter).detach() for parameter in model.parameters()]
    changed = [not torch.equal(old, new) for old, new in zip(before, after, strict=True)]
    return {"parameters": len(changed), "parameters_changed": sum(changed)}
