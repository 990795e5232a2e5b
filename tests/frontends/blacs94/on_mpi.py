#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""on_mpi.py FLAVOUR CONFORMANCE [--every FORTRAN]: runs the conformance tests of BLACS 1.0, started
by an MPI, on one host and on pretended ones. With --every they also run on every number of
processes for which the tests have grids, and so do those in Fortran if that program is not empty.
The exit code is 77 (skipped) if the launcher is missing."""
import argparse
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "scripts"))
import mpi_launchers  # noqa: E402

SKIPPED = 77
CASES = [(1, "1x1", ""), (3, "1x3", ""), (4, "2x2", "0,0,1,1"), (3, "3x1", "0,1,2")]
EVERY = [(2, "1x2", ""), (4, "2x2", ""), (5, "1x5,2x2", ""), (5, "1x5,2x2", "0,1,1,0,0"),
         (7, "7x1,2x3", ""), (8, "2x4", ""), (8, "2x4", "0,0,0,0,1,1,1,1")]


def runs(given):
    """Returns (number of processes, hosts, command, last line of the output) for each run."""
    cases = CASES + (EVERY if given.every is not None else [])
    all_runs = [(processes, hosts, [given.conformance, "--grids", grid, "--fraction",
                                    "0.005"], " passed, 0 failed\n")
                for processes, grid, hosts in cases]
    if given.every:
        all_runs += [(processes, hosts, [given.every], " 0 wrong results\n")
                     for processes, _, hosts in cases]
    return all_runs


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("flavour")
    parser.add_argument("conformance")
    parser.add_argument("--every", metavar="FORTRAN")
    given = parser.parse_args()
    if not mpi_launchers.installed(given.flavour):
        print(f"skipped: {mpi_launchers.LAUNCHERS[given.flavour][0]} is not installed")
        return SKIPPED
    failures = 0
    for processes, hosts, command, end in runs(given):
        done = mpi_launchers.run(given.flavour, processes, command, timeout=300, TUTTI_HOSTS=hosts)
        good = done.returncode == 0 and done.stdout.endswith(end)
        failures += not good
        print(f"{'good' if good else 'FAILED'}: {Path(command[0]).name}, {processes} processes, "
              f"hosts '{hosts}'" +
              ("" if good else f": exit code {done.returncode}\n{done.stdout}{done.stderr}"))
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
