"""What stops a run. What an author did wrong is a diagnostic instead, collected and never raised.

ClaimbookError
├── UsageError     the command line makes no sense              exit 2
└── CannotRun      the command cannot do its work here          exit 3
    └── SettingsError   [tool.claimbook] is missing or wrong    exit 3
"""

from __future__ import annotations


class ClaimbookError(Exception):
    """Base of all errors that end a command; `help` says what the reader can do about it."""

    exit_status = 3

    def __init__(self, message: str, *, help: str = "") -> None:
        super().__init__(message)
        self.help = help


class UsageError(ClaimbookError):
    """The command was called wrongly."""

    exit_status = 2


class CannotRun(ClaimbookError):
    """The command was called rightly but cannot do its work on this machine."""


class SettingsError(CannotRun):
    """The settings of the book are missing or wrong."""
