"""Make the environment that a target of the Makefile needs: `environment.py VENV EXTRA...`.

Runs on a bare Python >= 3.11 before anything is installed, so it imports the standard library alone.
An environment of ours carries a record of what was installed into it; one that was broken off carries a
mark instead and is made anew. An environment that somebody else made keeps what it has: only what is
missing is added.
"""

from __future__ import annotations

import fcntl
import hashlib
import importlib.util
import json
import re
import shutil
import signal
import subprocess
import sys
import venv
from pathlib import Path
from typing import Any

try:
    import tomllib
except ModuleNotFoundError:
    sys.exit(f"claimbook: needs Python >= 3.11, this is {sys.version.split()[0]}; call make PYTHON=python3.x")

ROOT = Path(__file__).resolve().parent.parent
PROJECT = ROOT / "pyproject.toml"
CONSTRAINTS = ROOT / "constraints.txt"
TORCH_NOTE = (
    "torch is about to be installed: on x86-64 Linux about 3 GB to download and 7 GB on disk,\n"
    "about two minutes on a fast connection. An environment that has it: make verify VENV=path"
)


def main() -> int:
    """Bring the environment up to date; 0 when it is, 3 with a reason when it cannot be."""
    folder, extras = Path(sys.argv[1]), sys.argv[2:]
    if "verify" in extras and sys.platform != "linux":
        print("claimbook: verify needs Linux (ranks are forked); `make site` works here", file=sys.stderr)
        return 3
    # subprocess.run ends pip when an exception passes through it; a plain SIGTERM would orphan it.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    with PROJECT.open() as lock:
        # Two targets started at once must not install into one environment together.
        fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            Environment(folder).bring_up_to_date(extras)
        except subprocess.CalledProcessError as error:
            print(f"claimbook: set-up failed: {error}; call make again to go on", file=sys.stderr)
            return 3
        except KeyboardInterrupt:
            print("claimbook: set-up interrupted; call make again to go on", file=sys.stderr)
            return 130
        except FileExistsError as error:
            print(f"claimbook: {error}", file=sys.stderr)
            return 3
    return 0


class Environment:
    """A virtual environment, its record and its mark."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.python = folder / "bin" / "python"
        self.record = folder / "claimbook-setup.json"
        self.mark = folder / "claimbook-setup.unfinished"

    def bring_up_to_date(self, extras: list[str]) -> None:
        """Install what `extras` need and is not there."""
        if self.folder.exists() and not self.ours:
            self.add_missing(extras)
            return
        done = self.recorded()
        wanted = sorted({*extras, *done.get("extras", [])})
        record = {"fingerprint": fingerprint(), "extras": wanted, "root": str(ROOT)}
        if done == record:
            return
        if not done:
            self.make()
        self.mark.touch()
        self.record.unlink(missing_ok=True)
        self.pip("--editable", f"{ROOT}[{','.join(wanted)}]")
        self.record.write_text(json.dumps(record))
        self.mark.unlink()

    @property
    def ours(self) -> bool:
        """Whether this script made the environment, wholly or not."""
        return self.record.exists() or self.mark.exists()

    def recorded(self) -> dict[str, Any]:
        """What was installed; empty where set-up was broken off or the Python behind it is gone."""
        try:
            done = json.loads(self.record.read_text())
        except (FileNotFoundError, ValueError):
            return {}
        works = subprocess.run([self.python, "-c", ""], capture_output=True, check=False).returncode == 0
        return done if works and not self.mark.exists() else {}

    def make(self) -> None:
        """Create it, over the remains of an unfinished one."""
        print(f"claimbook: making {self.folder}", flush=True)
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.mark.touch()
        venv.create(self.folder, with_pip=has("ensurepip"), symlinks=True)

    def add_missing(self, extras: list[str]) -> None:
        """Add to an environment that is not ours the packages it lacks, and change none that it has."""
        if not self.python.exists():
            raise FileExistsError(f"{self.folder} is there but is no virtual environment")
        there = self.installed()
        missing = [line for line in requirements(extras) if distribution(line) not in there]
        if missing:
            self.pip(*missing)

    def installed(self) -> set[str]:
        """Normalised names of the distributions in the environment."""
        listing = "import importlib.metadata as m; print(*{d.name for d in m.distributions()}, sep='\\n')"
        command = [str(self.python), "-c", listing]
        output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        return {distribution(name) for name in output.split()}

    def pip(self, *arguments: str) -> None:
        """Install under the pinned versions, with a progress bar where that takes long.

        Some systems ship Python without ensurepip: then by their own pip.
        """
        there = self.installed()
        own = [str(self.python), "-m", "pip"]
        outer = [sys.executable, "-m", "pip", "--python", str(self.python)]
        large = any("verify" in line or "torch" in line for line in arguments) and "torch" not in there
        print(TORCH_NOTE if large else f"claimbook: installing into {self.folder}", flush=True)
        options = ["--disable-pip-version-check", "--constraint", str(CONSTRAINTS)]
        options += [] if large else ["--quiet"]
        command = own if "pip" in there else outer
        subprocess.run([*command, "install", *options, *arguments], check=True)


def fingerprint() -> str:
    """Of all that decides what is installed."""
    table = tomllib.loads(PROJECT.read_text())
    decisive = [table["project"], table["build-system"], CONSTRAINTS.read_text(), sys.version_info[:2]]
    return hashlib.sha256(json.dumps(decisive, sort_keys=True).encode()).hexdigest()


def requirements(extras: list[str]) -> list[str]:
    """The requirements of the project and of its extras."""
    project = tomllib.loads(PROJECT.read_text())["project"]
    optional = project["optional-dependencies"]
    return [*project["dependencies"], *(line for extra in extras for line in optional[extra])]


def distribution(requirement: str) -> str:
    """The normalised name that a requirement starts with."""
    return re.sub(r"[-_.]+", "-", re.split(r"[^A-Za-z0-9._-]", requirement)[0]).lower()


def has(module: str) -> bool:
    """Whether this Python ships the module."""
    return importlib.util.find_spec(module) is not None


if __name__ == "__main__":
    raise SystemExit(main())
