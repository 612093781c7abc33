"""Defects in FSDP2 of torch 2.9.1, each in the place where a real one could be."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import torch
from torch import nn
from torch.distributed.device_mesh import DeviceMesh
from torch.distributed.fsdp._fully_shard import (
    _fsdp_collectives,
    _fsdp_common,
    _fsdp_init,
    _fsdp_param,
    _fsdp_param_group,
    _fsdp_state,
    _fully_shard,
)
from torch.distributed.fsdp._fully_shard._fsdp_param_group import FSDPParamGroup
from torch.distributed.tensor import DTensor

from claimbook.experiment import fault

# A fault reaches into what the library keeps private, and assigns what no type allows.
GROUP: Any = FSDPParamGroup
STATE: Any = _fsdp_state.FSDPState
PARAM: Any = _fsdp_param.FSDPParam
COLLECTIVES: Any = _fsdp_collectives
GROUP_MODULE: Any = _fsdp_param_group
ENTRY: Any = _fully_shard
PART: Any = DTensor


def _switch_off(name: str) -> None:
    """Have every group believe, after backward, that it was told not to: `reduce_grads`, …"""
    post_backward = GROUP.post_backward

    def without(group: Any, *unused: Any) -> None:
        setattr(group, name, False)
        post_backward(group, *unused)

    GROUP.post_backward = without


@fault(
    "fsdp2#reshard-after-forward/true-frees",
    "fsdp2#reshard-after-forward/true-leaves-parts",
    "fsdp2#reshard-after-forward/true-gathers-again",
    "fsdp2#reshard-after-forward/none-below-root",
    "fsdp2#reshard-after-forward/none-gathers-two",
    "fsdp2#reshard-after-forward/two-gathers-in-pairs",
    "fsdp2#reshard-after-forward/two-keeps-half",
    "fsdp2#reshard-after-forward/evaluation-keeps-root",
    "fsdp2#reshard-after-forward/evaluation-gathers-two",
    "fsdp2#parameter-groups/peak-in-forward",
    "fsdp2#parameter-groups/peak-in-backward",
    "fsdp2#parameter-groups/next-gather-comes-first",
)
def reshard_is_skipped() -> None:
    """After forward nothing is resharded, whatever was asked for."""
    reshard = GROUP.reshard

    def skipping(group: Any) -> None:
        if group._training_state is not _fsdp_common.TrainingState.FORWARD:
            reshard(group)

    GROUP.reshard = skipping


@fault(
    "fsdp2#reshard-after-forward/true-frees",
    "fsdp2#reshard-after-forward/false-frees-after-backward",
    "fsdp2#reshard-after-forward/none-below-root",
    "fsdp2#reshard-after-forward/evaluation-keeps-root",
    "fsdp2#parameter-groups/peak-in-forward",
    "fsdp2#parameter-groups/peak-in-backward",
)
def full_copies_are_not_freed() -> None:
    """Resharding swaps the parameters and leaves the memory of the full copies allocated."""
    PARAM.free_unsharded_param = lambda parameter: None


@fault(
    "fsdp2#reshard-after-forward/none-on-root",
    "fsdp2#reshard-after-forward/none-gathers-two",
    "fsdp2#reshard-after-forward/root-only-keeps-all",
    "fsdp2#reshard-after-forward/evaluation-keeps-root",
    "fsdp2#reshard-after-forward/evaluation-gathers-two",
)
def root_is_resharded() -> None:
    """With the default, the root's group is resharded after forward like the others."""
    lazy_init = STATE._lazy_init

    def keeping(state: Any) -> None:
        state._auto_reshard_after_forward = False
        lazy_init(state)

    STATE._lazy_init = keeping


@fault(
    "fsdp2#reshard-after-forward/false-keeps",
    "fsdp2#reshard-after-forward/false-gathers-once",
)
def false_is_taken_as_true() -> None:
    """`reshard_after_forward=False` is treated as `True`."""
    info = _fsdp_init._get_post_forward_mesh_info
    ENTRY._get_post_forward_mesh_info = lambda value, mesh: info(value or True, mesh)


@fault(
    "fsdp2#reshard-after-forward/two-gathers-in-pairs",
    "fsdp2#reshard-after-forward/two-keeps-half",
    "fsdp2#reshard-after-forward/three-is-refused",
    "fsdp2#one-means-true/one-keeps",
    "fsdp2#one-means-true/one-gathers-once",
)
def integer_is_taken_as_true() -> None:
    """An integer `reshard_after_forward` is treated as `True`, without a look at its value."""
    info = _fsdp_init._get_post_forward_mesh_info
    ENTRY._get_post_forward_mesh_info = lambda value, mesh: info(bool(value), mesh)


