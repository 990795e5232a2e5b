#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs the applications in turn with their peers, after each has checked its result, and prints
tables of medians (minima).

matmul: the modes of tutti-matmul on two processes, with what mode auto has taken, and ScaLAPACK's
pdgemm on Open MPI and MPICH with both grids and three block sizes. E is the efficiency (4.12) of
Krusche's thesis. It divides the rate by that of as many processes, each of which multiplies
matrices of order 4000 alone.
lu: tutti-lu, pdgetrf on our BLACS, and pdgetrf on Open MPI's and MPICH's.
llcs: tutti-llcs on one process and on two. E is the speed-up over the number of processes, by the
medians of both and by their minima. The bound is that of a wavefront with alpha columns of blocks
for each process. The peer is rapidfuzz on one process, if `make peers` has installed it.
losses: what tutti-llcs with words loses against that bound, in % of its time. Small blocks: one
process needs longer for as many blocks as two have than for a single one. Both busy: the longest
computation of each superstep, by the profile of a run, beyond that; so this has cache misses and
unequal processes. Supersteps: what a table with as many blocks of 64 characters takes beyond its
computation. Rest: what messages take beyond a word, and what a profile does not see.
exchange: the programs of tutti-exchange. The part of the exchange in their time is shown.
libraries: tutti-matmul and tutti-llcs, started by tutti and by each MPI, as in table 6.1 of the
thesis. Under an MPI they also use BSPlib over that MPI, by messages (MPIMPASS) and by one-sided
calls (MPISHMEM).

`make bench-apps` runs it. It needs a quiet machine."""
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
from common import jobs, losses, sampling  # noqa: E402
from common.strings import write_strings  # noqa: E402

PARTS = ("matmul", "lu", "llcs", "losses", "exchange", "libraries")
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1"}
GRIDS = ("1x2", "2x1")
# Prints the length and the seconds of each run.
RAPIDFUZZ = """
import sys, time
from rapidfuzz.distance import LCSseq
x, y = (open(name, "rb").read() for name in sys.argv[1:3])
for _ in range(int(sys.argv[3])):
    start = time.perf_counter()
    length = LCSseq.similarity(x, y)
    print(length, time.perf_counter() - start)
"""


def arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build/release")
    parser.add_argument("--parts", default=",".join(PARTS), help=f"some of {','.join(PARTS)}")
    parser.add_argument("--turns", type=int, default=5, help="runs of each program (5)")
    parser.add_argument("--sizes", default="1000,2000,4000", help="of the matrices of matmul")
    parser.add_argument("--quick", action="store_true", help="two turns, and small sizes only")
    parser.add_argument("--json", action="store_true", help="all samples instead of the tables")
    options = parser.parse_args()
    unknown = set(options.parts.split(",")) - set(PARTS)
    if unknown:
        parser.error(f"--parts: there is no {unknown.pop()}")
    if options.quick:
        options.turns = min(options.turns, 2)
    return options


class Bench:
    """Runs programs in turn and keeps the seconds of their runs."""

    def __init__(self, options):
        self.options = options
        self.samples = collections.defaultdict(list)  # cell, contestant -> seconds
        self.notes = {}  # cell, contestant -> what its last run has said
        self.peers = [name for name in mpi_launchers.LAUNCHERS if mpi_launchers.installed(name)]

    def run(self, command):
        return jobs.output_of([*sampling.FIRST, *command], ONE_THREAD, timeout=600)

    def tutti(self, processes):
        return [self.options.build / "bin/tutti", "run", "-n", processes]

    def app(self, name, processes, *words, start=None, times=1):
        """Returns a function that runs an application so many times and returns its seconds and
        its last object. `start` are the words before the program, if tutti is not to start it."""
        if start is None:
            start = self.tutti(processes) if processes > 1 else []
        program = self.options.build / f"apps/{name}/tutti-{name}"

        def call():
            found = [json.loads(self.run([*start, program, *words, "--json"]))
                     for _ in range(times)]
            return [one["time_s"] for one in found], found[-1]

        return call

    def printing(self, *command, column=0):
        """Returns a function that runs a program whose lines have seconds in a column."""

        def call():
            lines = self.run(command).split("\n")
            seconds = [float(line.split()[column]) for line in lines if line.strip()]
            return seconds, lines[0]

        return call

    def scalapack(self, library, grid, order, block):
        """Returns a function that runs the LU driver, on our BLACS or on an MPI's."""
        rows, columns = map(int, grid.split("x"))
        start = (self.tutti(rows * columns)
                 if library == "tutti" else mpi_launchers.launcher(library, rows * columns))
        driver = self.options.build / f"bench/lu_driver_{library}"

        def call():
            with tempfile.NamedTemporaryFile(dir="/dev/shm", prefix="tutti-bench-") as lines:
                text = self.run(
                    [*start, driver, library, rows, columns, lines.name, order, block, 0])
            return [json.loads(line)["us"] * 1e-6 for line in text.splitlines()], None

        return call

    def take_turns(self, contestants):
        """`contestants` maps (cell, contestant) to a function that returns seconds and a note."""
        names = list(contestants)
        for turn in range(self.options.turns):
            first = turn % len(names)
            for number, name in enumerate(names[first:] + names[:first]):
                if sys.stderr.isatty():
                    print(f"turn {turn + 1}, {number + 1} of {len(names)}: {' '.join(name)}",
                          end="\033[K\r", file=sys.stderr)
                seconds, note = contestants[name]()
                self.samples[name] += seconds
                self.notes[name] = note

    def figures(self, name, unit=1e3):
        values = self.samples[name]
        return f"{statistics.median(values) * unit:.3f} ({min(values) * unit:.3f})"


