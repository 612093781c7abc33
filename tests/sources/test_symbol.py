"""Where a package defines a name, read from its files."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from claimbook.experiment.installed import installed
from claimbook.sources.symbol import Found, NotFound, Package

FILES = {
    "__init__.py": """
        from . import nest as shelf
        from .egg import Egg, _boil as boil
        from .nest import *
        from typing import TYPE_CHECKING
        if TYPE_CHECKING:
            from kit._C._fast import *
        """,
    "egg.py": """
        import functools

        @functools.cache
        @functools.wraps(print)
        def _boil():
            pass

        class Egg:
            colour = "white"

            @property
            def size(self):
                return 1

            @size.setter
            def size(self, value):
                pass

        class Shell(Egg):
            class Crack:
                def widen(self):
                    pass

        OldEgg = Egg
        """,
    "nest/__init__.py": """
        from .twig import *
        from ..egg import Shell
        from kit._C._fast import Wing
        try:
            from .absent import lost
        except ImportError:
            def lost():
                pass
        def weave(): ...
        def weave(x=0): ...
        """,
    "nest/twig.py": """
        class Twig:
            def bend(self):
                pass
        def loop():
            pass
        """,
    "round.py": "from .about import spin",
    "about.py": "from .round import spin",
    "_C/_fast.pyi": """
        class Wing: ...
        def flap(x: int) -> int: ...
        """,
}

PLACES = (
    ("kit.egg.Egg", "kit/egg.py", 9),
    # a decorated definition begins at its first decorator
    ("kit.boil", "kit/egg.py", 4),
    # re-exports, by name, by star, by a module under another name
    ("kit.Egg", "kit/egg.py", 9),
    ("kit.Twig.bend", "kit/nest/twig.py", 3),
    ("kit.shelf.Twig", "kit/nest/twig.py", 2),
    ("kit.nest.Shell.Crack.widen", "kit/egg.py", 22),
    # a member of the class or of its base; a property stands where its getter is
    ("kit.egg.Egg.colour", "kit/egg.py", 10),
    ("kit.egg.Egg.size", "kit/egg.py", 12),
    ("kit.egg.Shell.size", "kit/egg.py", 12),
    # an alias leads to what it names
    ("kit.egg.OldEgg.size", "kit/egg.py", 12),
    # the last definition counts, as at run time
    ("kit.nest.weave", "kit/nest/__init__.py", 11),
    ("kit.nest", "kit/nest/__init__.py", 1),
)

NOWHERE = (
    ("kit.egg.Yolk", "kit.egg has no `Yolk`", False),
    ("kit.egg.Egg.hatch", "class kit.egg.Egg has no `hatch`", False),
    ("kit.boil.timer", "kit.egg._boil is no class", False),
    ("other.thing", "`other.thing` is not a name in kit", False),
    # two modules that import a name from each other
    ("kit.round.spin", "kit.about.spin is imported in a circle", False),
    # names of extension modules, known from the stubs
    ("kit.nest.Wing", "it comes from the extension module kit._C._fast", True),
    ("kit.flap", "it comes from the extension module kit._C._fast", True),
)


@pytest.fixture
def kit(tmp_path: Path) -> Package:
    for name, text in FILES.items():
        path = tmp_path / "kit" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text), "utf-8")
    return Package(tmp_path / "kit")


@pytest.mark.parametrize(("symbol", "file", "line"), PLACES, ids=[row[0] for row in PLACES])
def test_the_place_of_a_definition(kit: Package, symbol: str, file: str, line: int) -> None:
    found = kit.find(symbol)
    assert isinstance(found, Found)
    assert (found.file, found.line) == (file, line)


@pytest.mark.parametrize(("symbol", "reason", "compiled"), NOWHERE, ids=[row[0] for row in NOWHERE])
def test_why_there_is_no_place(kit: Package, symbol: str, reason: str, compiled: bool) -> None:
    assert kit.find(symbol) == NotFound(reason=reason, compiled=compiled)


def test_a_file_that_is_no_python_has_no_names(kit: Package) -> None:
    (kit.folder / "odd.py").write_text("def (", "utf-8")
    assert kit.find("kit.odd.name") == NotFound(reason="kit.odd has no `name`")


TORCH = """
torch.distributed.fsdp.fully_shard
    torch/distributed/fsdp/_fully_shard/_fully_shard.py:85
torch.distributed.fsdp.FSDPModule.unshard
    torch/distributed/fsdp/_fully_shard/_fully_shard.py:282
torch.distributed.fsdp.UnshardHandle.wait
    torch/distributed/fsdp/_fully_shard/_fully_shard.py:643
