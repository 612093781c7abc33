"""From what the web answered to the state of a link."""

from __future__ import annotations

import re
from urllib.parse import quote, urljoin, urlsplit

from claimbook.sources.address import Address, AddressProblem, address
from claimbook.sources.answer import Answer, Failure
from claimbook.sources.page import Page, read_page
from claimbook.sources.state import Seen, State

_LOGIN = re.compile(r"/(log-?_?in|sign-?_?in|sso|session/new|auth)(?![a-z])", re.IGNORECASE)
_CAPTCHA = re.compile(
    r"just a moment|attention required|captcha|are you (a )?(human|robot)|access denied", re.I
)
_NOT_FOUND = re.compile(r"\b404\b|page not found|not found", re.IGNORECASE)
_LINES = re.compile(r"L\d+(C\d+)?(-L?\d+(C\d+)?)?")

_STATUS = {
    401: "asks for a login",
    403: "refuses to answer a program (403)",
    408: "gave up waiting (408)",
    429: "answers that it is asked too often (429)",
    451: "may not show the page here (451)",
}


def judge(asked: Address, answer: Answer, page: Page | None) -> Seen:
    """The state of a link to `asked`, from the answer and the page that came with it."""
    if answer.failure is not None:
        return _failed(answer)
    assert answer.status is not None
    if answer.status in (404, 410):
        return Seen(state=State.GONE, code="CB110", words=f"the page is gone ({answer.status})")
    if not 200 <= answer.status < 300:
        return _unsure(_refusal(answer))
    doubt = _soft(asked, answer, page)
    if doubt:
        return _unsure(doubt)
    found = _fragment(asked, answer, page)
    return found or _moved(asked, answer)


def _failed(answer: Answer) -> Seen:
    match answer.failure:
        case Failure.REFUSED:
            words = f"leads to an address that is not public: {answer.words}"
            help = "--allow-private asks such addresses too"
            return Seen(state=State.SKIPPED, code="CB115", words=words, help=help)
        case Failure.NAME | Failure.CONNECT | Failure.TIMEOUT:
            return Seen(state=State.UNREACHABLE, words=answer.words)
    return _unsure(answer.words)


def _unsure(words: str) -> Seen:
    return Seen(state=State.UNSURE, code="CB116", words=words, help="look at it in a browser")


def _refusal(answer: Answer) -> str:
    status = answer.status or 0
    words = _STATUS.get(status) or (
        f"the server fails ({status})" if status >= 500 else f"answers with status {status}"
    )
    if answer.retry_after.isdigit() and status in (429, 503):
        words += f"; try again in {int(answer.retry_after)} s"
    return words


def _soft(asked: Address, answer: Answer, page: Page | None) -> str:
    """Why an answer of 200 may not be the page that was asked for; empty if it is."""
    before, after = urlsplit(asked.page), urlsplit(answer.final)
    if answer.challenge or (page is not None and _CAPTCHA.search(page.title)):
        return "shows a test for robots instead of the page"
    if answer.hops and _LOGIN.search(after.path) and not _LOGIN.search(before.path):
        return "redirects to a page that asks to log in"
    if answer.hops and after.path in ("", "/") and before.path not in ("", "/") and not after.query:
        return f"redirects to the home page of {after.hostname}"
    if page is not None and _NOT_FOUND.search(page.title):
        return "answers 200 with a page that says it was not found"
    return ""


def _moved(asked: Address, answer: Answer) -> Seen:
    """Moved as far as the redirects from the start on are permanent."""
    target = ""
    for hop in answer.hops:
        if hop.status not in (301, 308):
            break
        target = hop.to
    if not target or target == asked.page:
        return Seen(state=State.OK)
    new = target + (f"#{quote(asked.fragment, safe=FRAGMENT)}" if asked.fragment else "")
    return Seen(state=State.MOVED, code="CB111", words="the page has moved", help=f"write {new}")


FRAGMENT = "!$&'()*+,;=:@/?-._~"


def _fragment(asked: Address, answer: Answer, page: Page | None) -> Seen | None:
    """Why the fragment does not lead anywhere; None where it does."""
    fragment = asked.fragment
    if not names_element(asked) or not (answer.html or answer.status == 204):
        return None
    github = (urlsplit(answer.final).hostname or "") in ("github.com", "gist.github.com")
    gone = Seen(state=State.GONE, code="CB112", words=f"the page has no element `{fragment}`")
    if page is None or answer.body is None:
        return gone
    if fragment in page.names or f"user-content-{fragment}" in page.names:
        return None
    if not answer.body.whole:
        return _unsure(f"`{fragment}` is not in what was read of the page, which {answer.body.why}")
    if github or page.empty or fragment in page.scripts:
        return _unsure(f"`{fragment}` is not in the page; a script may put it there")
    return gone


def names_element(asked: Address) -> bool:
    """Whether the fragment is the name of an element of the page, so that the page has to be read."""
    fragment = asked.fragment
    if fragment in ("", "top") or fragment[0] in "!/":
        return False
    # Line anchors of code hosts are no elements; lines are held against the installed package.
    return not (_LINES.fullmatch(fragment) and "/blob/" in urlsplit(asked.page).path)


def page_of(answer: Answer) -> Page | None:
    """The page that came with an answer, if one did."""
    return read_page(answer.body.text) if answer.body is not None else None


def refreshed(answer: Answer, page: Page | None) -> str | None:
    """Where a page that only sends its reader on leads to."""
    if page is None or page.refresh is None:
        return None
    try:
        target = address(urljoin(answer.final, page.refresh)).page
    except AddressProblem:
        return None
    return target if target != answer.final else None
