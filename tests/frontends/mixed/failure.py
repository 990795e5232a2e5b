#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""failure.py TUTTI PROGRAM: checks that a failure in a program with NX, iCC and the BLACS ends all
processes with one report, which numbers the processes alike whatever they were calling. The exit
code is the same with the launcher and without it, where `-sz 4` starts the processes."""
import re
import subprocess
import sys

# Each failure of node 2 has the pattern of the first line, and the exit code.
FAILURES = {
    "killed": (r"rank 2 \(.*\) was killed by signal 6", 134),
    "left": (r"rank 2 \(.*\) exited with code 5", 5),
    "aborted": (r"rank 2 \(.*\) aborted with code 7: blacs_abort: process \{0,2\}", 7),
    "wrong_nx": (r"rank 2 \(.*\) aborted .*: csend: argument 'type' is -7.*; node 2 of 4", 1),
    "wrong_icc": (r"rank 2 \(.*\) aborted .*: iCC_bcast: argument 'root' is 99.*; node 2 of 4",
                  1),
    "wrong_blacs": (r"rank 2 \(.*\) aborted .*: dgesd2d: argument 'RDEST' is 5.*; process \{0,2\}",
                    1),
    "stuck": (r"all processes wait for messages that nobody will send", 1),
}
# The others were in these calls. A process may still be on its way through the calls that all make
# before the failure, of which the barrier and mynode are the last.
COMMON = "barrier|mynode|computing"
OTHERS = {0: f"crecv|{COMMON}", 1: f"dgerv2d|{COMMON}", 3: f"iCC_gdsum|{COMMON}"}


def activities(lines):
    """Returns what each rank was doing, from lines such as `  ranks 0, 2-4: computing`."""
    found = {}
    for line in lines:
        match = re.fullmatch(r"  ranks? ([\d, -]+): (.*)", line)
        for part in match[1].split(", ") if match else []:
            first, _, last = part.partition("-")
            for rank in range(int(first), int(last or first) + 1):
                found[rank] = match[2]
    return found


def right(text, pattern, waiting):
    lines = text.splitlines()
    if not lines or not re.search(pattern, lines[0]):
        return False
    if any(not line.startswith("  ") for line in lines[1:]):
        return False
    found = activities(lines[1:])
    if waiting and not found.get(2, "").startswith("waiting in iCC_gdsum"):
        return False
    return all(re.search(calls, found.get(rank, "")) for rank, calls in OTHERS.items())


def main(tutti, program):
    failures = 0
    launched = [tutti, "run", "-n", "4", "--timeout", "60", program]
    for name, (pattern, code) in FAILURES.items():
        for command in ([*launched, name], [program, name, "-sz", "4"]):
            done = subprocess.run(command,
                                  capture_output=True,
                                  text=True,
                                  check=False,
                                  timeout=100,
                                  stdin=subprocess.DEVNULL)
            good = right(done.stderr, pattern, name == "stuck") and done.stdout == ""
            good = good and done.returncode == code
            failures += not good
            print(f"{'good' if good else 'FAILED'}: {' '.join(command)}" +
                  ("" if good else f": exit code {done.returncode}\n{done.stdout}{done.stderr}"))
    return failures != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
