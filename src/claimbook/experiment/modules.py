"""Modules of experiments: imported from the `verifiers/` of one book, whatever else is on the path."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import signal
import sys
import types
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from claimbook.experiment.definition import is_experiment
from claimbook.experiment.outcome import legible

PACKAGE = "verifiers"


def open_package(root: Path) -> None:
    """Make `verifiers` mean the folder of that name under `root`. Raises what its `__init__.py` raises."""
    folder = root / PACKAGE
    init = folder / "__init__.py"
    if not init.exists():
        package = types.ModuleType(PACKAGE)
        package.__path__ = [str(folder)]
        sys.modules[PACKAGE] = package
        return
    spec = importlib.util.spec_from_file_location(PACKAGE, init, submodule_search_locations=[str(folder)])
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[PACKAGE] = module
    spec.loader.exec_module(module)


def import_module(name: str) -> str:
    """Import `verifiers.NAME`; returns why that failed, empty where it did not."""
    try:
        importlib.import_module(f"{PACKAGE}.{name}")
    except BaseException as error:
        if isinstance(error, ModuleNotFoundError) and error.name == f"{PACKAGE}.{name}":
            return f"there is no {PACKAGE}/{name.replace('.', '/')}.py"
        return legible(f"importing {PACKAGE}.{name} raised {type(error).__name__}: {error}")
    finally:
        # A module that ignores the end of children would blind the parent to the end of its ranks.
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    return ""


def objection(experiment: str, given: Mapping[str, Any]) -> str:
    """Why that experiment cannot be called so, empty where it can; its module has been imported."""
    module_name, _, name = experiment.rpartition(".")
    members = vars(sys.modules[f"{PACKAGE}.{module_name}"])
    function = members.get(name)
    if function is None or not is_experiment(function):
        known = sorted(known for known, member in members.items() if is_experiment(member))
        return f"verifiers.{module_name} has no experiment {name}; it has {', '.join(known) or 'none'}"
    parameters = list(inspect.signature(function).parameters)[1:]
    unknown = sorted(given.keys() - set(parameters))
    if unknown:
        takes = ", ".join(parameters) or "none"
        return f"{experiment} has no parameter {', '.join(unknown)}; it has {takes}"
    return ""
