#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""bench_python.py --build DIR [--turns N] [--json]: measures what a call of the module tutti costs
beside the same call from C and, under an MPI, beside mpi4py. `make bench-python` runs it.

All ways take turns in one job of two ranks (bench/python/calls.py), so that they see the same
machine. The job is started by tutti run and by the launcher of each MPI. mpi4py is measured under
the MPI for which Debian has built it."""
import argparse
import json
import statistics
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "scripts"), str(HERE)]
import mpi_launchers  # noqa: E402
from common.jobs import output_of  # noqa: E402

PYTHON = "/usr/bin/python3"  # the one for which Debian's NumPy and mpi4py are built
SIZES = {1: 401, 131072: 101}  # elements: turns
ASKS = "import mpi4py.MPI as m; print(m.Get_library_version().split()[0])"


def mpi_of_mpi4py():
    """Returns the name of the MPI that mpi4py uses; None if there is no mpi4py."""
    asked = subprocess.run([PYTHON, "-c", ASKS], capture_output=True, text=True, check=False)
    if asked.returncode != 0:
        return None
    return "openmpi" if "Open" in asked.stdout else "mpich"


def starters(build):
    """Returns {name of the launcher: words in front of a program of two ranks}."""
    found = {"tutti run": [build / "bin/tutti", "run", "-n", "2"]}
    for mpi in mpi_launchers.LAUNCHERS:
        if mpi_launchers.installed(mpi):
            found[mpi] = mpi_launchers.launcher(mpi, 2)
    return found


def measured(build, turns):
    """Returns [{"launcher", "elements", "way", "median_ns", "minimum_ns"}]."""
    variables = {"PYTHONPATH": str(build / "python"), "OPENBLAS_NUM_THREADS": "1",
                 "PYTHONDONTWRITEBYTECODE": "1", "OMPI_MCA_btl_base_warn_component_unused": "0"}
    peer, rows = mpi_of_mpi4py(), []
    for launcher, words in starters(build).items():
        for elements, usual in SIZES.items():
            job = [*words, PYTHON, HERE / "python/calls.py", build / "bench/libbench_python.so",
                   elements, turns or usual] + ["mpi4py"] * (launcher == peer)
            answer = output_of(job, variables, timeout=600)
            for way, seconds in json.loads(answer).items():
                rows.append({"launcher": launcher, "elements": elements, "way": way,
                             "median_ns": 1e9 * statistics.median(seconds),
                             "minimum_ns": 1e9 * min(seconds)})
    return rows


def print_table(rows):
    print("| launcher | elements | way | median, ns | minimum, ns | median over C, ns |")
    print("|---|---:|---|---:|---:|---:|")
    in_c = 0
    for row in rows:
        in_c = row["median_ns"] if row["way"] == "C" else in_c  # C is the first way of each job
        over = row["median_ns"] - in_c
        print(f"| {row['launcher']} | {row['elements']} | `{row['way']}` | "
              f"{row['median_ns']:.0f} | {row['minimum_ns']:.0f} | {over:+.0f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--build", type=Path, required=True, help="the folder of the build")
    parser.add_argument("--turns", type=int, help="samples of each way")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    arguments = parser.parse_args()
    rows = measured(arguments.build.resolve(), arguments.turns)
    if arguments.json:
        print(json.dumps(rows, indent=1))
    else:
        print_table(rows)


if __name__ == "__main__":
    main()
