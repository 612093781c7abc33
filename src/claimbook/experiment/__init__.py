"""Experiments: what verifier authors import, and the ranks that run them.

`Rank` is loaded at first use, so that a card checker can import this package without torch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from claimbook.experiment.definition import Observations, experiment, fault

if TYPE_CHECKING:
    from claimbook.experiment.rank import Rank

__all__ = ["Observations", "Rank", "experiment", "fault"]


def __getattr__(name: str) -> Any:
    if name == "Rank":
        from claimbook.experiment.rank import Rank

        return Rank
    raise AttributeError(name)
