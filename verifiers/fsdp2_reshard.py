"""FSDP2: what `reshard_after_forward` keeps after forward and gathers again before backward."""

from __future__ import annotations

from typing import Any

import torch
from torch.distributed.fsdp import FSDPModule

from claimbook.experiment import Observations, Rank, experiment
from verifiers.stack import FullCopies, Stack, batch, given, local, placements, shard, stored_bytes, train


@experiment
def reshard_after_forward(
    rank: Rank,
    *,
    value: bool | int | None = None,
    by: str = "layers",
    reshard_after_backward: bool = True,
) -> Observations:
    """Two layers in groups of their own and a head in the root's, all with the same `reshard_after_forward`.

    Bytes of full weights after forward and after backward, what is registered in the modules between
    the two, and the all-gathers of the second step. `value` None leaves the argument out. A value that
    is refused gives its exception as `outcome`, and nothing gathered.
    """
    stack = Stack(2, head=True).to(rank.device)
    try:
        model = shard(stack, by=by, mesh=rank.mesh(), **given(reshard_after_forward=value))
    except ValueError as refusal:
        word = "factor" if "factor" in str(refusal) else ""
        return {"outcome": type(refusal).__name__, "word": word, "gather_group_sizes_in_backward": []}
    assert isinstance(model, FSDPModule)
    model.set_reshard_after_backward(reshard_after_backward)
    copies = FullCopies(model)
    data = batch(rank)
    train(model, data)
    sharded_bytes = stored_bytes(model.parameters())
    with rank.phase("forward") as forward:
        loss = model(data).sum()
    after_forward = _allocated(copies)
    layer = next(stack.layers[0].parameters())
    registered_bytes = stored_bytes(model.parameters())
    with rank.phase("backward") as backward:
        loss.backward()
    regathered = backward.of("all_gather")
    return {
        "outcome": "accepted",
        "word": "",
        "sharded_bytes": sharded_bytes,
        "full_bytes_after_forward": after_forward,
        "full_bytes_after_backward": _allocated(copies),
        "registered_bytes_after_forward": registered_bytes,
        "layer_shape_after_forward": list(local(layer).shape),
        "layer_placements_after_forward": placements(layer),
        "gathers_in_forward": forward.count("all_gather"),
        "gathers_in_backward": len(regathered),
        "gather_group_sizes_in_backward": [len(event.group) for event in regathered],
    }


def _allocated(copies: FullCopies) -> dict[str, int]:
    """Bytes of full weights in the groups of the layers and in the root's own group."""
    return {"layers": copies.bytes("layers"), "root": copies.bytes("head")}


@experiment
def evaluation(rank: Rank, *, value: bool | None = None) -> Observations:
    """All-gathers of two forward passes in a row without gradients; the model of `reshard_after_forward`."""
    stack = Stack(2, head=True).to(rank.device)
    model = shard(stack, by="layers", mesh=rank.mesh(), **given(reshard_after_forward=value))
    copies = FullCopies(model)
    data = batch(rank)
    with torch.no_grad():
        with rank.phase("first") as first:
            model(data)
        kept = _allocated(copies)
        with rank.phase("second") as second:
            model(data)
    return {
        "full_bytes_after_forward": kept,
        "gathers_in_first": first.count("all_gather"),
        "gathers_in_second": second.count("all_gather"),
    }


@experiment
def first_forward(rank: Rank, *, first: str = "root") -> Observations:
    """Whether the whole model still runs after `first`, `root` or `layer`, has run on its own."""
    model = Stack(2, head=True).to(rank.device)
    shard(model, by="layers", mesh=rank.mesh())
    data = batch(rank)
    module: Any = model if first == "root" else model.layers[0]
    module(data)
    try:
        model(data)
    except RuntimeError as refusal:
        return {"outcome": type(refusal).__name__, "word": "root" if "root" in str(refusal) else ""}
    return {"outcome": "accepted", "word": ""}


@experiment
def peaks(rank: Rank, *, by: str = "root") -> Observations:
    """Peak bytes of full weights over a step with `reshard_after_forward` true and with false."""
    peak = {str(value).lower(): _peak(rank, by=by, value=value) for value in (True, False)}
    return {"peak_bytes": peak, "peak_difference": peak["false"] - peak["true"]}


def _peak(rank: Rank, *, by: str, value: bool) -> int:
    model = shard(Stack(4).to(rank.device), by=by, mesh=rank.mesh(), reshard_after_forward=value)
    copies = FullCopies(model)
    data = batch(rank)
    train(model, data)
    with rank.phase(f"step {value}", sample=copies.bytes) as step:
        train(model, data)
    return int(step.peak())
