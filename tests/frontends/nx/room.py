#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""room.py TUTTI ROOM [MEGABYTES]: checks that messages wait for room in the system buffer of their
receiver, so that a receiver that sleeps exhausts no memory, and that waits for room that end never
are named. With MEGABYTES only so many are sent to a receiver that sleeps."""
import os
import re
import subprocess
import sys

BOTH = (r"all processes wait for messages that nobody will send, or for room for messages that "
        r"nobody will make\n")
CYCLE = r"  cycle: rank 0 -> rank 1 -> rank 2 -> rank 0\n$"


def until(call, waiter, receiver):
    return rf"  rank {waiter}: waiting in {call} until rank {receiver} has room for a message\n"


# Cases: part of the program, its count, TUTTI_NX_BUFFER, what the report says (None: none).
CASES = [
    ("megabytes", 300, None, None),
    ("megabytes", 20, "0", None),
    ("small", 400000, None, None),
    ("started", 100, None, None),
    ("cycle", 5, None, None),
    ("cycle", 20, "64M", None),
    ("cycle", 20, None, BOTH + "".join(until("csend", i, (i + 1) % 3) for i in range(3)) + CYCLE),
    ("id_waited_for", 20, None,
     BOTH + "".join(until("msgwait", i, (i + 1) % 3) for i in range(3)) + CYCLE),
    ("to_all", 20, None,
     BOTH + r"(  ranks?[ 0-9,-]*: waiting in csend until rank \d has room for a message\n)+"
     r"  cycle: "),
    ("to_itself", 20, None,
     BOTH + "".join(until("csend", i, i) for i in range(3)) + r"  cycle: rank 0 -> rank 0\n"),
    ("to_itself", 1, "0", BOTH + until("csend", 0, 0)),
    ("meeting", 20, None, BOTH + until("csend", 0, 1) + r"(.*\n)*  cycle: rank 0 -> rank 1 -> "
     r"rank 0\n"),
    ("posted", 100, None, None),
    ("posted", 10, "0", None),
    ("handled", 50, None, None),
    ("leaver", 20, None, r"rank 1 has left while rank 0 waits for it\n" + until("csend", 0, 1)),
    ("forced", 40, None, None),
    ("unwaited", 20, None, None),
]


def run(tutti, program, part, count, buffer):
    environment = dict(os.environ, TUTTI_SHM_LIMIT="200M", TUTTI_SEND_WAIT="0.3")
    environment.pop("TUTTI_NX_BUFFER", None)
    if buffer is not None:
        environment["TUTTI_NX_BUFFER"] = buffer
    return subprocess.run([tutti, "run", "-n", "3", "--timeout", "900", program, part,
                           str(count)],
                          env=environment,
                          capture_output=True,
                          text=True,
                          check=False,
                          stdin=subprocess.DEVNULL)


def main(tutti, program, megabytes=None):
    failures = 0
    if megabytes is None:
        done = subprocess.run([program, "-sz", "3", "-mbf", "64M", "cycle", "20"],
                              capture_output=True,
                              text=True,
                              check=False,
                              stdin=subprocess.DEVNULL)
        failures += done.stdout != "over\n"
        print(f"-mbf 64M: {done.stdout}{done.stderr}")
    cases = CASES if megabytes is None else [("megabytes", megabytes, None, None)]
    for part, count, buffer, report in cases:
        done = run(tutti, program, part, count, buffer)
        if report is None:
            good = done.returncode == 0 and done.stdout == "over\n"
        else:
            good = done.returncode == 1 and re.match(r"tutti run: " + report, done.stderr)
        failures += not good
        print(f"{'good' if good else 'FAILED'}: {part} {count}, TUTTI_NX_BUFFER={buffer}" +
              ("" if good else f": exit code {done.returncode}\n{done.stdout}{done.stderr}"))
    return failures != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
