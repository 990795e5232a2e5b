# SPDX-License-Identifier: BSD-3-Clause
"""Asks the command tutti, which answers in JSON. No job is joined."""

import json
import os
import shutil
import subprocess
from collections.abc import Mapping
from typing import Any

from tutti import _core, _place

_CLASSES = {
    "invalid_argument": _core.InvalidArgument,
    "not_initialized": _core.NotInitialized,
    "no_such_plan": _core.NoSuchPlan,
    "mismatch": _core.Mismatch,
    "out_of_memory": _core.OutOfMemory,
    "system_error": _core.SystemRefused,
    "bad_environment": _core.BadEnvironment,
}


def path() -> str:
    """Returns the path of the command."""
    if os.access(_place.COMMAND, os.X_OK):
        return _place.COMMAND
    found = shutil.which("tutti")
    if found is None:
        raise FileNotFoundError("the command tutti was not found: it belongs into a folder of PATH")
    return found


def words_of(options: Mapping[str, Any]) -> list[str]:
    """Returns options as words of a command line. None and False are left out, True is an option
    without a value, and several values stand with commas between them."""
    words = []
    for name, value in options.items():
        if value is None or value is False:
            continue
        words.append("-n" if name == "n" else "--" + name.replace("_", "-"))
        if isinstance(value, range) and value.step == 1 and len(value) > 0:
            words.append(f"{value[0]}..{value[-1]}")
        elif isinstance(value, (list, tuple, range)):
            words.append(",".join(map(str, value)))
        elif value is not True:
            words.append(str(value))
    return words


def text(verb: str, *words: str, stdin: str | None = None) -> str:
    """Runs a verb of the command and returns what it prints."""
    done = subprocess.run([path(), verb, *words],
                          input=stdin,
                          stdin=subprocess.DEVNULL if stdin is None else None,
                          capture_output=True,
                          encoding="utf-8",
                          errors="replace",
                          check=False)
    if done.returncode not in (0, 1) or (done.returncode == 1 and done.stderr):
        raise _error(verb, done)
    return done.stdout


def _error(verb: str, done: subprocess.CompletedProcess[str]) -> Exception:
    try:
        answer = json.loads(done.stdout)
        if "tutti_error" in answer:
            return _CLASSES.get(answer["status"], _core.Error)(answer["message"])
    except (ValueError, TypeError):
        pass  # the command has no answer, only lines on stderr
    said = done.stderr.strip().removeprefix(f"tutti {verb}: ")
    if done.returncode == 2:
        return _core.InvalidArgument(said)
    return _core.Error(said or f"tutti {verb} ended with {done.returncode}")


def answer(verb: str, *words: str, stdin: str | None = None) -> Any:
    """Runs a verb of the command and returns what it prints as JSON."""
    found = json.loads(text(verb, *words, "--json", stdin=stdin))
    version = found.get(f"tutti_{verb}")
    if version != 1:
        raise _core.Error(f"the command {path()} is not of the version of this package: its "
                          f"answers of '{verb}' have version {version}, not 1")
    return found
