"""Set-up without the network: pip is recorded, the virtual environments are real."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

RUN = subprocess.run

PROJECT = """
[build-system]
requires = ["hatchling"]
[project]
name = "tiny"
dependencies = ["Py_YAML>=6"]
[project.optional-dependencies]
verify = ["torch==2.9.1"]
test = ["pytest"]
"""


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script, set up for a tiny project; `calls` lists what pip was asked to install."""
    script = Path(__file__).parent.parent / "tools" / "environment.py"
    spec = importlib.util.spec_from_file_location("environment", script)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    (tmp_path / "pyproject.toml").write_text(PROJECT)
    (tmp_path / "constraints.txt").write_text("pytest==9.2.0\n")
    for name, path in {"ROOT": "", "PROJECT": "pyproject.toml", "CONSTRAINTS": "constraints.txt"}.items():
        monkeypatch.setattr(module, name, tmp_path / path)
    monkeypatch.setattr(module, "has", lambda module: False)
    monkeypatch.setattr(module, "calls", [], raising=False)
    monkeypatch.setattr(
        module.subprocess, "run", lambda command, **options: record(module, command, **options)
    )
    return module


def record(environment: ModuleType, command: list[str], **options: Any) -> Any:
    """Run what asks the environment about itself; note down what would install."""
    if "install" not in command:
        return RUN(command, **options)
    *_, constraints = command[: command.index("--constraint") + 2]
    assert constraints == str(environment.CONSTRAINTS)
    environment.calls.append(tuple(command[command.index("--constraint") + 2 :]))
    return None


def make(environment: ModuleType, folder: Path, *extras: str) -> int:
    """Call the script as the Makefile does."""
    sys.argv = ["environment.py", str(folder), *extras]
    return int(environment.main())


def test_a_second_call_installs_nothing(environment: ModuleType, tmp_path: Path) -> None:
    folder = tmp_path / "env"
    assert make(environment, folder, "test") == 0
    assert make(environment, folder, "test") == 0
    assert environment.calls == [("--quiet", "--editable", f"{tmp_path}[test]")]


def test_another_extra_is_added_to_those_there(environment: ModuleType, tmp_path: Path) -> None:
    folder = tmp_path / "env"
    make(environment, folder, "verify")
    make(environment, folder, "test")
    make(environment, folder, "verify")
    assert [call[-1] for call in environment.calls] == [f"{tmp_path}[verify]", f"{tmp_path}[test,verify]"]


def test_new_pins_are_installed(environment: ModuleType, tmp_path: Path) -> None:
    folder = tmp_path / "env"
    make(environment, folder, "test")
    (tmp_path / "constraints.txt").write_text("pytest==9.3.0\n")
    make(environment, folder, "test")
    assert len(environment.calls) == 2


def test_a_broken_off_set_up_heals(
    environment: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "env"
    with monkeypatch.context() as broken:
        broken.setattr(environment.Environment, "pip", interrupted)
        assert make(environment, folder, "test") == 130
    (folder / "half-installed").touch()
    assert make(environment, folder, "test") == 0
    assert not (folder / "half-installed").exists()
    assert environment.calls == [("--quiet", "--editable", f"{tmp_path}[test]")]


def test_a_set_up_broken_off_on_the_way_to_more_heals(
    environment: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "env"
    make(environment, folder, "test")
    with monkeypatch.context() as broken:
        broken.setattr(environment.Environment, "pip", interrupted)
        assert make(environment, folder, "verify") == 130
    (folder / "half-installed").touch()
    assert make(environment, folder, "test") == 0
    assert not (folder / "half-installed").exists()


def test_a_foreign_environment_gets_only_what_it_lacks(environment: ModuleType, tmp_path: Path) -> None:
    folder = tmp_path / "env"
    environment.venv.create(folder)
    site = next(folder.glob("lib/python*/site-packages"))
    (site / "torch-2.8.0.dist-info").mkdir()
    (site / "torch-2.8.0.dist-info" / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: torch\nVersion: 2.8.0\n"
    )
    assert make(environment, folder, "verify") == 0
    assert environment.calls == [("--quiet", "Py_YAML>=6")]


def test_a_folder_that_is_no_environment_is_refused(
    environment: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "notes").mkdir()
    assert make(environment, tmp_path / "notes", "test") == 3
    assert "is no virtual environment" in capsys.readouterr().err


def test_torch_is_announced_before_it_is_fetched(
    environment: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make(environment, tmp_path / "env", "verify")
    assert "about 3 GB to download and 7 GB on disk" in capsys.readouterr().out


def test_verify_needs_linux(
    environment: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(environment.sys, "platform", "darwin")
    assert make(environment, tmp_path / "env", "verify") == 3
    assert "needs Linux" in capsys.readouterr().err
    assert environment.calls == []


def interrupted(self: object, *arguments: str) -> None:
    """A pip that is stopped by Ctrl-C."""
    raise KeyboardInterrupt
