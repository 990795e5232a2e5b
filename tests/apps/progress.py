# SPDX-License-Identifier: BSD-3-Clause
"""Starts applications with much to do, and waits until each tells on stderr how far it is.

usage: progress.py PROGRAM..."""

import pathlib
import random
import re
import subprocess
import sys
import tempfile

MUCH = {"matmul": ("--size", 200, "--runs", 1000000), "lu": ("--size", 200, "--runs", 1000000),
        "exchange": ("matvec", "--size", 200, "--runs", 1000000),
        "llcs": ("--algorithm", "standard")}


def line_of(command):
    """Returns the first line that a program prints on stderr, and ends it."""
    with subprocess.Popen(list(map(str, command)), stderr=subprocess.PIPE,
                          stdout=subprocess.DEVNULL, text=True) as job:
        try:
            return job.stderr.readline()
        finally:
            job.kill()


def main(*programs):
    with tempfile.TemporaryDirectory() as folder:
        files = [pathlib.Path(folder) / name for name in "xy"]
        for file in files:
            file.write_text("".join(random.Random(9).choices("abcd", k=1000000)))
        for program in programs:
            name = pathlib.Path(program).name.removeprefix("tutti-")
            command = [program, *MUCH[name], *(files if name == "llcs" else ())]
            line = line_of(command)
            if not re.fullmatch(rf"tutti-{name}: \d+ % of .*\n", line):
                sys.exit(f"{command}: {line!r}")
            print(line, end="")


if __name__ == "__main__":
    main(*sys.argv[1:])
