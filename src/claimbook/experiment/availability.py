"""What this machine can run, told without importing torch."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from claimbook.errors import CannotRun
from claimbook.experiment.installed import Installed, installed
from claimbook.settings import Settings


def availability(settings: Settings) -> Installed:
    """The installed package of the book. Raises CannotRun where nothing can be run."""
    if sys.platform != "linux":
        raise CannotRun(f"experiments need Linux, and this is {sys.platform}")
    found = installed(settings.package)
    if found is None:
        raise CannotRun(
            f"{settings.package} is not installed", help="pip install 'claimbook[verify]', or make verify"
        )
    return found


def gpus() -> int:
    """How many GPUs of NVIDIA a process started now may use."""
    visible = os.environ.get("CUDA_VISIBLE_DEVICES")
    folder = Path("/proc/driver/nvidia/gpus")
    present = sum(1 for _ in folder.iterdir()) if folder.is_dir() else 0
    if visible is None:
        return present
    return min(present, len([name for name in visible.split(",") if name.strip() not in ("", "-1")]))
