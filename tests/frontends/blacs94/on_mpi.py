#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""on_mpi.py FLAVOUR CONFORMANCE: runs the conformance tests of BLACS 1.0, started by an MPI, on one
host and on pretended ones. The exit code is 77 (skipped) if the launcher is missing."""
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "scripts"))
import mpi_launchers  # noqa: E402

SKIPPED = 77
CASES = [(1, "1x1", ""), (3, "1x3", ""), (4, "2x2", "0,0,1,1"), (3, "3x1", "0,1,2")]


def main(flavour, program):
    if not mpi_launchers.installed(flavour):
        print(f"skipped: {mpi_launchers.LAUNCHERS[flavour][0]} is not installed")
        return SKIPPED
    failures = 0
    for processes, grid, hosts in CASES:
        command = [program, "--grids", grid, "--fraction", "0.005"]
        done = mpi_launchers.run(flavour, processes, command, timeout=100, TUTTI_HOSTS=hosts)
        good = done.returncode == 0 and done.stdout.endswith(" passed, 0 failed\n")
        failures += not good
        print(f"{'good' if good else 'FAILED'}: {processes} processes, hosts '{hosts}'" +
              ("" if good else f": exit code {done.returncode}\n{done.stdout}{done.stderr}"))
    return failures != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
