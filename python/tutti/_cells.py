# SPDX-License-Identifier: BSD-3-Clause
"""The extension for IPython: `%load_ext tutti`, and then cells `%%tutti -n 4` are jobs."""

import os
import shlex
import signal
import subprocess
import sys
import tempfile
from typing import Any

from tutti import _command, _core


class JobFailed(_core.Error):
    """The job of a cell has failed. `code` is its exit code."""

    def __init__(self, code: int) -> None:
        super().__init__(f"the job ended with exit code {code}; its report is above")
        self.code = code

    def _render_traceback_(self) -> list[str]:
        # IPython asks for this. A traceback would show how this file waits for the job.
        return [f"JobFailed: {self}"]


def _job(words: list[str], program: str) -> int:
    """Runs a program as a job and shows what its ranks print, line by line. Returns its code."""
    folders = os.pathsep.join(filter(None, (os.getcwd(), os.environ.get("PYTHONPATH"))))
    command = [_command.path(), "run", "--tag-output", *words, sys.executable, program]
    job = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, encoding="utf-8", errors="replace",
                           env={**os.environ, "PYTHONPATH": folders})
    assert job.stdout is not None
    try:
        for line in job.stdout:
            print(line, end="", flush=True)
    except KeyboardInterrupt:
        job.send_signal(signal.SIGINT)
        print(job.stdout.read(), end="", flush=True)
    finally:
        job.stdout.close()
    return job.wait()


def tutti(line: str, cell: str) -> None:
    """%%tutti -n N [options of tutti run]: runs the cell as a job of N processes of Python. Every
    line of output names its rank. The cell is a program of its own: it does not see the notebook's
    variables, but it finds modules in the folder of the notebook. Raises JobFailed if the job has
    another exit code than 0."""
    with tempfile.TemporaryDirectory(prefix="tutti-") as folder:
        program = os.path.join(folder, "cell.py")
        with open(program, "w", encoding="utf-8") as file:
            file.write(cell)
        code = _job(shlex.split(line), program)
    if code != 0:
        raise JobFailed(code)


def load(shell: Any) -> None:
    """Makes the cells known to IPython."""
    shell.register_magic_function(tutti, "cell", "tutti")
