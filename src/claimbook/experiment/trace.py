"""What a rank does, seen at the dispatcher: collectives and matrix products, in the order of their issue."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import torch
import torch.distributed as dist
from torch.distributed.tensor import DTensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_flatten

COLLECTIVES: Mapping[str, str] = {
    "_allgather_base_": "all_gather",
    "allgather_": "all_gather",
    "allgather_coalesced_": "all_gather",
    "allgather_into_tensor_coalesced_": "all_gather",
    "all_gather_into_tensor": "all_gather",
    "all_gather_into_tensor_out": "all_gather",
    "all_gather_into_tensor_coalesced": "all_gather",
    "_reduce_scatter_base_": "reduce_scatter",
    "reduce_scatter_": "reduce_scatter",
    "reduce_scatter_tensor_coalesced_": "reduce_scatter",
    "reduce_scatter_tensor": "reduce_scatter",
    "reduce_scatter_tensor_coalesced": "reduce_scatter",
    "allreduce_": "all_reduce",
    "allreduce_coalesced_": "all_reduce",
    "all_reduce": "all_reduce",
    "all_reduce_": "all_reduce",
    "all_reduce_coalesced": "all_reduce",
    "broadcast_": "broadcast",
    "broadcast": "broadcast",
    "alltoall_": "all_to_all",
    "alltoall_base_": "all_to_all",
    "all_to_all_single": "all_to_all",
    "gather_": "gather",
    "scatter_": "scatter",
    "reduce_": "reduce",
    "send": "send",
    "recv_": "recv",
    "recv_any_source_": "recv",
    "barrier": "barrier",
}
"""Dispatcher names of c10d and of the functional collectives -> the operation's common name."""

COLLECTIVE_NAMESPACES = frozenset({"c10d", "_c10d_functional", "c10d_functional", "_dtensor"})
MATRIX_PRODUCTS = frozenset({"mm", "addmm", "bmm", "baddbmm"})


@dataclass(frozen=True, kw_only=True)
class Event:
    """One operation as its rank issued it."""

    phase: str
    op: str
    """A common name of a collective, or `matmul`."""
    group: tuple[int, ...] = ()
    """Global ranks of the collective's group; empty for a matmul."""
    sent: int = 0
    """Bytes of the tensors that this rank puts in. Bytes on the wire are the backend's affair."""
    received: int = 0
    """Bytes of the tensors that this rank gets out."""
    sample: Any = None
    """What the phase's `sample` function returned just before the operation."""


class Phase:
    """A named part of a step and the events recorded in it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.events: list[Event] = []

    def of(self, op: str) -> list[Event]:
        """The events of one operation, in the order of their issue."""
        return [event for event in self.events if event.op == op]

    def count(self, op: str) -> int:
        """How many times the operation was issued."""
        return len(self.of(op))

    def order(self, *ops: str) -> list[str]:
        """The names of the events, in the order of their issue, of `ops` only if any are given."""
        return [event.op for event in self.events if not ops or event.op in ops]

    def peak(self) -> Any:
        """The largest sample taken before a matmul; 0 where there was none."""
        return max((event.sample for event in self.of("matmul") if event.sample is not None), default=0)


class Recorder(TorchDispatchMode):
    """Appends an Event to its phase for each collective and matrix product that passes the dispatcher.

    DTensor operations are let through to their local parts first: the collectives inside them are
    invisible to a mode that handles the DTensor call itself.
    """

    def __init__(self, phase: Phase, sample: Callable[[], Any] | None) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.phase, self.sample = phase, sample

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        if any(issubclass(kind, DTensor) for kind in types):
            return NotImplemented
        namespace, _, name = func._schema.name.partition("::")
        op = None
        if namespace in COLLECTIVE_NAMESPACES:
            op = COLLECTIVES.get(name)
        elif namespace == "aten" and name in MATRIX_PRODUCTS:
            op = "matmul"
        sample = self.sample() if op and self.sample else None
        result = func(*args, **(kwargs or {}))
        if op:
            self.phase.events.append(self._event(op, args, result, sample, functional=namespace != "c10d"))
        return result

    def _event(self, op: str, args: Any, result: Any, sample: Any, *, functional: bool) -> Event:
        if op == "matmul":
            return Event(phase=self.phase.name, op=op, sample=sample)
        outputs, inputs = _sides(op, args, result, functional=functional)
        return Event(
            phase=self.phase.name,
            op=op,
            group=_group(args),
            sent=_bytes(inputs),
            received=_bytes(outputs),
            sample=sample,
        )


def _sides(op: str, args: Any, result: Any, *, functional: bool) -> tuple[Any, Any]:
    """The output and the input arguments of a collective.

    c10d takes (output, input, …) where the two differ in size and (tensors, …) where it works in place;
    the functional collectives take the input and return the output.
    """
    if functional:
        return result, args[0]
    if op in ("all_gather", "reduce_scatter", "all_to_all", "gather", "scatter"):
        return args[0], args[1]
    return args[0], args[0]


def _bytes(value: Any) -> int:
    leaves, _ = tree_flatten(value)
    return sum(leaf.nbytes for leaf in leaves if isinstance(leaf, torch.Tensor))


def _group(args: Any) -> tuple[int, ...]:
    """The global ranks of the group among the arguments: a boxed ProcessGroup in c10d, a name elsewhere."""
    for arg in args:
        if isinstance(arg, torch.ScriptObject) and "ProcessGroup" in str(arg._type()):
            return tuple(dist.get_process_group_ranks(dist.ProcessGroup.unbox(arg)))
    name = args[-1] if args and isinstance(args[-1], str) else None
    if name is None:
        return ()
    group = torch._C._distributed_c10d._resolve_process_group(name)
    return tuple(dist.get_process_group_ranks(group))
