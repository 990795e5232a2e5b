#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares ScaLAPACK's LU on our BLACS with the same LU on ScaLAPACK's BLACS on Open MPI and
MPICH. Short jobs take turns; tables show ratios per grid and placement of the processors. The jobs
on our BLACS use Open MPI's libscalapack. Our BLACS is loaded before it, so that its routines are
called instead of those in libscalapack."""
import argparse
import collections
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
import mpi_launchers  # noqa: E402
from common import sampling  # noqa: E402


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=Path, default=ROOT / "build/release")
    parser.add_argument("--turns", type=int, default=12)
    parser.add_argument("--seconds", type=float, default=1.5, help="of samples in one job")
    parser.add_argument("--grids", default="2x1,1x2")
    parser.add_argument("-n", type=int, default=1000, help="order of the matrix")
    parser.add_argument("--nb", type=int, default=64, help="order of its blocks")
    parser.add_argument("--json",
                        action="store_true",
                        help="samples as JSON lines instead of tables")
    return parser.parse_args()


def drivers(options):
    """Returns {library: driver} of the libraries that can be run."""
    found = {}
    for name in ("tutti", *mpi_launchers.LAUNCHERS):
        driver = options.build / f"bench/lu_driver_{name}"
        if os.access(driver, os.X_OK) and (name == "tutti" or mpi_launchers.installed(name)):
            found[name] = driver
    if len(found) < 2 or "tutti" not in found:
        sys.exit("bench_lu: it needs ScaLAPACK for Open MPI or MPICH (make deps), and the build")
    return found


def launch(options, name, processes):
    if name == "tutti":
        return [options.build / "bin/tutti", "run", "-n", processes]
    return mpi_launchers.launcher(name, processes)


def job(options, name, driver, grid):
    rows, columns = map(int, grid.split("x"))
    with tempfile.NamedTemporaryFile(dir="/dev/shm", prefix="tutti-bench-") as lines:
        words = [
            *launch(options, name, rows * columns), *sampling.FIRST, driver, name, rows, columns,
            lines.name, options.n, options.nb, options.seconds
        ]
        done = subprocess.run(list(map(str, words)),
                              stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE,
                              text=True,
                              timeout=300,
                              start_new_session=True,
                              env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
                              check=False)
    if done.returncode != 0:
        sys.exit(f"bench_lu: {name} on {grid} failed with exit code {done.returncode}")
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def collect(options):
    samples, found = [], drivers(options)
    names = list(found)
    for turn in range(options.turns):
        for grid in options.grids.split(","):
            for name in names[turn % len(names):] + names[:turn % len(names)]:
                samples += job(options, name, found[name], grid)
    return samples


def figures(values):
    return (f"{statistics.median(values) / 1000:.2f} ({min(values) / 1000:.2f}), "
            f"{len(values)}") if values else "not sampled"


def tables(options, samples):
    times = collections.defaultdict(lambda: collections.defaultdict(list))
    for sample in samples:
        times[sample["grid"], sample["placement"]][sample["library"]].append(sample["us"])
    peers = [
        name for name in mpi_launchers.LAUNCHERS if any(name in found for found in times.values())
    ]
    print(
        f"pdgetrf, n = {options.n}, nb = {options.nb}: median ms (minimum), samples; ours/theirs "
        "of medians (minima)\n"
    )
    print("| grid | placement | tutti | " + " | ".join(f"{name} | tutti/{name}" for name in peers) +
          " |")
    print("|---" * (3 + 2 * len(peers)) + "|")
    for grid in options.grids.split(","):
        for placement in sampling.PLACEMENTS:
            found = times[grid, placement]
            cells = " | ".join(
                f"{figures(found[name])} | {sampling.ratio(found['tutti'], found[name], 3)}"
                for name in peers)
            print(f"| {grid} | {placement} | {figures(found['tutti'])} | {cells} |")


def main():
    options = arguments()
    samples = collect(options)
    if options.json:
        print("\n".join(map(json.dumps, samples)))
    else:
        tables(options, samples)


if __name__ == "__main__":
    main()