@fault(
    "fsdp2#two-dimensional-mesh/shard-groups",
    "fsdp2#two-dimensional-mesh/replicate-groups",
    "fsdp2#two-dimensional-mesh/same-parts",
    "fsdp2#two-dimensional-mesh/share-by-second-axis",
    "fsdp2#two-dimensional-mesh/rows-are-cut",
    "fsdp2#two-dimensional-mesh/columns-are-cut",
    "fsdp2#two-dimensional-mesh/same-groups",
    "fsdp2#two-dimensional-mesh/four-by-two",
)
def mesh_axes_are_swapped() -> None:
    """A two-dimensional mesh is sharded along its first axis and replicated along its second."""
    made = ENTRY.HSDPMeshInfo

    def swapped(mesh: DeviceMesh, **_: int) -> Any:
        return made(mesh, shard_mesh_dim=0, replicate_mesh_dim=1)

    ENTRY.HSDPMeshInfo = swapped


@fault(
    "fsdp2#sharded-states/gradient-mean",
    "fsdp2#two-dimensional-mesh/mean-over-both-axes",
)
def gradients_are_summed() -> None:
    """Gradients are added up over ranks and not divided by their number."""
    reduce = torch.distributed.ReduceOp

    def no_division(*_: Any, **__: Any) -> Any:
        return None, None, reduce.SUM, reduce.SUM

    COLLECTIVES._get_gradient_divide_factors = no_division


@fault(
    "fsdp2#sharded-states/all-reduce-on-two-axes",
    "fsdp2#two-dimensional-mesh/replicate-groups",
    "fsdp2#two-dimensional-mesh/mean-over-both-axes",
)
def all_reduce_is_left_out() -> None:
    """On a two-dimensional mesh the gradients are not combined over the replicas."""
    _switch_off("all_reduce_grads")


@fault(
    "fsdp2#sharded-states/scatter-per-group",
    "fsdp2#sharded-states/scatter-bytes",
    "fsdp2#sharded-states/gradient-mean",
    "fsdp2#sharded-states/same-as-one-process",
    "fsdp2#sharded-states/all-reduce-on-two-axes",
    "fsdp2#sharded-states/frozen-not-reduced",
    "fsdp2#parameter-groups/next-gather-comes-first",
    "fsdp2#two-dimensional-mesh/replicate-groups",
    "fsdp2#two-dimensional-mesh/mean-over-both-axes",
)
def gradient_is_not_reduced() -> None:
    """No gradient is exchanged in backward; each rank keeps its own."""
    _switch_off("reduce_grads")


@fault(
    "fsdp2#parameter-groups/next-gather-comes-first",
)
def next_group_is_not_prefetched() -> None:
    """In backward a group is gathered when it is needed and no earlier."""
    GROUP._backward_prefetch = lambda group: None


@fault(
    "fsdp2#parameter-groups/next-gather-comes-first",
)
def groups_are_recorded_twice() -> None:
    """The order of groups that prefetching follows back has each of them twice."""
    record = GROUP._record_post_forward

    def twice(group: Any) -> None:
        record(group)
        record(group)

    GROUP._record_post_forward = twice


@fault(
    "fsdp2#sharded-states/parameter-parts",
    "fsdp2#sharded-states/gradient-parts",
    "fsdp2#sharded-states/moment-parts",
    "fsdp2#reshard-after-forward/true-leaves-parts",
    "fsdp2#two-dimensional-mesh/placements",
    "fsdp2#two-dimensional-mesh/rows-are-cut",
    "fsdp2#two-dimensional-mesh/uneven-rows",
    "fsdp2#two-dimensional-mesh/short-parts-are-padded",
)
def tensor_is_cut_along_its_last_axis() -> None:
    """A parameter is cut along its last axis where no placement is asked for."""
    init = PARAM._init_sharded_param

    def last(self: Any, param: Any, device: Any, shard_placement_fn: Any) -> None:
        placed = shard_placement_fn or (lambda it: torch.distributed.tensor.Shard(it.ndim - 1))
        init(self, param, device, placed)

    PARAM._init_sharded_param = last


@fault(
    "fsdp2#two-dimensional-mesh/columns-are-cut",
    "fsdp2#two-dimensional-mesh/uneven-columns-are-refused",
)
def placement_is_ignored() -> None:
    """`shard_placement_fn` is not asked."""
    init = PARAM._init_sharded_param

    def deaf(self: Any, param: Any, device: Any, shard_placement_fn: Any) -> None:
        init(self, param, device, None)

    PARAM._init_sharded_param = deaf


