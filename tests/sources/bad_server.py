"""A web server on 127.0.0.1 that behaves badly on purpose: one path, one behaviour."""

from __future__ import annotations

import contextlib
import email.utils
import functools
import gzip
import http.server
import ssl
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from claimbook.cards.card import Course

EXPIRED = Path(__file__).parent / "expired.pem"
"""A certificate for localhost that ended long ago, with its key; it protects nothing."""

HTML = "text/html; charset=utf-8"
PAGE = '<title>Page</title><p id="here">text</p><a name="there"></a><h2 id="главная">x</h2>'

CARD = Course(
    id="course",
    path=Path("courses/course.yml"),
    positions={},
    title="",
    provider="",
    url="",
    language="en",
    kind="",
    level="",
    access="",
    note=None,
)
"""A card for links to hang on."""


@functools.cache
def bomb() -> bytes:
    """A page that is small on the way and large in the end."""
    return gzip.compress(bytes(50_000_000), compresslevel=1)


class BadServer(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked: Counter[str] = Counter()
        """`METHOD path` -> how often."""
        self.headers: dict[str, dict[str, str]] = {}
        """Path -> the headers of the last request."""
        self.sent: defaultdict[str, list[int]] = defaultdict(list)
        """Path -> the states that were sent."""
        self.pages: dict[str, tuple[int, str, dict[str, str]]] = {}
        """Path -> status, body and headers, for a test that wants a page of its own."""
        self.closing = threading.Event()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that go away are what the tests are about."""


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: BadServer

    def log_message(self, format: str, *args: Any) -> None: ...

    def do_HEAD(self) -> None:
        self.answer()

    def do_GET(self) -> None:
        self.answer()

    def answer(self) -> None:
        path = self.path.partition("?")[0]
        self.server.asked[f"{self.command} {path}"] += 1
        self.server.headers[path] = dict(self.headers)
        name = path.strip("/").replace("-", "_").replace("/", "_")
        method = getattr(self, f"on_{name}", None)
        if path in self.server.pages:
            status, body, headers = self.server.pages[path]
            self.send(status, body, **headers)
        elif path.strip("/").isdigit():
            self.send(int(path.strip("/")))
        elif method is None:
            self.send(200, PAGE)
        else:
            method()

    @property
    def times(self) -> int:
        """How often this path was asked, whatever the method."""
        path = self.path.partition("?")[0]
        return sum(count for key, count in self.server.asked.items() if key.endswith(f" {path}"))

    def send(self, status: int, body: str | bytes = "", **headers: str) -> None:
        data = body.encode() if isinstance(body, str) else body
        self.server.sent[self.path.partition("?")[0]].append(status)
        self.send_response(status)
        for name, value in {"Content_Type": HTML, **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        if status != 204 and "Content_Length" not in headers:
            self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def redirect(self, status: int, to: str, **headers: str) -> None:
        self.send(status, Location=to, **headers)

    def on_chain(self) -> None:
        self.redirect(301, "/chain-two")

    def on_chain_two(self) -> None:
        self.redirect(308, "/end")

    def on_half(self) -> None:
        self.redirect(301, "/for-now")

    def on_for_now(self) -> None:
        self.redirect(302, "/end")

    def on_loop(self) -> None:
        self.redirect(301, "/loop-two")

    def on_loop_two(self) -> None:
        self.redirect(301, "/loop")

    def on_far(self) -> None:
        step = int(self.path.partition("?")[2] or 0)
        self.redirect(302, f"/far?{step + 1}")

    def on_secret(self) -> None:
        self.redirect(302, "/login?next=secret")

    def on_deep_page(self) -> None:
        self.redirect(301, "/")

    def on_other_host(self) -> None:
        self.redirect(307, f"http://other.example:{self.server.server_port}/end")

    def on_inside(self) -> None:
        self.redirect(302, f"http://inside.example:{self.server.server_port}/end")

    def on_file(self) -> None:
        self.redirect(302, "file:///etc/passwd")

    def on_cookie(self) -> None:
        if "seen=yes" in self.headers.get("Cookie", ""):
            self.send(200, PAGE)
        else:
            self.redirect(302, "/cookie", Set_Cookie="seen=yes")

    def on_russian(self) -> None:
        self.redirect(301, "/страница".encode().decode("latin-1"))

    def on_head_403(self) -> None:
        self.send(403 if self.command == "HEAD" else 200, PAGE)

    def on_head_404(self) -> None:
        self.send(404 if self.command == "HEAD" else 200, PAGE)

    def on_head_breaks(self) -> None:
        if self.command == "HEAD":
            self.close_connection = True
        else:
            self.send(200, PAGE)

    def on_busy_seconds(self) -> None:
        self.send(429 if self.times == 1 else 200, PAGE, Retry_After="3")

    def on_busy_date(self) -> None:
        date = email.utils.formatdate(time.time() + 10, usegmt=True)
        self.send(429 if self.times == 1 else 200, PAGE, Retry_After=date)

    def on_busy_for_an_hour(self) -> None:
        self.send(429, Retry_After="3600")

    def on_busy_nonsense(self) -> None:
        self.send(429, Retry_After="soon")

    def on_fails_once(self) -> None:
        self.send(500 if self.server.asked["GET /fails-once"] <= 1 else 200, PAGE)

    def on_challenge(self) -> None:
        self.send(200, PAGE, cf_mitigated="challenge")

    def on_captcha(self) -> None:
        self.send(200, "<title>Just a moment...</title>")

    def on_soft_404(self) -> None:
        self.send(200, "<title>Page not found</title>")

    def on_slow_headers(self) -> None:
        self.server.closing.wait(20)

    def on_dripping_headers(self) -> None:
        with contextlib.suppress(OSError):
            self.wfile.write(b"HTTP/1.1 200 OK\r\nX: ")
            while not self.server.closing.wait(0.05):
                self.wfile.write(b"x")
                self.wfile.flush()

    def on_dripping_status(self) -> None:
        with contextlib.suppress(OSError):
            while not self.server.closing.wait(0.05):
                self.wfile.write(b"H")

    def on_slow_body(self) -> None:
        self.send(200, "<p>", Content_Length="1000")
        if self.command == "GET":
            with contextlib.suppress(OSError):
                while not self.server.closing.wait(0.05):
                    self.wfile.write(b"x")

    def on_endless(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", HTML)
        self.end_headers()
        with contextlib.suppress(OSError):
            while not self.server.closing.is_set():
                self.wfile.write(b"x" * 65536)

    def on_endless_redirect(self) -> None:
        self.send_response(302)
        self.send_header("Location", "/end")
        self.end_headers()
        with contextlib.suppress(OSError):
            while not self.server.closing.is_set():
                self.wfile.write(b"x" * 65536)

    def on_bomb(self) -> None:
        self.send(200, bomb(), Content_Encoding="gzip")

    def on_no_gzip(self) -> None:
        self.send(200, b"this is no gzip", Content_Encoding="gzip")

    def on_short(self) -> None:
        self.send(200, "<p>", Content_Length="5000")
        self.close_connection = True

    def on_reset(self) -> None:
        self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-")
        self.close_connection = True

    def on_no_http(self) -> None:
        self.wfile.write(b"220 mail.example ESMTP\r\n")
        self.close_connection = True

    def on_huge_header(self) -> None:
        self.send(200, PAGE, X="y" * 100_000)

    def on_many_headers(self) -> None:
        self.send(200, PAGE, **{f"X_{number}": "y" for number in range(300)})

    def on_kept(self) -> None:
        known = self.headers.get("If-None-Match") == '"one"' or self.headers.get("If-Modified-Since")
        self.send(304 if known else 200, "" if known else PAGE, ETag='"one"')

    def on_dated(self) -> None:
        known = self.headers.get("If-Modified-Since")
        self.send(304 if known else 200, "" if known else PAGE, Last_Modified="Tue, 01 Jan 2030 00:00:00 GMT")

    def on_bad_charset(self) -> None:
        self.send(200, PAGE, Content_Type="text/html; charset=no-such-thing")

    def on_windows(self) -> None:
        self.send(200, "<h2 id=часть>".encode("cp1251"), Content_Type="text/html; charset=windows-1251")

    def on_windows_meta(self) -> None:
        page = "<meta charset='windows-1251'><h2 id=часть>".encode("cp1251")
        self.send(200, page, Content_Type="text/html")

    def on_by_script(self) -> None:
        self.send(200, PAGE + "<script>add('made-later')</script>")

    def on_frame(self) -> None:
        self.send(200, "<title>App</title><div id=root></div><script src=/app.js></script>")

    def on_pdf(self) -> None:
        self.send(200, b"%PDF", Content_Type="application/pdf")

    def on_sends_on(self) -> None:
        self.send(200, "<meta http-equiv=refresh content='0; url=/end'>")

    def on_broken_markup(self) -> None:
        self.send(200, "<p id=here><![odd[x]]><p id=after")

    def on_user_content(self) -> None:
        self.send(200, "<h2 id=user-content-usage>Usage</h2>")


@contextlib.contextmanager
def serving(*, tls: bool = False) -> Iterator[BadServer]:
    """The server while it runs."""
    server = BadServer()
    if tls:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(EXPIRED)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=lambda: server.serve_forever(poll_interval=0.01), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.closing.set()
        server.shutdown()
        server.server_close()
        thread.join()