def heading(*columns):
    print("\n| " + " | ".join(columns) + " |\n" + "|---" * len(columns) + "|")


def matmul(bench):
    sizes = (500, 1000) if bench.options.quick else map(int, bench.options.sizes.split(","))
    alone = ("4000", "one process")
    contestants = {alone: bench.app("matmul", 1, "--size", 4000, "--runs", 3)}
    for size in sizes:
        def ours(name, *words, processes=2, size=size):
            contestants[str(size), name] = bench.app("matmul", processes, "--size", size, "--runs",
                                                     5, *words)

        ours("auto", "--mode", "auto")
        ours("split", "--mode", "split")
        ours("SUMMA", "--mode", "summa")
        for blocks in (8, 27, 64):
            for dealt in ("custom", "static"):
                ours(f"q = {blocks}, {dealt}", "--mode", "blocks", "--blocks", blocks,
                     "--distribution", dealt)
        ours("split, 4 processes", "--mode", "split", processes=4)
        ours("split, 8 processes", "--mode", "split", processes=8)
        for peer in bench.peers:
            driver = bench.options.build / f"bench/gemm_driver_{peer}"
            for grid in GRIDS if os.access(driver, os.X_OK) else ():
                for block in (64, 128, 256):
                    contestants[str(size), f"pdgemm {peer}, {grid}, nb = {block}"] = bench.printing(
                        *mpi_launchers.launcher(peer, 2), driver, *grid.split("x"), size, block, 5)
    bench.take_turns(contestants)
    rate = 2 * 4000**3 / min(bench.samples[alone])
    print(f"\n## Matrix product\n\nOne process alone, n = 4000: {rate * 1e-9:.1f} Gflop/s.")
    heading("n", "program", "ms", "Gflop/s", "E, %")
    for size, name in contestants:
        if (size, name) != alone:
            rates = [2 * int(size)**3 / f for f in (statistics.median(bench.samples[size, name]),
                                                    min(bench.samples[size, name]))]
            note = bench.notes[size, name]
            taken = f" ({note['algorithm']})" if name == "auto" else ""
            print(f"| {size} | {name}{taken} | {bench.figures((size, name))} | "
                  f"{rates[0] * 1e-9:.1f} ({rates[1] * 1e-9:.1f}) | {50 * rates[0] / rate:.1f} "
                  f"({50 * rates[1] / rate:.1f}) |")


def lu(bench):
    contestants = {}
    for order in (500, ) if bench.options.quick else (1000, 2000):
        for grid in GRIDS:
            cell = f"n = {order}, {grid}"
            for name, words in (("tutti-lu", ()), ("tutti-lu --look-ahead", ("--look-ahead", ))):
                contestants[cell, name] = bench.app("lu", 2, "--size", order, "--grid", grid,
                                                    *words)
            for library in ("tutti", *bench.peers):
                if os.access(bench.options.build / f"bench/lu_driver_{library}", os.X_OK):
                    contestants[cell, f"pdgetrf, BLACS of {library}"] = bench.scalapack(
                        library, grid, order, 64)
    bench.take_turns(contestants)
    print("\n## LU factorization, blocks of 64")
    heading("case", "program", "ms", "over pdgetrf on our BLACS")
    for cell, name in contestants:
        ours = bench.samples.get((cell, "pdgetrf, BLACS of tutti"), [])
        print(f"| {cell} | {name} | {bench.figures((cell, name))} | "
              f"{sampling.ratio(bench.samples[cell, name], ours)} |")


def check_lengths(notes):
    """All programs must find the same length for the same strings."""
    lengths = collections.defaultdict(set)
    for (cell, _), note in notes.items():
        if cell.startswith("2^"):
            lengths[cell].add(note["length"] if isinstance(note, dict) else int(note.split()[0]))
    if any(len(found) > 1 for found in lengths.values()):
        sys.exit(f"bench_apps: the programs find different lengths: {dict(lengths)}")


