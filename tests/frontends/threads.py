#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""threads.py TUTTI NAME=PROGRAM...: two threads of a process call an interface at the same time.
The one that comes second must be refused at once, with a sentence that names the call of the first
one, and the job must fail."""
import subprocess
import sys

SENTENCE = "another thread of this process is inside {} at the same time: only one thread at a " \
           "time may call tutti"
# Interface -> the call that two threads make, and the number of processes.
CALLS = {
    "tutti": ("tutti_barrier", 2),
    "blacs": ("blacs_barrier", 2),
    "blacs94": ("barrier", 2),
    "bsp": ("bsp_sync", 2),
    "nx": ("gsync", 2),
    "icc": ("iCC_gsync", 2),
}
# Argument of the program of PVM -> the second call, and what the first thread is inside of.
PVM_CALLS = {
    "trecv": ("pvm_trecv", "pvm_trecv"),
    "parent": ("pvm_parent", "pvm_recv"),
    "exit": ("pvm_exit", "pvm_recv"),
    "recvf": ("pvm_recvf", "pvm_recv"),
    "first": ("pvm_mytid", "a call of tutti"),
}


def check(command, wanted):
    """Runs a program; returns its errors."""
    done = subprocess.run(command,
                          stdin=subprocess.DEVNULL,
                          capture_output=True,
                          text=True,
                          timeout=100)
    if done.returncode in (0, 124) or done.stderr.count(wanted) != 1:
        sys.exit(f"{command}: exit code {done.returncode}, expected one '{wanted}' on stderr:\n"
                 f"{done.stderr}")
    return done.stderr


def check_pvm(program):
    for name, (call, other) in PVM_CALLS.items():
        said = check([program, name], f"{call}(): {SENTENCE.format(other)}")
        if said.count("libpvm") != 1:
            sys.exit(f"pvm {name}: more than one message on stderr:\n{said}")


for argument in sys.argv[2:]:
    interface, given = argument.split("=", 1)
    if interface == "pvm":
        check_pvm(given)
        continue
    name, ranks = CALLS[interface]
    start = [sys.argv[1], "run", "--timeout", "60", "-n", str(ranks)]
    check([*start, *given.split(",")], f"{name}: {SENTENCE.format(name)}")
