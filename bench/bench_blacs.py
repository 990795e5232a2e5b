#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares our BLACS with ScaLAPACK's on Open MPI and MPICH.

`make bench-blacs` runs it. One driver is linked with each library; short runs take turns. It prints
the worst cells first, then for every grid and placement a table of ratios (ours / best reference).
Samples are appended to a file, so they may be collected over days; --report prints the tables of
such a file.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "blacs"))
import report  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "scripts"))
import mpi_launchers  # noqa: E402
from common import sampling  # noqa: E402

LIBRARIES = ("tutti", "openmpi", "mpich")
SHORT = (1, 8, 64, 512, 1024)
LONG = (8192, 65536, 524288, 2097152)
QUICK = (1, 64, 1024, 65536)
TOPS = " 1HI"
SHARE_AGAIN = 0.15  # of the time, at most, for more samples of cells that are above the limit
# A waiting process of MPICH spins and does not give its processor away. With more processes than
# processors, a call therefore takes milliseconds, and only these cells are measured.
COLLAPSED = {"sizes": (1, 1024, 65536), "tops": " ", "shapes": "c", "max_calls": 2, "every": 8}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build",
                        default=os.environ.get("TUTTI_BUILD",
                                               os.path.join(ROOT, "build", "release")))
    parser.add_argument("--seconds",
                        type=float,
                        default=480,
                        help="stop starting runs after this time (480)")
    parser.add_argument("--quick", action="store_true", help="four sizes, under a minute")
    parser.add_argument("--grids",
                        default="1x2,2x2",
                        help="grids, with commas (1x2,2x2); 1x4 is possible too")
    parser.add_argument("--libraries", default=",".join(LIBRARIES))
    parser.add_argument("--samples",
                        help="file to append samples to (BUILD/bench/blacs-samples.jsonl)")
    parser.add_argument("--report", metavar="FILE", help="no runs: tables of the samples in FILE")
    parser.add_argument("--json", action="store_true", help="results as JSON instead of tables")
    parser.add_argument("--doc",
                        metavar="FILE",
                        help="also put the tables into FILE, below its mark")
    return parser.parse_args()