def llcs(bench):
    python = ROOT / "build/peers/rapidfuzz/bin/python"
    with tempfile.TemporaryDirectory() as folder:
        contestants = {}
        for power in (13, 14) if bench.options.quick else (13, 14, 15, 16, 17):
            files = write_strings(folder, 2**power)
            for kernel in ("words", "auto"):
                for processes, alpha in ((1, 1), (2, 5), (2, 8), (2, 0), (4, 5)):
                    words = ["--kernel", kernel, *(("--alpha", alpha) if alpha else ())]
                    how = f"{processes} processes, alpha {alpha or 'chosen'}"
                    contestants[f"2^{power}", f"{kernel}, {how}"] = bench.app(
                        "llcs", processes, *words, *files, times=3)
            if python.exists():
                contestants[f"2^{power}", "rapidfuzz"] = bench.printing(python, "-c", RAPIDFUZZ,
                                                                        *files, 3, column=1)
        bench.take_turns(contestants)
    check_lengths(bench.notes)
    print("\n## Longest common subsequence, 8 letters")
    heading("length", "program", "ms", "G pairs/s", "E, %", "bound, %")
    for cell, name in contestants:
        time = statistics.median(bench.samples[cell, name])
        rate = (2**int(cell[2:]))**2 / time * 1e-9
        note, efficiency, bound = bench.notes[cell, name], "", ""
        if isinstance(note, dict) and note["processes"] > 1:
            p, alpha = note["processes"], note["alpha"]
            alone = bench.samples[cell, name.split(",")[0] + ", 1 processes, alpha 1"]
            efficiency = (f"{100 * statistics.median(alone) / time / p:.1f} "
                          f"({100 * min(alone) / min(bench.samples[cell, name]) / p:.1f})")
            bound = f"{100 * alpha * p / (alpha * p + p - 1):.1f} (alpha {alpha})"
        print(f"| {cell} | {name} | {bench.figures((cell, name))} | {rate:.1f} | {efficiency} | "
              f"{bound} |")


def llcs_losses(bench):
    powers = (13, ) if bench.options.quick else (15, 16, 17)
    rows = losses.rows(bench.options.build, sampling.FIRST, bench.options.turns, powers)
    print("\n## What the common subsequence loses on two processes")
    heading(*losses.HEAD)
    for row in rows:
        print("| " + " | ".join(row) + " |")


def exchange(bench):
    contestants = {(f"{processes} processes", name): bench.app("exchange", processes, name)
                   for processes in (2, 4)
                   for name in ("transpose", "fft", "adi", "lookup", "matvec")}
    bench.take_turns(contestants)
    print("\n## Programs of the complete exchange")
    heading("processes", "program", "ms", "in exchanges, % of the last run")
    for cell, name in contestants:
        note = bench.notes[cell, name]
        print(f"| {cell} | {name} | {bench.figures((cell, name))} | "
              f"{100 * note['exchange_s'] / note['time_s']:.0f} |")


def libraries(bench):
    starts = {"tutti": None}
    for peer in bench.peers:
        starts[f"tutti on {peer}"] = mpi_launchers.launcher(peer, 2)
        for kind in ("mpimpass", "mpishmem"):
            library = bench.options.build / f"bench/libbsp_{kind}_{peer}.so"
            if library.exists():
                starts[f"{kind} on {peer}"] = mpi_launchers.launcher(
                    peer, 2, {"TUTTI_BSP_BACKEND": library.resolve()})
    contestants = {}
    with tempfile.TemporaryDirectory() as folder:
        files = write_strings(folder, 2**13 if bench.options.quick else 2**15)
        for name, start in starts.items():
            for size in (300, ) if bench.options.quick else (500, 1000, 2000):
                for dealt in ("custom", "static"):
                    contestants[f"matmul, n = {size}, q = 27, {dealt}", name] = bench.app(
                        "matmul", 2, "--size", size, "--mode", "blocks", "--distribution", dealt,
                        start=start)
            for alpha in (1, 5):
                contestants[f"LLCS, alpha = {alpha}", name] = bench.app(
                    "llcs", 2, "--kernel", "words", "--alpha", alpha, *files, start=start)
        bench.take_turns(contestants)
    print("\n## Libraries, two processes")
    heading("case", "library", "ms", "over tutti")
    for cell, name in sorted(contestants):
        print(f"| {cell} | {name} | {bench.figures((cell, name))} | "
              f"{sampling.ratio(bench.samples[cell, name], bench.samples[cell, 'tutti'])} |")


def main():
    options = arguments()
    bench = Bench(options)
    if options.json:
        sys.stdout = sys.stderr
    print(f"Median (minimum) of {options.turns} turns; load average before: "
          f"{os.getloadavg()[0]:.1f}.")
    for part in options.parts.split(","):
        {"matmul": matmul, "lu": lu, "llcs": llcs, "losses": llcs_losses, "exchange": exchange,
         "libraries": libraries}[part](bench)
    if options.json:
        sys.stdout = sys.__stdout__
        for (cell, name), seconds in bench.samples.items():
            print(json.dumps({"cell": cell, "program": name, "seconds": seconds}))


if __name__ == "__main__":
    try:
        main()
    except subprocess.TimeoutExpired as problem:
        sys.exit(f"bench_apps: {' '.join(map(str, problem.cmd[4:]))} has not ended in "
                 f"{problem.timeout:.0f} s")
