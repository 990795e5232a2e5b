#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs applications that an MPI has started, on one host and on two pretended ones, and compares
their results with those of one process. The exit code is 77 (skipped) if the launcher is missing.

usage: on_mpi.py FLAVOUR PROGRAM [PEER...]

The program is tutti-NAME. Peers are libraries libbsp_KIND_MPI.so, on which programs of BSP run,
too; those of this MPI that exist are used."""
import json
import math
import os
import pathlib
import re
import subprocess
import sys

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import mpi_launchers  # noqa: E402

SKIPPED = 77
PASCAL = ROOT / "apps/matrix/pascal.mtx"  # its products are exact
# Command lines of each program, and the members of its results that depend on no processes. The
# words after "under the MPI" are left out on one process: the MPI itself broadcasts by P.
CASES = {
    "matmul": ([(PASCAL, PASCAL, "--mode", "blocks"), (PASCAL, PASCAL)],
               ("diagonal_sum", "largest_off_diagonal")),
    "llcs": ([(ROOT / "README.md", ROOT / "LICENSE")], ("length", )),
    "exchange": ([("fft", "--size", 24, "--runs", 1), ("lookup", "--size", 100, "--runs", 1)],
                 ("digest", )),
    "lu": ([("--size", 50, "--block", 8, "--runs", 1),
            ("--size", 50, "--block", 8, "--runs", 1, "under the MPI", "--row-topology", "P",
             "--column-topology", "P")], ("determinant_sign", )),
}


def result_of(done, what):
    if done.returncode != 0:
        sys.exit(f"{what}: exit code {done.returncode}: {done.stdout}{done.stderr}")
    return json.loads(done.stdout)


def check(flavour, program, words, members, variables):
    """Runs a command line on one process, and on three that the MPI starts."""
    words = [program, "--json", *map(str, words), "under the MPI"]
    common = words[:words.index("under the MPI")]
    alone = result_of(subprocess.run(common, capture_output=True, text=True, check=False), words)
    words = [word for word in words if word != "under the MPI"]
    done = mpi_launchers.run(flavour, 3, words, timeout=60, **variables)
    found = result_of(done, f"{words}, {variables}")
    processes = found.get("processes", found.get("ranks", math.prod(found.get("grid", ()))))
    if any(found[member] != alone[member] for member in members) or processes != 3:
        sys.exit(f"{words}, {variables}: {found}, not {alone}")


def main(flavour, program, *peers):
    if not mpi_launchers.installed(flavour):
        print(f"skipped: {mpi_launchers.LAUNCHERS[flavour][0]} is not installed")
        return SKIPPED
    command_lines, members = CASES[pathlib.Path(program).name.removeprefix("tutti-")]
    for words in command_lines:
        for hosts in ("", "0,1,1"):
            check(flavour, program, words, members, {"TUTTI_HOSTS": hosts})
    for peer in filter(os.path.exists, peers):
        if re.search(r"_([a-z]+)\.so$", peer).group(1) == flavour:
            check(flavour, program, command_lines[0], members, {"TUTTI_BSP_BACKEND": peer})
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
