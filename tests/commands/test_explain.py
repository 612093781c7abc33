"""`claimbook explain`: a claim's story, and the meaning of a code."""

from __future__ import annotations

from pathlib import Path

import pytest

from claimbook.cli import main

ROOT = Path(__file__).parents[2]


def test_a_claim_is_told_with_its_evidence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "fsdp2#reshard-after-forward", "--root", str(ROOT), "--language", "en"]) == 0
    out = capsys.readouterr().out
    assert "With `False`, the full copies stay after forward.\n      by false-keeps\n" in out
    assert "verified on torch 2.9.1, cpu, gloo, " in out
    assert 'control value=true: {"layers": 0, "root": 0}' in out
    assert "repeat: claimbook verify 'fsdp2#reshard-after-forward' --dry-run" in out
    assert max(map(len, out.splitlines())) <= 80


def test_the_language_follows_the_locale(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "ru_RU.UTF-8")
    assert main(["explain", "fsdp2#one-means-true", "--root", str(ROOT)]) == 0
    assert "полные копии остаются" in capsys.readouterr().out


@pytest.mark.parametrize("code", ["CB010", "CB104", "cb202"])
def test_codes_of_every_stage_are_explained(capsys: pytest.CaptureFixture[str], code: str) -> None:
    assert main(["explain", code]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"{code.upper()}\n\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["CB999"], "CB999 is no code of claimbook"),
        (["fsdp2#nothing"], "'fsdp2#nothing' names nothing in this book"),
        (["fsdp2", "--language", "de"], "the book has no language 'de'"),
    ],
)
def test_what_is_unknown_is_wrong_usage(
    capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert main(["explain", *arguments, "--root", str(ROOT)]) == 2
    assert message in capsys.readouterr().err
