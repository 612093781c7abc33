"""A run, what came of it, and the frames in which the two travel between processes."""

from __future__ import annotations

import json
import socket
import struct
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from claimbook.cards.card import Json

MOST_BYTES = 1_000_000
"""Of the JSON that one rank may return, and of the text that it may print."""

_LENGTH = struct.Struct("!I")


@dataclass(frozen=True, kw_only=True)
class Run:
    """One experiment under given parameters; two equal runs are one run."""

    experiment: str
    """`module.function` under `verifiers/`."""
    ranks: int
    given: Mapping[str, Json]
    device: str = "cpu"
    backend: str = "gloo"
    fault: str = ""
    """`module.function` under `verifiers/faults/`: a defect that the library has in this run."""

    @property
    def key(self) -> str:
        """The same text for equal runs only: `true`, `1` and `1.0` are three different parameters."""
        return json.dumps(asdict(self), sort_keys=True)

    @property
    def module(self) -> str:
        """The module of the experiment, below `verifiers`."""
        return self.experiment.rpartition(".")[0]


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What every rank returned, or why there is nothing to judge."""

    values: tuple[Json, ...] = ()
    """By rank; empty where the run failed."""
    failure: str = ""
    """One line that names the rank at fault; empty where every rank returned."""
    detail: str = ""
    """Tracebacks, stacks and last words of the ranks, where the run failed."""
    seconds: float = 0.0
    events: tuple[Json, ...] = ()
    """By rank, where a trace was asked for: what the phases recorded."""


def frame(message: Any) -> bytes:
    """A message as it goes over a socket or pipe: its length, then JSON."""
    body = json.dumps(message, allow_nan=False).encode()
    return _LENGTH.pack(len(body)) + body


def unframe(buffer: bytearray) -> list[Any]:
    """Take the complete messages off the front of `buffer`."""
    messages = []
    while len(buffer) >= _LENGTH.size:
        (length,) = _LENGTH.unpack_from(buffer)
        end = _LENGTH.size + length
        if len(buffer) < end:
            break
        messages.append(json.loads(buffer[_LENGTH.size : end]))
        del buffer[:end]
    return messages


def send(channel: socket.socket, message: Any) -> None:
    """Send one message."""
    channel.sendall(frame(message))


def legible(text: str) -> str:
    """The text with what is no Unicode escaped: file names and messages may hold lone surrogates."""
    return text.encode("utf-8", "backslashreplace").decode()
