"""Progress on a terminal and elsewhere."""

from __future__ import annotations

import io

import pytest

from claimbook.experiment.progress import WIDTH, Progress


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        """It is."""
        return True


def test_a_terminal_gets_one_line_that_is_taken_back() -> None:
    stream = Terminal()
    with Progress(total=4, stream=stream) as progress:
        progress.done("fsdp2.mesh")
        progress.done("m." + "x" * 200)
    shown = stream.getvalue().split("\r\x1b[K")
    assert shown[2].startswith("█████░░░░░░░░░░░░░░░ 1/4 runs, ")
    assert shown[2].endswith("fsdp2.mesh")
    assert all(len(line) <= WIDTH for line in shown)
    assert shown[-1] == ""


def test_a_terminal_is_left_clean_after_an_interrupt() -> None:
    stream = Terminal()
    with pytest.raises(KeyboardInterrupt), Progress(total=4, stream=stream):
        raise KeyboardInterrupt
    assert stream.getvalue().endswith("\r\x1b[K")


def test_a_log_gets_one_plain_line() -> None:
    stream = io.StringIO()
    with Progress(total=4, stream=stream) as progress:
        progress.done("fsdp2.mesh")
    assert stream.getvalue() == "claimbook: 4 runs\n"


@pytest.mark.parametrize("stream", [io.StringIO(), Terminal()])
def test_nothing_is_said_of_no_runs(stream: io.StringIO) -> None:
    with Progress(total=0, stream=stream):
        pass
    assert stream.getvalue().replace("\r\x1b[K", "") == ""
