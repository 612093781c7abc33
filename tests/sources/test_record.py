"""What is remembered of links from one look to the next."""

from __future__ import annotations

import datetime
import json
from dataclasses import replace
from pathlib import Path

import pytest
from bad_server import CARD

from claimbook.errors import CannotRun
from claimbook.settings import Settings, load_settings
from claimbook.sources.links import Link
from claimbook.sources.live import Looked
from claimbook.sources.record import LinkRecord, load_record, record_file, renewed, write_record
from claimbook.sources.state import Seen, State

MAY, JUNE, JULY = (datetime.date(2030, month, 1) for month in (5, 6, 7))
URL = "https://a.example/страница"
OK = LinkRecord(state=State.OK, date=MAY, since=MAY, ok=MAY)
UNSURE = LinkRecord(state=State.UNSURE, date=MAY, since=MAY, ok=None)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return replace(load_settings(Path(__file__).parents[2]), root=tmp_path)


def looked(state: State, url: str = URL) -> Looked:
    return Looked(link=Link(url=url, card=CARD, pointer=()), seen=Seen(state=state), host="a.example")


AFTER = (
    (None, State.OK, LinkRecord(state=State.OK, date=JUNE, since=JUNE, ok=JUNE)),
    (OK, State.OK, LinkRecord(state=State.OK, date=JUNE, since=MAY, ok=JUNE)),
    (OK, State.MOVED, LinkRecord(state=State.MOVED, date=JUNE, since=JUNE, ok=JUNE)),
    # the last good day stays
    (OK, State.GONE, LinkRecord(state=State.GONE, date=JUNE, since=JUNE, ok=MAY)),
    (OK, State.UNSURE, LinkRecord(state=State.UNSURE, date=JUNE, since=JUNE, ok=MAY)),
    # so does the day on which it began to be unsure
    (UNSURE, State.UNSURE, LinkRecord(state=State.UNSURE, date=JUNE, since=MAY, ok=None)),
    # nobody answered: nothing new is known
    (OK, State.UNREACHABLE, OK),
    (UNSURE, State.SKIPPED, UNSURE),
    (None, State.UNREACHABLE, None),
)


@pytest.mark.parametrize(("before", "state", "after"), AFTER)
def test_a_record_after_a_look(before: LinkRecord | None, state: State, after: LinkRecord | None) -> None:
    known = {URL: before} if before else {}
    assert renewed(known, [looked(state)], JUNE) == ({URL: after} if after else {})


def test_the_worst_state_of_an_address_is_kept_and_old_addresses_go() -> None:
    both = [looked(State.GONE), looked(State.OK)]
    after = renewed({"https://old.example/": OK}, both, JUNE)
    assert {url: one.state for url, one in after.items()} == {URL: State.GONE}
    assert renewed({}, both[::-1], JUNE) == after


def test_unsure_does_not_last_for_ever() -> None:
    assert not UNSURE.lasted(MAY + datetime.timedelta(days=30))
    assert UNSURE.lasted(JULY)
    assert not OK.lasted(JULY)


def test_the_file_is_canonical_and_reads_back(settings: Settings) -> None:
    path = write_record(settings, {URL: OK, "https://0.example/": UNSURE})
    text = path.read_text("utf-8")
    assert text.index("0.example") < text.index("страница")
    assert text.endswith("}\n")
    assert [file.name for file in path.parent.iterdir()] == ["links.json"]
    assert load_record(settings) == {URL: OK, "https://0.example/": UNSURE}


def test_nothing_is_known_before_the_first_record(settings: Settings) -> None:
    assert load_record(settings) == {}


@pytest.mark.parametrize("text", ["", "[]", '{"version": 1, "links": {"x": {"state": "fine"}}}'])
def test_a_file_that_cannot_be_read_is_said(settings: Settings, text: str) -> None:
    record_file(settings).parent.mkdir()
    record_file(settings).write_text(text, "utf-8")
    with pytest.raises(CannotRun, match=r"cannot read .*links\.json"):
        load_record(settings)


def test_a_record_of_another_version_is_left_alone(settings: Settings) -> None:
    record_file(settings).parent.mkdir()
    record_file(settings).write_text(json.dumps({"version": 0, "links": {}}), "utf-8")
    assert load_record(settings) == {}