@fault(
    "fsdp2#sharded-states/parameter-parts",
    "fsdp2#sharded-states/gradient-parts",
    "fsdp2#sharded-states/moment-parts",
    "fsdp2#sharded-states/parameter-share",
    "fsdp2#sharded-states/gradient-share",
    "fsdp2#sharded-states/moment-shares",
    "fsdp2#sharded-states/gather-per-group",
    "fsdp2#sharded-states/gather-before-product",
    "fsdp2#sharded-states/gather-bytes",
    "fsdp2#sharded-states/scatter-bytes",
    "fsdp2#sharded-states/gradient-mean",
    "fsdp2#sharded-states/same-as-one-process",
    "fsdp2#sharded-states/frozen-gathered",
    "fsdp2#reshard-after-forward/true-leaves-parts",
    "fsdp2#reshard-after-forward/true-gathers-again",
    "fsdp2#reshard-after-forward/none-gathers-two",
    "fsdp2#reshard-after-forward/two-gathers-in-pairs",
    "fsdp2#reshard-after-forward/evaluation-gathers-two",
    "fsdp2#parameter-groups/next-gather-comes-first",
    "fsdp2#parameter-groups/root-only-gathers-once",
    "fsdp2#parameter-groups/same-devices-for-all",
    "fsdp2#parameter-groups/root-only-parameter-share",
    "fsdp2#parameter-groups/root-only-gradient-share",
    "fsdp2#parameter-groups/root-only-moment-shares",
    "fsdp2#parameter-groups/forward-gathers-in-turn",
    "fsdp2#memory-falls-by-ranks/quarter-is-stored",
)
def every_rank_keeps_everything() -> None:
    """A mesh is taken for one rank wide: nothing is split and nothing is exchanged."""
    info = ENTRY.FSDPMeshInfo

    def alone(mesh: DeviceMesh, **_: int) -> Any:
        single = torch.distributed.device_mesh.init_device_mesh(
            mesh.device_type, (mesh.size(), 1), mesh_dim_names=("all", "one")
        )
        return info(single["one"], shard_mesh_dim=0)

    ENTRY.FSDPMeshInfo = alone


@fault(
    "fsdp2#two-dimensional-mesh/uneven-rows",
    "fsdp2#two-dimensional-mesh/short-parts-are-padded",
)
def padding_is_counted_as_data() -> None:
    """A short part is kept with the padding that the exchange needs."""
    init = PARAM._init_sharded_param

    def padded(self: Any, *arguments: Any) -> None:
        init(self, *arguments)
        shape = self.padded_sharded_param_size
        self.sharded_size = shape
        full = self._sharded_param_data.view(shape)
        spec = replace(self._sharding_spec)
        part = PART(full, spec, requires_grad=self.sharded_param.requires_grad)
        self.sharded_param = nn.Parameter(part, requires_grad=self.sharded_param.requires_grad)
        self._setattr_on_modules(self.sharded_param)

    PARAM._init_sharded_param = padded


@fault(
    "fsdp2#sharded-states/gather-per-group",
    "fsdp2#sharded-states/gather-before-product",
    "fsdp2#sharded-states/gather-bytes",
    "fsdp2#sharded-states/frozen-gathered",
    "fsdp2#reshard-after-forward/true-gathers-again",
    "fsdp2#reshard-after-forward/none-gathers-two",
    "fsdp2#reshard-after-forward/two-gathers-in-pairs",
    "fsdp2#reshard-after-forward/evaluation-gathers-two",
    "fsdp2#parameter-groups/next-gather-comes-first",
    "fsdp2#parameter-groups/root-only-gathers-once",
    "fsdp2#parameter-groups/same-devices-for-all",
    "fsdp2#parameter-groups/forward-gathers-in-turn",
)
def gather_is_doubled() -> None:
    """Every group is gathered twice before it is used."""
    gather = GROUP_MODULE.foreach_all_gather

    def twice(*arguments: Any) -> Any:
        gather(*arguments)
        return gather(*arguments)

    GROUP_MODULE.foreach_all_gather = twice


@fault(
    "fsdp2#parameter-groups/module-list-is-refused",
)
def module_lists_are_accepted() -> None:
    """A container without a forward is wrapped without a word."""
    ENTRY.nn = SimpleNamespace(Module=nn.Module, ModuleList=Nothing, ModuleDict=Nothing)


class Nothing:
    """No module is one."""
