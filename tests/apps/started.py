# SPDX-License-Identifier: BSD-3-Clause
"""Starts the programs of apps/ for their tests."""

import json
import subprocess
import sys


def started(tutti, program, ranks, *words):
    """Returns what has become of a program: with a launcher if there is more than one rank."""
    start = [tutti, "run", "-n", ranks, "--timeout", "60"] if ranks > 1 else []
    return subprocess.run([str(word) for word in (*start, program, *words)],
                          capture_output=True,
                          text=True,
                          check=False)


def result_of(tutti, program, ranks, *words):
    """Returns the object that a program prints with --json. The test fails if the program does."""
    done = started(tutti, program, ranks, *words, "--json")
    if done.returncode != 0:
        sys.exit(f"{words}, {ranks} ranks: exit code {done.returncode}: {done.stderr}")
    return json.loads(done.stdout)


def check_errors(tutti, program, cases):
    """Each case is a command line, the exit code, and the text that is there once in its message.
    Nothing else is printed."""
    for words, code, text in cases:
        for ranks in (1, 3):
            done = started(tutti, program, ranks, *words)
            if done.returncode != code or done.stderr.count(text) != 1 or done.stdout:
                sys.exit(f"{words}, {ranks} ranks: {done.returncode}, {done.stderr!r}")
