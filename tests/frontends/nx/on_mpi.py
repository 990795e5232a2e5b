#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs the conformance tests of NX, started by an MPI, on one host and on pretended ones.

on_mpi.py FLAVOUR some CONFORMANCE ROOM: on few nodes, and messages that wait for room on a host.

on_mpi.py FLAVOUR all PROGRAM...: on more nodes.

The exit code is 77 (skipped) if the launcher is missing."""
import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "scripts"))
import mpi_launchers  # noqa: E402

SKIPPED = 77
# Nodes and hosts.
SOME = [(1, ""), (3, ""), (4, "0,0,1,1"), (3, "0,1,2")]
ALL = [(2, ""), (2, "0,1"), (5, ""), (5, "0,0,1,1,1"), (7, ""), (7, "0,1,2,0,1,2,0"), (8, ""),
       (8, "0,0,0,0,1,1,1,1")]
# Nodes, hosts, and the arguments of ROOM.
IN_ROOM = [(3, "0,1,2", ["megabytes", "40"]), (3, "0,1,2", ["small", "100000"]),
           (3, "0,1,2", ["posted", "40"]), (3, "0,0,1", ["handled", "40"]),
           (3, "", ["started", "40"])]


def cases(which, programs):
    """Returns nodes, hosts, the command and what it prints, as a regular expression."""
    if which == "all":
        return [(nodes, hosts, [program], rf"{nodes} nodes (conform|call by Fortran)\n")
                for program in programs for nodes, hosts in ALL]
    conformance, room = programs
    return [(nodes, hosts, [conformance], rf"{nodes} nodes conform\n") for nodes, hosts in SOME
            ] + [(nodes, hosts, [room, *arguments], r"over\n")
                 for nodes, hosts, arguments in IN_ROOM]


def main(flavour, which, *programs):
    if not mpi_launchers.installed(flavour):
        print(f"skipped: {mpi_launchers.LAUNCHERS[flavour][0]} is not installed")
        return SKIPPED
    failures = 0
    for nodes, hosts, command, wanted in cases(which, programs):
        done = mpi_launchers.run(flavour, nodes, command, timeout=100, TUTTI_HOSTS=hosts)
        good = done.returncode == 0 and re.fullmatch(wanted, done.stdout)
        failures += not good
        print(f"{'good' if good else 'FAILED'}: {nodes} nodes, hosts '{hosts}' {command}" +
              ("" if good else f": exit code {done.returncode}\n{done.stdout}{done.stderr}"))
    return failures != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