class Bench:
    """Runs the drivers of one build. Each process raises the priority of its session, if it is
    allowed to, because schedulers share time by session and hydra (MPICH's launcher) gives every
    rank a session of its own."""

    def __init__(self, build, samples_path, lines_path):
        self.drivers = os.path.join(build, "bench")
        self.tutti = os.path.join(build, "bin", "tutti")
        self.samples_path = samples_path
        self.lines_path = lines_path
        self.samples = []

    def driver(self, library):
        return os.path.join(self.drivers, "blacs_driver_" + library)

    def available(self, library):
        return os.access(self.driver(library), os.X_OK) and (library == "tutti" or
                                                             mpi_launchers.installed(library))

    def launch(self, library, processes):
        if library == "tutti":
            return [self.tutti, "run", "-n", str(processes)]
        return mpi_launchers.launcher(library, processes)

    def run(self, library, grid, sizes, tops, shapes, max_calls=1000000):
        rows, columns = grid.split("x")
        command = self.launch(library, int(rows) * int(columns)) + sampling.FIRST + [
            self.driver(library), library, rows, columns, self.lines_path, str(max_calls),
            ",".join(map(str, sizes)), tops, shapes]
        with open(self.lines_path, "wb") as lines:
            lines.truncate(4096)
        load = os.getloadavg()[0]
        try:
            done = subprocess.run(command,
                                  stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE,
                                  text=True,
                                  timeout=180,
                                  start_new_session=True,
                                  env={**os.environ, "OPENBLAS_NUM_THREADS": "1"})
        except subprocess.TimeoutExpired:
            sys.exit(f"bench_blacs: {library} on {grid} does not end")
        if done.returncode != 0:
            sys.exit(f"bench_blacs: {library} on {grid} failed with exit code {done.returncode}")
        self.keep([json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")],
                  load)

    def keep(self, samples, load):
        with open(self.samples_path, "a", encoding="utf-8") as file:
            for sample in samples:
                sample["when"] = int(time.time())
                sample["load"] = round(load, 1)
                file.write(json.dumps(sample) + "\n")
        self.samples += samples


def collect(bench, libraries, grids, quick, seconds):
    """Runs rounds until the time is over. In a round every library has its turn; each round begins
    with another library."""
    deadline = time.monotonic() + seconds
    groups = (QUICK,) if quick else (SHORT, LONG)
    number = 0
    while number == 0 or time.monotonic() < deadline:
        for grid in grids:
            oversubscribed = processes_of(grid) > (os.cpu_count() or 1)
            for sizes in groups:
                order = libraries[number % len(libraries):] + libraries[:number % len(libraries)]
                for library in order:
                    if number > 0 and time.monotonic() > deadline:
                        return number
                    if library == "mpich" and oversubscribed:
                        run_collapsed(bench, grid, sizes, number, quick)
                    else:
                        bench.run(library, grid, sizes, TOPS, "c" if quick else "cl")
        number += 1
    return number


def again(bench, libraries, seconds):
    """Takes more samples of the cells above the limit, of every library in turn, because other
    processes may have disturbed the first samples."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        over = {(result["grid"], result["doubles"], result["top"], result["shape"][0])
                for result in report.compare(bench.samples) if result["ratio"] > report.LIMIT}
        if not over:
            return
        for grid, size, top, shape in sorted(over):
            for library in libraries:
                oversubscribed = library == "mpich" and processes_of(grid) > (os.cpu_count() or 1)
                bench.run(library, grid, [size], top, shape,
                          *([COLLAPSED["max_calls"]] if oversubscribed else []))


def processes_of(grid):
    rows, columns = grid.split("x")
    return int(rows) * int(columns)


def run_collapsed(bench, grid, sizes, number, quick):
    some = [size for size in COLLAPSED["sizes"] if size in sizes]
    if not quick and some and number % COLLAPSED["every"] == 0:
        bench.run("mpich", grid, some, COLLAPSED["tops"], COLLAPSED["shapes"],
                  COLLAPSED["max_calls"])


def read_samples(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.startswith("{")]


def measure(options):
    samples_path = options.samples or os.path.join(options.build, "bench", "blacs-samples.jsonl")
    with tempfile.NamedTemporaryFile(dir="/dev/shm", prefix="tutti-bench-") as lines:
        bench = Bench(options.build, samples_path, lines.name)
        libraries = [name for name in options.libraries.split(",") if bench.available(name)]
        if "tutti" not in libraries:
            sys.exit(f"bench_blacs: no driver in {bench.drivers}; build first")
        missing = [name for name in LIBRARIES if name not in libraries]
        if missing:
            print(f"bench_blacs: not installed or not wanted: {', '.join(missing)}",
                  file=sys.stderr)
        seconds = min(options.seconds, 35) if options.quick else options.seconds
        rounds = collect(bench, libraries, options.grids.split(","), options.quick,
                         seconds * (1 - SHARE_AGAIN))
        again(bench, libraries, seconds * SHARE_AGAIN)
        print(f"bench_blacs: {rounds} rounds, {len(bench.samples)} samples, all results verified; "
              f"samples in {samples_path}", file=sys.stderr)
        return bench.samples


def write_doc(path, samples, tables):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    head, mark, _ = text.partition("<!-- bench_blacs: written by --doc from here on -->\n")
    if not mark:
        sys.exit(f"bench_blacs: {path} has no line that says where the tables begin")
    loads = [sample["load"] for sample in samples if "load" in sample]
    days = sorted({time.strftime("%Y-%m-%d", time.gmtime(sample["when"])) for sample in samples})
    origin = f"{len(samples)} samples, {', '.join(days)}"
    if loads:
        origin += (f"; load average of the machine just before each run {min(loads):.1f} to "
                   f"{max(loads):.1f}")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"{head}{mark}{origin}.\n\n{tables}\n")


def main():
    options = arguments()
    samples = read_samples(options.report) if options.report else measure(options)
    results = report.compare(samples)
    if options.doc:
        write_doc(options.doc, samples, report.markdown(results))
    if options.json:
        print(json.dumps({"results": results}))
    else:
        print(report.markdown(results))


if __name__ == "__main__":
    main()
