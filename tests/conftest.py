"""What all tests share: in CI a skipped test is a failed run."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of this repository's book, built once for all tests that look at it."""
    from built import build

    folder = tmp_path_factory.mktemp("site")
    build(Path(__file__).parent.parent, folder)
    return folder


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say why a run without failures fails in CI."""
    if _skips_forbidden(terminalreporter):
        terminalreporter.write_line("skipped tests fail the run: CLAIMBOOK_NO_SKIPS is set", red=True)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Turn skips into a failure where CLAIMBOOK_NO_SKIPS is set."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if exitstatus == 0 and reporter is not None and _skips_forbidden(reporter):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def _skips_forbidden(reporter: pytest.TerminalReporter) -> bool:
    return bool(os.environ.get("CLAIMBOOK_NO_SKIPS")) and bool(reporter.stats.get("skipped"))
