# SPDX-License-Identifier: BSD-3-Clause
"""Runs the jobs whose output the Python benches read."""
import os
import subprocess
import sys


def output_of(command, variables=None, timeout=None):
    """Returns what a command writes to standard output. If the command fails, the bench ends and
    shows the end of the command's output. `variables` are added to this process's environment."""
    words = list(map(str, command))
    done = subprocess.run(words, env={**os.environ, **(variables or {})}, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=timeout, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)}: exit code {done.returncode}\n"
                 f"{done.stdout[-500:]}{done.stderr[-1500:]}")
    return done.stdout
