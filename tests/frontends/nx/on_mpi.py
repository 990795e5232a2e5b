#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""on_mpi.py FLAVOUR CONFORMANCE ROOM: runs the conformance tests of NX, started by an MPI, on one
host and on pretended ones, and messages that wait for room at a receiver on another host. The exit
code is 77 (skipped) if the launcher is missing."""
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "scripts"))
import mpi_launchers  # noqa: E402

SKIPPED = 77
# Cases: nodes, hosts, and the arguments of ROOM, or none for the conformance tests.
CASES = [(1, "", []), (3, "", []), (4, "0,0,1,1", []), (3, "0,1,2", []),
         (3, "0,1,2", ["megabytes", "40"]), (3, "0,1,2", ["small", "100000"]),
         (3, "0,1,2", ["posted", "40"]), (3, "0,0,1", ["handled", "40"]),
         (3, "", ["started", "40"])]


def main(flavour, conformance, room):
    if not mpi_launchers.installed(flavour):
        print(f"skipped: {mpi_launchers.LAUNCHERS[flavour][0]} is not installed")
        return SKIPPED
    failures = 0
    for nodes, hosts, arguments in CASES:
        program = [room, *arguments] if arguments else [conformance]
        done = mpi_launchers.run(flavour, nodes, program, timeout=100, TUTTI_HOSTS=hosts)
        wanted = "over\n" if arguments else f"{nodes} nodes conform\n"
        good = done.returncode == 0 and done.stdout == wanted
        failures += not good
        print(f"{'good' if good else 'FAILED'}: {nodes} nodes, hosts '{hosts}' {arguments}" +
              ("" if good else f": exit code {done.returncode}\n{done.stdout}{done.stderr}"))
    return failures != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
