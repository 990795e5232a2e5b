#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""check.py TUTTI PROGRAM: runs a program of BLACS 1.0 by itself, so that AUXSETUP starts its
processes, and under tutti run with 1, 2, 3, 4, 5, 7 and 8 processes. It must end well, and one
process must print the line that says on how many processes the result was right."""
import subprocess
import sys


def main(tutti, program):
    wrong = 0
    for processes in (None, 1, 2, 3, 4, 5, 7, 8):
        words = [] if processes is None else [tutti, "run", "-n", str(processes), "--timeout", "60"]
        done = subprocess.run([*words, program],
                              capture_output=True,
                              text=True,
                              check=False,
                              stdin=subprocess.DEVNULL,
                              timeout=100)
        wanted = ": ok on " if processes is None else f": ok on {processes} processes"
        good = done.returncode == 0 and done.stdout.count(wanted) == 1 and done.stderr == ""
        wrong += not good
        print(f"{'good' if good else 'FAILED'}: {' '.join([*words, program])}" +
              ("" if good else f": exit code {done.returncode}\n{done.stdout}{done.stderr}"))
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