torch.distributed.fsdp.register_fsdp_forward_method
    torch/distributed/fsdp/_fully_shard/_fully_shard.py:662
torch.distributed.fsdp.FullyShardedDataParallel
    torch/distributed/fsdp/fully_sharded_data_parallel.py:117
torch.nn.parallel.DistributedDataParallel
    torch/nn/parallel/distributed.py:326
torch.nn.parallel.DistributedDataParallel.no_sync
    torch/nn/parallel/distributed.py:1436
torch.distributed.tensor.DTensor.redistribute
    torch/distributed/tensor/_api.py:477
torch.distributed.tensor.distribute_tensor
    torch/distributed/tensor/_api.py:652
torch.distributed.tensor.distribute_module
    torch/distributed/tensor/_api.py:836
torch.distributed.tensor.placement_types.Shard
    torch/distributed/tensor/placement_types.py:50
torch.distributed.tensor.placement_types.Replicate
    torch/distributed/tensor/placement_types.py:602
torch.distributed.tensor.placement_types.Partial
    torch/distributed/tensor/placement_types.py:654
torch.distributed.device_mesh.init_device_mesh
    torch/distributed/device_mesh.py:1076
torch.distributed.device_mesh.DeviceMesh
    torch/distributed/device_mesh.py:395
torch.distributed.tensor.parallel.parallelize_module
    torch/distributed/tensor/parallel/api.py:15
torch.distributed.tensor.parallel.ColwiseParallel
    torch/distributed/tensor/parallel/style.py:45
torch.distributed.tensor.parallel.loss_parallel
    torch/distributed/tensor/parallel/loss.py:30
torch.distributed.pipelining.pipeline
    torch/distributed/pipelining/_IR.py:1197
torch.distributed.pipelining.PipelineStage
    torch/distributed/pipelining/stage.py:1299
torch.distributed.pipelining.schedules.Schedule1F1B
    torch/distributed/pipelining/schedules.py:817
torch.distributed.tensor.experimental.context_parallel
    torch/distributed/tensor/experimental/_attention.py:1399
torch.distributed.init_process_group
    torch/distributed/distributed_c10d.py:1541
torch.distributed.all_reduce
    torch/distributed/distributed_c10d.py:2845
torch.distributed.all_gather_into_tensor
    torch/distributed/distributed_c10d.py:3953
torch.distributed.reduce_scatter_tensor
    torch/distributed/distributed_c10d.py:4423
torch.distributed.barrier
    torch/distributed/distributed_c10d.py:4823
torch.distributed.new_group
    torch/distributed/distributed_c10d.py:5198
torch.distributed.checkpoint.save
    torch/distributed/checkpoint/state_dict_saver.py:85
torch.distributed.checkpoint.state_dict.get_state_dict
    torch/distributed/checkpoint/state_dict.py:1111
torch.utils.checkpoint.checkpoint
    torch/utils/checkpoint.py:342
torch.amp.autocast
    torch/amp/autocast_mode.py:52
torch.amp.grad_scaler.GradScaler
    torch/amp/grad_scaler.py:53
torch.distributed.optim.ZeroRedundancyOptimizer
    torch/distributed/optim/zero_redundancy_optimizer.py:283
torch.utils.data.distributed.DistributedSampler
    torch/utils/data/distributed.py:17
torch.nn.SyncBatchNorm
    torch/nn/modules/batchnorm.py:602
torch.nn.Dropout
    torch/nn/modules/dropout.py:35
torch.distributed.algorithms.join.Join
    torch/distributed/algorithms/join.py:104
torch.distributed.run.main
    torch/distributed/run.py:933
"""
"""Read off the source links of the 2.9.1 documentation, or by the rule that makes them."""


@pytest.mark.ranks
def test_lines_are_those_of_the_documentation() -> None:
    torch = installed("torch")
    assert torch is not None
    package = Package(torch.folder)
    words = TORCH.split()
    expected = dict(zip(words[::2], words[1::2], strict=True))
    found = {symbol: package.find(symbol) for symbol in expected}
    places = {symbol: f"{at.file}:{at.line}" for symbol, at in found.items() if isinstance(at, Found)}
    assert places == expected


@pytest.mark.ranks
@pytest.mark.parametrize("name", ["torch.distributed.ReduceOp", "torch.distributed.TCPStore", "torch.matmul"])
def test_names_of_torch_that_no_file_defines(name: str) -> None:
    torch = installed("torch")
    assert torch is not None
    found = Package(torch.folder).find(name)
    assert isinstance(found, NotFound)
    assert found.compiled
