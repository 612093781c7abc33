"""Builds a book's site as `make site` does, and serves it."""

from __future__ import annotations

import functools
import http.server
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from made_up import ROOT


def build(root: Path, folder: Path) -> str:
    """`mkdocs build --strict` of a book into a folder; its messages."""
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stderr


class Files(http.server.SimpleHTTPRequestHandler):
    """Serves files and says nothing, also where the browser turns away before the end."""

    def log_message(self, format: str, *args: object) -> None:
        """No line per request."""

    def copyfile(self, source: Any, outputfile: Any) -> None:
        """Send the file, unless nobody listens any more."""
        try:
            super().copyfile(source, outputfile)
        except ConnectionError:
            self.close_connection = True


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Where the folder is served while the block runs."""
    handler = functools.partial(Files, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
