# SPDX-License-Identifier: BSD-3-Clause
"""Compares tutti under its own launcher, tutti under an MPI's launcher, and that MPI alone, on one
host. Each runs the driver of tutti bench in short jobs in turn. Samples are separated by the
placement of the two processors. bench_mpi.py calls this module."""
import collections
import json
import statistics
import tempfile

import mpi_launchers
from common import sampling
from common.jobs import output_of

RANKS = 2
SAMPLE_US = 2000
LINES_BYTES = 4096  # more than the driver maps


def samples_of(words, name, seconds, cells):
    with tempfile.NamedTemporaryFile(dir="/dev/shm", prefix="tutti-bench-") as lines:
        lines.truncate(LINES_BYTES)
        command = [*map(str, words), name, lines.name, str(seconds), str(SAMPLE_US), cells]
        text = output_of(command, timeout=300)
    return [json.loads(line) for line in text.splitlines() if '"us"' in line]


def collect(options, flavour):
    """Returns {(placement, operation, bytes): {way: [us]}}."""
    worker = [options.build / "bin/tutti-measure", "bench-worker"]
    mpirun = mpi_launchers.launcher(flavour, RANKS)
    ways = {"tutti run": [options.tutti, "run", "-n", RANKS, *worker], "mpirun": mpirun + worker,
            "MPI": mpirun + [options.build / f"bin/mpi_driver_{flavour}"]}
    cells = ",".join(["barrier:0"] +
                     [f"{op}:{size}" for size in options.sizes for op in ("allreduce", "bcast")])
    found = collections.defaultdict(lambda: collections.defaultdict(list))
    for number in range(options.turns):
        names = list(ways)
        for name in names[number % len(names):] + names[:number % len(names)]:
            for sample in samples_of(ways[name], name.replace(" ", "-"), options.turn_seconds,
                                     cells):
                found[sample["placement"], sample["op"], sample["bytes"]][name].append(sample["us"])
    return found


def report(options, flavour):
    found = collect(options, flavour)
    for placement in sampling.PLACEMENTS:
        rows = {key[1:]: times for key, times in found.items() if key[0] == placement}
        print(
            f"\n{flavour}, {RANKS} ranks on one host, {placement}: median us, samples; ratios of "
            "medians (of minima)\n\n"
            "| operation | bytes | tutti run | mpirun | MPI alone | mpirun / tutti run | mpirun / "
            "MPI alone |\n"
            "|---|---:|---:|---:|---:|---:|---:|"
            if rows else f"\n{flavour}, {placement}: not sampled")
        for (operation, size), times in sorted(rows.items()):
            values = " | ".join(
                f"{statistics.median(times[way]):.2f}, {len(times[way])}" if times[way] else "-"
                for way in ("tutti run", "mpirun", "MPI"))
            print(
                f"| {operation} | {size} | {values} | "
                f"{sampling.ratio(times['mpirun'], times['tutti run'])} "
                f"| {sampling.ratio(times['mpirun'], times['MPI'])} |",
                flush=True)
