"""One experiment as a rank under `torchrun`: the peer that the bench measures against."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import torch
import torch.distributed as dist

from claimbook.experiment import modules
from claimbook.experiment.rank import Rank


def main(root: str, experiment: str, given: str) -> None:
    """Join the group that torchrun describes, run the experiment, print what rank 0 saw."""
    torch.set_num_threads(1)
    torch.manual_seed(0)
    modules.open_package(Path(root))
    module, _, name = experiment.rpartition(".")
    if error := modules.import_module(module):
        sys.exit(error)
    dist.init_process_group("gloo")
    rank = Rank(rank=dist.get_rank(), world=dist.get_world_size(), device=torch.device("cpu"))
    function = getattr(sys.modules[f"verifiers.{module}"], name)
    observations = function(rank, **json.loads(given))
    dist.barrier()
    if os.environ["RANK"] == "0":
        print(json.dumps(observations, sort_keys=True))
    dist.destroy_process_group()


if __name__ == "__main__":
    main(*sys.argv[1:])
