"""How far a long job is: one line that is written over on a terminal, one plain line elsewhere."""

from __future__ import annotations

import time
from types import TracebackType
from typing import Self, TextIO

WIDTH = 79


class Progress:
    """Counts the runs that have ended; leaves a terminal as it was."""

    def __init__(self, *, total: int, stream: TextIO) -> None:
        self.total, self.stream = total, stream
        self.count = 0
        self.live = stream.isatty()
        self.began = time.monotonic()

    def __enter__(self) -> Self:
        if self.total and not self.live:
            print(f"claimbook: {self.total} runs", file=self.stream, flush=True)
        self._draw("starting")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.live:
            self.stream.write("\r\x1b[K")
            self.stream.flush()

    def done(self, name: str) -> None:
        """One more run has ended."""
        self.count += 1
        self._draw(name)

    def _draw(self, name: str) -> None:
        if not self.live or not self.total:
            return
        filled = 20 * self.count // self.total
        bar = "█" * filled + "░" * (20 - filled)
        line = f"{bar} {self.count}/{self.total} runs, {time.monotonic() - self.began:.0f} s  {name}"
        self.stream.write(f"\r\x1b[K{line[:WIDTH]}")
        self.stream.flush()
