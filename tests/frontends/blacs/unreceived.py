#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""unreceived.py TUTTI BLACS_UNRECEIVED: runs a job whose messages are never received, until they
have used up its memory. The job must end with one message that names the routine, the place in the
grid, the receivers, and the exact number of messages that wait for each."""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

# elements of a message, limit of the memory, least messages that must have gone through
CASES = ((100, "64M", 1000), (100_000, "64M", 10))


def run(tutti, program, elements, limit, least):
    environment = dict(os.environ, TUTTI_SHM_LIMIT=limit, TUTTI_SEND_WAIT="0.2")
    with tempfile.TemporaryDirectory(prefix="tutti-unreceived-") as folder:
        note = Path(folder) / "waiting"
        done = subprocess.run(
            [tutti, "run", "-n", "3", "--timeout", "60", program,
             str(note),
             str(elements)],
            env=environment,
            capture_output=True,
            text=True,
            timeout=90,
            check=False)
        waiting = [int(word) for word in note.read_text().split()]
    wanted = (f"unreceived messages of this process: {waiting[0]} to process 1, {waiting[1]} to "
              "process 2")
    good = (done.returncode not in (0, 124) and sum(waiting) >= least and
            done.stderr.count(wanted) == 1 and
            len(re.findall(r"dgesd2d: .*; process \{0,0\}, context 0", done.stderr)) == 1)
    print(
        f"{elements} elements: {waiting} unreceived, exit code {done.returncode}: "
        f"{'good' if good else 'FAILED'}"
    )
    if not good:
        print(f"wanted: {wanted}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return good


def main(tutti, program):
    return 0 if all([run(tutti, program, *case) for case in CASES]) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
