# SPDX-License-Identifier: BSD-3-Clause
"""How the benches run a job whose output they need."""
import os
import subprocess
import sys


def output_of(command, variables=None, timeout=None):
    """What a command writes to standard output. Ends the bench with the last words of the command
    when it fails. `variables` are set for it beside those of this process."""
    words = list(map(str, command))
    done = subprocess.run(words, env={**os.environ, **(variables or {})}, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=timeout, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)}: exit code {done.returncode}\n"
                 f"{done.stdout[-500:]}{done.stderr[-1500:]}")
    return done.stdout
