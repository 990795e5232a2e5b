#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""strangers.py FLAVOUR TUTTI leaves|longer|memory|whole|nan PROGRAM: what programs of MPI from
elsewhere rely on, by `tutti mpi`. The exit code is 77 (skipped) if the launcher is missing."""
import re
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "scripts"))
import expectations  # noqa: E402
import mpi_launchers  # noqa: E402
from expectations import expect  # noqa: E402

SKIPPED = 77


def run(flavour, tutti, ranks, *words, **variables):
    """Runs a program under `tutti mpi`; returns its exit code, and its output with errors."""
    done = mpi_launchers.run(flavour, ranks, [tutti, "mpi", *words], 120, TUTTI_MPI_FIRST="1",
                             TUTTI_EXPLAIN="1", **variables)
    output = done.stdout + done.stderr
    if done.returncode == 0 and not re.search(r"^tutti: \w+ +[1-9]\d* ", output, flags=re.M):
        expect("tutti serves calls", False, output)
    return done.returncode, output


def longer(flavour, tutti, program):
    for ranks in (2, 3, 5):
        code, output = run(flavour, tutti, ranks, program)
        expect(f"longer receivers on {ranks} ranks", code == 0 and "right: " in output, output)
    # Only the root of a scatter knows the size, so rows for sizes may not divide the ranks.
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "rows.toml"
        table.write_text("".join(f'[[plan]]\nmpi = "{flavour}"\noperation = "scatter"\n'
                                 f'algorithm = "native"\nbytes = [17, {most}]\n'
                                 for most in (64, 1024)))
        code, output = run(flavour, tutti, 3, program, TUTTI_TABLE=str(table))
        expect("longer receivers beside rows", code == 0 and "right: " in output, output)
    # Rings pass blocks on.
    code, output = run(flavour, tutti, 4, program, TUTTI_ALGORITHM="allgather=ring")
    expect("longer receivers, blocks are passed on", code == 0 and "right: " in output, output)
    code, output = run(flavour, tutti, 2, program, "short")
    expect("more comes than fits", "class truncate" in output and code != 0, output)
    # Rank 1 cannot know where the parts of a vector of another length lie.
    code, output = run(flavour, tutti, 2, program, "more",
                       TUTTI_ALGORITHM="bcast=scatter_collect")
    expect("a vector that is cut", "class count" in output and code != 0, output)
    code, output = run(flavour, tutti, 2, program, "more")
    expect("a vector that is not cut", "class success" in output and code == 0, output)


def memory(flavour, tutti, program):
    # Half of the limit is left for tutti, and 3 processes may ask at once.
    code, output = run(flavour, tutti, 3, program, "40", "4194304", TUTTI_SHM_LIMIT="256M")
    found = re.search(r"right: (\d+) of 40 are shared", output)
    expect("memory as long as there is room",
           code == 0 and found is not None and 15 < int(found.group(1)) < 32, output)


def whole(flavour, tutti, program):
    for ranks in (2, 3):
        code, output = run(flavour, tutti, ranks, program, "6000", TUTTI_MPI_WHOLE="1")
        expect(f"whole vectors on {ranks} ranks", "right, 0 calls of another" in output, output)
    code, output = run(flavour, tutti, 3, program, "6", TUTTI_MPI_WHOLE="allreduce,reduce")
    expect("whole short vectors", "right, 0 calls of another" in output, output)
    code, output = run(flavour, tutti, 2, program, "6", TUTTI_MPI_WHOLE="alreduce")
    expect("a wrong word is named", "TUTTI_MPI_WHOLE has the word 'alreduce'" in output, output)


def nan(flavour, tutti, program):
    for ranks in (3, 5):
        code, output = run(flavour, tutti, ranks, program)
        expect(f"NaN and ties on {ranks} ranks",
               "same bits, NaN wins, places of ties right" in output, output)


def leaves(flavour, tutti, program):
    """A process that waits in a collective for one that has left is reported, and ends the job."""
    for words in ([], ["other"]):
        code, output = run(flavour, tutti, 3, program, *words)
        expect(f"left alone {words}", code != 0 and "waiting in MPI_Finalize" in output and
               "rank 1: waiting in MPI_Allreduce" in output, output)


def main():
    flavour, tutti, part, program = sys.argv[1:]
    if not mpi_launchers.installed(flavour):
        print(f"skipped: the launcher of {flavour} is not installed")
        return SKIPPED
    parts = {"leaves": leaves, "longer": longer, "memory": memory, "whole": whole, "nan": nan}
    parts[part](flavour, tutti, program)
    return 1 if expectations.failures else 0


sys.exit(main())
