"""From what each rank left to the outcome of the run: who was at fault, and in which words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from claimbook.experiment.outcome import legible

MOST_FRAMES = 12
"""Of a stuck thread's stack: the innermost ones."""


GLOO_SAYS = re.compile(r"^\[Gloo\] Rank \d+ is connected to .*\n?", re.MULTILINE)
"""What gloo prints in every rank of every run."""


@dataclass(kw_only=True)
class Fate:
    """What one rank left."""

    rank: int
    value: Any = None
    events: Any = None
    reported: bool = False
    finished: bool = False
    """Whether its experiment returned, whether or not the others have met it at the end."""
    refused: str = ""
    """What it did wrong, where it returned: a value that is no JSON, a thread left running."""
    raised: str = ""
    died: str = ""
    """How its process ended before it had reported."""
    stuck: bool = False
    at: float = 0.0
    detail: str = ""
    stacks: str = ""
    output: bytes = b""
    printed: int = 0

    def hear(self, message: dict[str, Any]) -> None:
        """Take in a message of the rank; the first report counts."""
        if self.reported:
            return
        if message.get("finished"):
            self.finished = True
            return
        self.reported = True
        self.value = message.get("value")
        self.events = message.get("events")
        self.refused = message.get("refused", "")
        self.raised = message.get("raised", "")
        self.detail = message.get("detail", "")
        self.at = message.get("at", 0.0)

    @property
    def failed(self) -> bool:
        """Whether there is something against it already."""
        return bool(self.refused or self.raised or self.died)

    @property
    def charge(self) -> str:
        """What is held against it, to follow its name."""
        return self.refused or self.raised or self.died


def outcome(fates: Sequence[Fate], *, seconds: float, timeout: float) -> dict[str, Any]:
    """The message for the command line: fields of an Outcome."""
    if failure := _failure(fates, timeout):
        return {"failure": legible(failure), "detail": legible(_detail(fates)), "seconds": seconds}
    events = [fate.events for fate in fates]
    return {
        "values": [fate.value for fate in fates],
        "seconds": seconds,
        "events": events if all(event is not None for event in events) else [],
    }


def _failure(fates: Sequence[Fate], timeout: float) -> str:
    stuck = [fate for fate in fates if fate.stuck]
    if stuck:
        return _hang(stuck, timeout)
    charged = sorted((fate for fate in fates if fate.failed), key=lambda fate: fate.at)
    if not charged:
        return ""
    # A rank that dies, or leaves its group, makes others raise, and they may say so first.
    charged = [fate for fate in charged if fate.died or fate.refused] or charged
    if len(charged) == len(fates) > 1 and len({fate.charge for fate in charged}) == 1:
        return f"every rank {charged[0].charge}"
    return "; ".join(f"rank {fate.rank} {fate.charge}" for fate in charged[:3])


def _hang(stuck: Sequence[Fate], timeout: float) -> str:
    busy = [fate for fate in stuck if not fate.finished]
    if not busy:
        return f"{_ranks(stuck)} did not meet at the end within {timeout:g} s: a collective was not joined"
    places = "; ".join(f"{_ranks(standing)} {place}" for place, standing in _standing(busy)[:3])
    returned = [fate for fate in stuck if fate.finished]
    had = f"; {_ranks(returned)} had returned" if returned else ""
    return f"{_ranks(busy)} did not return within {timeout:g} s{f' ({places})' if places else ''}{had}"


def _standing(busy: Sequence[Fate]) -> list[tuple[str, list[Fate]]]:
    """Places and the ranks that stand there; first those that do something else than wait for the others."""
    places: dict[tuple[bool, str], list[Fate]] = {}
    for fate in busy:
        if frames := _frames(fate.stacks):
            waits = "/torch/distributed/" in frames[0][0]
            places.setdefault((waits, _place(frames)), []).append(fate)
    return [(place, fates) for (_, place), fates in sorted(places.items(), key=lambda item: item[0][0])]


def _ranks(fates: Iterable[Fate]) -> str:
    names = [str(fate.rank) for fate in fates]
    if len(names) == 1:
        return f"rank {names[0]}"
    return f"ranks {', '.join(names[:-1])} and {names[-1]}"


def _frames(stacks: str) -> list[tuple[str, str, str]]:
    """File, line and function of the frames of a stuck rank, innermost first."""
    return re.findall(r'File "([^"]+)", line (\d+) in (\S+)', _main_thread(stacks))


def _place(frames: Sequence[tuple[str, str, str]]) -> str:
    """Where a stuck rank stands: the innermost frame, and the line of the verifier that led there."""
    told = f"in {frames[0][2]}"
    for file, line, _ in frames:
        if "/verifiers/" in file:
            return f"{told}, from verifiers/{file.rpartition('/verifiers/')[2]}:{line}"
    return told


def _main_thread(stacks: str) -> str:
    """The part of a dump that a rank's first thread wrote: the last, as threads stand newest first."""
    return stacks.rpartition("hread 0x")[2]


def _detail(fates: Sequence[Fate]) -> str:
    parts = []
    for fate in fates:
        if not (fate.failed or fate.stuck):
            continue
        for title, text in (
            ("raised", fate.detail),
            ("stacks, innermost first", fate.stacks),
            ("last output", GLOO_SAYS.sub("", fate.output.decode(errors="replace"))),
        ):
            if text.strip():
                parts.append(f"rank {fate.rank}, {title}:\n{text.strip()}")
    return "\n".join(parts)
