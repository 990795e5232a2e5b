#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""threads.py TUTTI NAME=PROGRAM...: two threads of a process call an interface at the same time.
The one that comes second must be refused at once, with a sentence that names the call of the first
one, and the job must fail."""
import subprocess
import sys

SENTENCE = "another thread of this process is inside {} at the same time: only one thread at a " \
           "time may call tutti"
CALLS = {
    "tutti": ("tutti_barrier", 2),
    "blacs": ("blacs_barrier", 2),
    "bsp": ("bsp_sync", 2),
    "pvm": ("pvm_trecv", 1)
}


def check(tutti, name, program):
    call, ranks = CALLS[name]
    command = [tutti, "run", "--timeout", "60", "-n", str(ranks)] if ranks > 1 else []
    done = subprocess.run([*command, *program.split(",")],
                          stdin=subprocess.DEVNULL,
                          capture_output=True,
                          text=True,
                          timeout=100)
    wanted = f"{call}{'()' if name == 'pvm' else ''}: {SENTENCE.format(call)}"
    if done.returncode in (0, 124) or done.stderr.count(wanted) != 1:
        sys.exit(f"{name}: exit code {done.returncode}, expected one '{wanted}' on stderr:\n"
                 f"{done.stderr}")
    if name == "pvm" and done.stderr.count("libpvm") != 1:
        sys.exit(f"pvm: more than one message on stderr:\n{done.stderr}")


for argument in sys.argv[2:]:
    check(sys.argv[1], *argument.split("=", 1))
