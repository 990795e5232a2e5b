#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""same_bits.py TUTTI INTERFACE PROGRAM sample|all: runs a program of same_bits.c with the choice of
tutti, with each algorithm for allreduce by name, and with TUTTI_REPRODUCIBLE=1. `all` makes 20,000
calls on 2 to 9 ranks, `sample` a few hundred on 3 and 5. INTERFACE is openmpi or mpich for MPI. The
exit code is 77 (skipped) if the launcher of the MPI is missing."""
import json
import os
import random
import re
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "scripts"))
import mpi_launchers  # noqa: E402

SKIPPED = 77
# Why tutti refuses an algorithm by name: it serves no shape like this, or not all operators.
SERVES_NOT = re.compile(r"it (does not serve this shape|is the MPI's own)")
SERVES_NOT_ALL = re.compile(r"it (does not keep the order of the operands|cuts the vector)")
# In the sample: the choice of tutti, one that halves the vector, a ring and a tree.
SAMPLED = ["halving_doubling", "ring", "mst"]


def start(tutti, interface, ranks, command, variables):
    """Runs a program on so many ranks; returns the exit code and all that it printed."""
    if interface in mpi_launchers.LAUNCHERS:
        done = mpi_launchers.run(interface, ranks, [tutti, "mpi", *command], 600,
                                 TUTTI_MPI_FIRST="1", TUTTI_EXPLAIN="1", **variables)
    else:
        program, before = command[0], [tutti, "run", "--timeout", "600", "-n", str(ranks)]
        by_itself = interface == "pvm"
        if program.endswith(".py"):
            command = [sys.executable, *command]
        done = subprocess.run(command if by_itself else before + command,
                              env={**os.environ, "SAME_BITS_TASKS": str(ranks), **variables},
                              stdin=subprocess.DEVNULL, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def calls_made(tutti, interface, program, ranks, calls, seed, variables):
    """Returns how many calls were right: 0 if the algorithm does not serve. Ends if some are not.
    """
    roots = "1" if "TUTTI_REPRODUCIBLE" in variables else "0"
    kinds = "ow"
    while True:
        command = [program, str(calls), str(seed), kinds, roots]
        code, output = start(tutti, interface, ranks, command, variables)
        if code == 0:
            break
        if "TUTTI_ALGORITHM" in variables and SERVES_NOT.search(output):
            return 0
        if "TUTTI_ALGORITHM" not in variables or not kinds or not SERVES_NOT_ALL.search(output):
            sys.exit(f"FAILED: {variables} {command} on {ranks} ranks:\n{output}")
        # Some front ends take all functions of the program for ordered ones on whole vectors.
        kinds = kinds[1:]
    right = re.search(r"right: \w+: (\d+) calls", output)
    if right is None:
        sys.exit(f"FAILED: {variables} {command} on {ranks} ranks printed no result:\n{output}")
    if interface in mpi_launchers.LAUNCHERS and int(right[1]) > 0 and not re.search(
            r"^tutti: (?:all)?reduce +[1-9]", output, flags=re.M):
        sys.exit(f"FAILED: tutti has served no call:\n{output}")
    return int(right[1])


def algorithms(tutti):
    listed = subprocess.run([tutti, "info", "--algorithms", "--json"], capture_output=True,
                            text=True, check=True)
    return sorted({row["name"] for row in json.loads(listed.stdout)["algorithms"]
                   if row["operation"] == "allreduce"})


def main():
    tutti, interface, program, extent = sys.argv[1:5]
    if interface in mpi_launchers.LAUNCHERS and not mpi_launchers.installed(interface):
        sys.exit(SKIPPED)
    seed = int(os.environ.get("TUTTI_SEED", random.randrange(1 << 30)))
    print(f"seed {seed}; TUTTI_SEED={seed} repeats it")
    known = algorithms(tutti)
    names = [name for name in SAMPLED if name in known] if extent == "sample" else known
    ways = [{"TUTTI_REPRODUCIBLE": "1"}, {}]
    if interface != "pvm":  # it has no call with a result on all ranks
        ways += [{"TUTTI_ALGORITHM": f"allreduce={name}"} for name in names]
    sizes = [3, 5] if extent == "sample" else range(2, 10)
    # Some calls are left out, because their algorithm does not serve all operators.
    more = 2 if interface in mpi_launchers.LAUNCHERS else 5
    calls = 60 if extent == "sample" else 20000 // (len(ways) * len(sizes)) * more
    total = 0
    for ranks in sizes:
        for way in ways if extent == "all" or ranks == sizes[0] else ways[:2]:
            made = calls_made(tutti, interface, program, ranks, calls, seed, way)
            total += made
            if made == 0 and extent == "sample" and interface not in ("bsp", "pvm"):
                sys.exit(f"FAILED: {way} on {ranks} ranks has compared nothing")
            print(f"{ranks} ranks, {way or 'chosen by tutti'}: {made} calls")
    print(f"{total} calls, 0 differ")
    if extent == "all" and total < 20000:
        sys.exit("FAILED: fewer than 20000 calls were compared")


main()
