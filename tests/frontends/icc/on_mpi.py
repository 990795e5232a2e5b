#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""on_mpi.py FLAVOUR PROGRAM...: runs the conformance suites, started by an MPI, on one host and on
pretended ones. The exit code is 77 (skipped) if the launcher is missing."""
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "scripts"))
import mpi_launchers  # noqa: E402

SKIPPED = 77
# Processes, TUTTI_HOSTS, TUTTI_MESH and TUTTI_ICC.
CASES = [(1, "", "", ""), (2, "0,1", "", ""), (3, "", "", ""), (4, "0,0,1,1", "2x2", ""),
         (4, "0,1,0,1", "2x2", "long"), (5, "0,0,1,1,1", "", ""), (7, "0,1,2,0,1,2,0", "", ""),
         (8, "0,0,0,0,1,1,1,1", "2x4", "short")]


def main(flavour, *programs):
    if not mpi_launchers.installed(flavour):
        print(f"skipped: {mpi_launchers.LAUNCHERS[flavour][0]} is not installed")
        return SKIPPED
    failures = 0
    for program in programs:
        for count, hosts, mesh, forced in CASES:
            done = mpi_launchers.run(flavour,
                                     count, [program],
                                     timeout=280,
                                     TUTTI_HOSTS=hosts,
                                     TUTTI_MESH=mesh,
                                     TUTTI_ICC=forced or None)
            if done.returncode != 0 or done.stdout.strip() != f"{count} nodes conform":
                failures += 1
                print(f"failed: {flavour} -n {count} TUTTI_HOSTS={hosts} TUTTI_MESH={mesh} "
                      f"TUTTI_ICC={forced} {program}: exit code {done.returncode}\n"
                      f"{done.stdout}{done.stderr}")
    print(f"{len(programs) * len(CASES)} cases, {failures} failed")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
