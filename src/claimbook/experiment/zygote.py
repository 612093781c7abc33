"""The parent of all ranks: imports torch and the experiments once, then forks the ranks of each run.

`python -m claimbook.experiment.zygote` is started by `launcher.Zygote` and speaks with it over a socket
that it inherits. It ends, and everything below it, when the socket closes or its own parent ends.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import shutil
import signal
import socket
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

from claimbook.experiment import process
from claimbook.experiment.outcome import Run, send, unframe


class Server:
    """Serves one launcher until it goes away."""

    def __init__(self, channel: socket.socket, root: Path, folder: Path) -> None:
        self.channel, self.root, self.folder = channel, root, folder
        self.selector = selectors.DefaultSelector()
        self.groups: dict[int, Any] = {}
        self.received = bytearray()
        self.ending = False
        self.runs = 0

    def serve(self) -> None:
        """Answer requests until the other side has gone, then leave nothing behind."""
        self._listen()
        send(self.channel, {"ready": True})
        try:
            while not self.ending:
                for key, _ in self.selector.select(self._patience()):
                    self._handle(key)
                self._tick()
        finally:
            self._end()

    def _listen(self) -> None:
        self.channel.setblocking(True)
        self.selector.register(self.channel, selectors.EVENT_READ, (self._hear, None))
        woken, wake = socket.socketpair()
        woken.setblocking(False)
        wake.setblocking(False)
        self.wake = wake
        signal.set_wakeup_fd(wake.fileno())
        self.selector.register(woken, selectors.EVENT_READ, (self._signalled, None))
        # The byte that goes to `wake` tells the loop.
        _at_end(lambda: None)

    def _handle(self, key: selectors.SelectorKey) -> None:
        # One event may have closed the descriptor of another one in the same batch.
        if self.selector.get_map().get(key.fd) is key or key.fd in self.selector.get_map():
            listen, subject = key.data
            listen(subject)

    def _signalled(self, _: None) -> None:
        self.ending = True

    def _hear(self, _: None) -> None:
        chunk = self.channel.recv(1 << 16)
        if not chunk:
            self.ending = True
            return
        self.received += chunk
        for message in unframe(self.received):
            self._obey(message)

    def _obey(self, message: dict[str, Any]) -> None:
        from claimbook.experiment import modules

        if "import" in message:
            _at_end(self._quit)
            error = modules.import_module(message["import"])
            _at_end(lambda: None)
            send(self.channel, {"imported": message["import"], "error": error})
            return
        run = Run(**message["run"])
        if refusal := modules.objection(run.experiment, run.given):
            send(self.channel, {"id": message["id"], "outcome": {"failure": refusal}})
            return
        self._fork(message["id"], run, message)

    def _fork(self, number: int, run: Run, message: dict[str, Any]) -> None:
        from claimbook.experiment.group import Group

        self.groups[number] = Group(
            run,
            folder=self.folder / str(number),
            timeout=message["timeout"],
            trace=message["trace"],
            selector=self.selector,
        )

    def _patience(self) -> float | None:
        alarm = min((group.alarm for group in self.groups.values()), default=float("inf"))
        return None if alarm == float("inf") else max(0.0, alarm - time.monotonic())

    def _tick(self) -> None:
        now = time.monotonic()
        for number, group in list(self.groups.items()):
            group.tick(now)
            if group.over:
                del self.groups[number]
                self._end_strays()
                outcome = group.close()
                with contextlib.suppress(BrokenPipeError):
                    send(self.channel, {"id": number, "outcome": outcome})

    def _end_strays(self) -> None:
        """End what ranks that were killed had started: it is ours now."""
        process.end_strays({member.pid for group in self.groups.values() for member in group.members})

    def _quit(self) -> NoReturn:
        _quit(self.folder)

    def _end(self) -> None:
        for group in self.groups.values():
            group.abandon()
        process.end_strays(())
        shutil.rmtree(self.folder, ignore_errors=True)


def _at_end(act: Callable[[], object]) -> None:
    """Do that when a signal tells this process to end."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: act())


def _quit(folder: Path) -> NoReturn:
    """End at once where no run is under way, out of whatever is being imported."""
    process.end_strays(())
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(1)


def main(channel: int, parent: int, root: str, folder: str) -> None:
    """Serve the launcher at the other end of descriptor `channel`."""
    _at_end(lambda: _quit(Path(folder)))
    process.adopt_orphans()
    if not process.die_with_parent(parent, signal.SIGTERM):
        _quit(Path(folder))
    connection = socket.socket(fileno=channel)
    # The book's folder must not be where a module is looked for, nor a relative path point into it.
    sys.path[:] = [str(Path(entry).absolute()) for entry in sys.path if entry]
    os.chdir(root)
    from claimbook.experiment import modules
    from claimbook.experiment.warm import warm

    warm()
    # Bytecode of an experiment may be older than its text though their dates agree: none is read or kept.
    sys.pycache_prefix = str(Path(folder) / "bytecode")
    sys.dont_write_bytecode = True
    modules.open_package(Path(root))
    Server(connection, Path(root), Path(folder)).serve()


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4])
