"""The local launcher, seen from the command line: starts the parent of all ranks and speaks with it."""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from claimbook.errors import CannotRun
from claimbook.experiment import process
from claimbook.experiment.outcome import send, unframe

DEFAULTS: Mapping[str, str] = {
    "OMP_NUM_THREADS": "1",
    "GLOO_SOCKET_IFNAME": "lo",
    "TORCH_CPP_LOG_LEVEL": "ERROR",
}
"""Environment of the ranks where the caller has set nothing else."""

START_WITHIN = 120.0
"""Seconds for the import of torch, on a cold disk too."""

END_WITHIN = 5.0


class Gone(Exception):
    """The parent of all ranks has ended, or does not answer."""


class Zygote:
    """A running parent of ranks; leaving the context ends it and everything below it."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        self._received = bytearray()
        self._messages: deque[dict[str, Any]] = deque()

    def __enter__(self) -> Self:
        self.folder = Path(tempfile.mkdtemp(prefix="claimbook-"))
        self._channel, theirs = socket.socketpair()
        self._words = os.memfd_create("zygote")
        try:
            self._process = subprocess.Popen(
                self._command(theirs.fileno()),
                env={**DEFAULTS, **os.environ, "TMPDIR": str(self.folder)},
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=self._words,
                stderr=self._words,
                # Ctrl-C reaches the whole foreground group; the ranks are for us to end.
                process_group=0,
            )
        finally:
            theirs.close()
        try:
            message = self.receive(START_WITHIN)
        except Gone as gone:
            self.__exit__(None, None, None)
            raise CannotRun(f"the parent of the ranks did not start\n{gone}") from None
        except BaseException:
            self.__exit__(None, None, None)
            raise
        assert message == {"ready": True}, message
        return self

    def _command(self, channel: int) -> list[str]:
        arguments = [str(channel), str(os.getpid()), str(self.root), str(self.folder)]
        return [sys.executable, "-P", "-m", "claimbook.experiment.zygote", *arguments]

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._channel.close()
        # Out of an import, where it does not see that the channel has closed.
        self._process.terminate()
        try:
            self._process.wait(END_WITHIN)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        finally:
            os.close(self._words)
            if self._process.returncode < 0:
                # It had no time to end what its ranks had started; all of that carries the folder's name.
                process.end_marked(f"TMPDIR={self.folder}")
            shutil.rmtree(self.folder, ignore_errors=True)

    def send(self, message: Mapping[str, Any]) -> None:
        """Send a request. Raises Gone."""
        try:
            send(self._channel, message)
        except OSError:
            raise Gone(self._last_words()) from None

    def receive(self, timeout: float) -> dict[str, Any] | None:
        """The next message; None where there is none for `timeout` seconds. Raises Gone."""
        limit = time.monotonic() + timeout
        while not self._messages:
            readable, _, _ = select.select([self._channel], [], [], max(0.0, limit - time.monotonic()))
            if not readable:
                return None
            try:
                chunk = self._channel.recv(1 << 16)
            except ConnectionResetError:
                chunk = b""
            if not chunk:
                raise Gone(self._last_words())
            self._received += chunk
            self._messages.extend(unframe(self._received))
        return self._messages.popleft()

    def kill(self) -> None:
        """End it at once; for one that does not answer."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._process.pid, signal.SIGKILL)

    def _last_words(self) -> str:
        words = os.pread(self._words, 1 << 20, 0).decode(errors="replace").strip()
        return "\n".join(words.splitlines()[-15:])
