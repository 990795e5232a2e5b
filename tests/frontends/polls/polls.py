#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""polls.py TUTTI INTERFACE PROGRAM [RATIO]: four ranks on two processors look for messages in a
loop. With RATIO, the
median time of a hop may be at most so many times that with a sched_yield of the
program's own after each look. Without it, only the result counts. The exit code is 77 (skipped) if
there are fewer than two processors."""
import os
import re
import subprocess
import sys

SKIPPED = 77


def main():
    tutti, interface, program, *ratio = sys.argv[1:]
    usable = sorted(os.sched_getaffinity(0))
    if len(usable) < 2:
        return SKIPPED
    os.sched_setaffinity(0, usable[:2])
    command = [program, "500" if ratio else "20"]
    if interface != "pvm":  # its program starts the others
        command = [tutti, "run", "--timeout", "100", "-n", "4", *command]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    print(done.stdout + done.stderr)
    found = re.findall(r"^polls: (.*): hop ([\d.]+) us, with .* yields ([\d.]+) us$", done.stdout,
                       flags=re.M)
    if done.returncode != 0 or len(found) != 2:
        return 1
    slow = [way for way, ours, own in found
            if ratio and float(ours) > float(ratio[0]) * float(own)]
    for way in slow:
        print(f"FAILED {way}: more than {ratio[0]} times as long as with yields of the program")
    return 1 if slow else 0


sys.exit(main())
