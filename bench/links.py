"""Looking at 1,000 links on 20 hosts, beside lychee on the same links and the same server.

Both are timed as whole processes, with the same limit per host and no pause between requests. Verdicts are
compared link by link; those that differ are printed.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import multiprocessing
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from claimbook.cards.card import Course
from claimbook.settings import load_settings
from claimbook.sources.limits import Limits
from claimbook.sources.links import Link
from claimbook.sources.live import Web, look
from claimbook.sources.state import State

HOSTS, PER_HOST_LINKS, PER_HOST, LATENCY, RUNS = 20, 50, 2, 0.05, 3
BOUND = 1.5

KINDS = ("ok",) * 16 + ("moved", "later", "missing", "gone")
"""In every 20 links: 16 that are there, a permanent and a passing redirect, a 404 and a 410."""

ANSWERS = {
    "ok": "200 OK\r\n",
    "moved": "301 Moved Permanently\r\nLocation: /ok/target\r\n",
    "later": "302 Found\r\nLocation: /ok/target\r\n",
    "missing": "404 Not Found\r\n",
    "gone": "410 Gone\r\n",
}

BODY = b"<title>Page</title>" + b"<p>text</p>" * 200


def main() -> int:
    """Print both times and their ratio; 1 where the ratio is above the bound or a verdict differs."""
    if sys.argv[1:2] == ["--ours"]:
        return _ours(Path(sys.argv[2]))
    lychee = shutil.which("lychee", path=str(Path(sys.executable).parent)) or shutil.which("lychee")
    if lychee is None:
        print("lychee is not installed: pip install 'claimbook[bench]'", file=sys.stderr)
        return 3
    with _serving() as port, tempfile.TemporaryDirectory() as folder:
        links = Path(folder) / "links.md"
        links.write_text("".join(f"<{url}>\n" for url in _urls(port)), "utf-8")
        ours, theirs = [], []
        # In turns, so that both see the same machine.
        for _ in range(RUNS):
            ours.append(_timed([sys.executable, "-m", "bench.links", "--ours", str(links)]))
            theirs.append(_timed([lychee, *_lychee_options(), str(links)]))
    return _report(min(ours, key=lambda run: run[0]), min(theirs, key=lambda run: run[0]))


def _urls(port: int) -> list[str]:
    """Each host is an address of its own in 127.0.0.0/8."""
    return [
        f"http://127.0.0.{host + 1}:{port}/{KINDS[at % len(KINDS)]}/{at}"
        for at in range(PER_HOST_LINKS)
        for host in range(HOSTS)
    ]


def _lychee_options() -> list[str]:
    return [
        *("--format", "json", "--no-progress", "--verbose", "--cache=false"),
        *("--host-concurrency", str(PER_HOST), "--host-request-interval", "0ms"),
        *("--max-concurrency", str(PER_HOST * HOSTS)),
    ]


def _timed(command: list[str]) -> tuple[float, Any]:
    start = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    seconds = time.perf_counter() - start
    if done.returncode not in (0, 2):
        raise SystemExit(f"{command[0]} failed: {done.stderr}")
    return seconds, json.loads(done.stdout)


def _ours(links: Path) -> int:
    card = Course(
        **dict.fromkeys(("id", "title", "provider", "url", "language", "kind", "level", "access"), ""),
        path=links,
        positions={},
        note=None,
    )
    limits = Limits(per_host=PER_HOST, at_once=PER_HOST * HOSTS, pause=0)
    urls = [line.strip("<>") for line in links.read_text("utf-8").split()]
    web = Web(limits=limits, refused=lambda ip: False)
    settings = load_settings(Path(__file__).parents[1])
    looked = look([Link(url=url, card=card, pointer=()) for url in urls], settings, web)
    json.dump({one.link.url: one.seen.state for one in looked}, sys.stdout)
    return 0


def _report(ours: tuple[float, Mapping[str, str]], theirs: tuple[float, Mapping[str, Any]]) -> int:
    there = {State.OK, State.MOVED}
    good = {entry["url"] for entries in theirs[1]["success_map"].values() for entry in entries}
    bad = {entry["url"] for entries in theirs[1]["error_map"].values() for entry in entries}
    differ = [
        url
        for url, state in ours[1].items()
        if (state in there) != (url in good) or (url in good) == (url in bad)
    ]
    ratio = ours[0] / theirs[0]
    print(
        f"{len(ours[1])} links on {HOSTS} hosts, {LATENCY * 1000:g} ms latency, {PER_HOST} at once per host"
    )
    print(f"claimbook {ours[0]:.2f} s, lychee {theirs[0]:.2f} s: {ratio:.2f} times (bound {BOUND})")
    print(f"verdicts: {len(ours[1]) - len(differ)} the same, {len(differ)} differ")
    for url in differ[:10]:
        print(f"  {url}: {ours[1][url]}, lychee {'ok' if url in good else 'error'}")
    return 1 if differ or ratio > BOUND else 0


@contextlib.contextmanager
def _serving() -> Iterator[int]:
    """A server in a process of its own, on every address of this machine's loopback."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs,), daemon=True)
    process.start()
    # With no writer left here, a server that did not start is an EOFError and no wait for ever.
    theirs.close()
    try:
        yield int(ours.recv())
    finally:
        process.terminate()
        process.join()


def _serve(pipe: Any) -> None:
    asyncio.run(_run(pipe))


async def _run(pipe: Any) -> None:
    server = await asyncio.start_server(_answer, "0.0.0.0", 0, backlog=1024)
    pipe.send(server.sockets[0].getsockname()[1])
    await server.serve_forever()


async def _answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
        while True:
            request = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            method, path, _ = request.split(" ", 2)
            await asyncio.sleep(LATENCY)
            head = f"HTTP/1.1 {ANSWERS[path.split('/')[1]]}Content-Type: text/html\r\n"
            writer.write(f"{head}Content-Length: {len(BODY)}\r\n\r\n".encode())
            if method != "HEAD":
                writer.write(BODY)
            await writer.drain()
    writer.close()


if __name__ == "__main__":
    raise SystemExit(main())
