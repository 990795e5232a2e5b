#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares the times that are predicted for tutti-matmul, tutti-llcs and tutti-exchange, before
they run, with those of their runs.

First `tutti probe` measures the machine and writes a file for each number of processes. Then two
steps follow each other in each case. The application writes the supersteps that it will have
(--predict), for which it measures the local computation while all processes compute, without the
communication. Then the application runs. Nothing is fitted to its runs.

At the end `tutti predict --compare` prints a table for each part, in the form of appendices D to G
of Krusche's thesis. A row has the mean over all sizes of the relative errors of models with the
thesis's three kinds of g, but with our times of computation, and of our model by process. Below
are the medians of the rows (for the exchange, the worst row) beside our goals. `make
bench-predict-apps` runs it, and needs a quiet machine for a quarter of an hour; with ARGS=--short
for ten minutes."""
import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parent.parent
from common import jobs, sampling  # noqa: E402
from common.strings import write_strings  # noqa: E402

# The goal of each part in %: the median of its rows, or the worst of them.
GOALS = {"custom": (statistics.median, 10), "static": (statistics.median, 15),
         "bit-parallel": (statistics.median, 5), "standard": (statistics.median, 5),
         "exchange": (max, 25)}
# By how much is asked for: sizes of matrices, and powers of 2 of strings by algorithm.
SIZES = {"quick": (200, 400), "short": (500, 1000, 1500, 2000),
         "all": (500, 1000, 1500, 2000, 3000, 4000)}
POWERS = {"quick": {"bit-parallel": (12, 13), "standard": (12, 13)},
          "short": {"bit-parallel": range(13, 17), "standard": range(12, 14)},
          "all": {"bit-parallel": range(13, 18), "standard": range(12, 15)}}
# Sizes of the exchange programs; quick takes the first.
EXCHANGES = {"transpose": (512, 1024, 2048), "fft": (256, 512, 1024), "adi": (128, 256, 512),
             "lookup": (30000, 100000, 300000), "matvec": (1024, 2048, 4096)}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build/release")
    parser.add_argument("--processes", default="2,4")
    parser.add_argument("--parts", default=",".join(GOALS), help=f"some of {','.join(GOALS)}")
    parser.add_argument("--probe-options", default="--words 1048576 --messages 2048 --passes 2",
                        help="of tutti probe")
    parser.add_argument("--short", action="store_true", help="without the largest sizes")
    parser.add_argument("--quick", action="store_true", help="small sizes only")
    parser.add_argument("--keep", type=Path,
                        help="a folder for the probes, the profiles and runs.csv, which "
                        "`tutti predict --compare` reads")
    options = parser.parse_args()
    unknown = set(options.parts.split(",")) - set(GOALS)
    if unknown:
        parser.error(f"--parts: there is no {unknown.pop()}")
    options.extent = "quick" if options.quick else "short" if options.short else "all"
    return options


class Bench:
    """Predicts and runs cases, and notes them in runs.csv."""

    def __init__(self, options, folder):
        self.options = options
        self.folder = Path(folder).resolve()
        self.tutti = options.build / "bin/tutti"
        self.cases = 0
        self.alone = {}  # seconds of one process, by what it does
        self.runs = self.folder / "runs.csv"
        self.runs.write_text("table,row,processes,machine,profile,measured_s,alone_s\n")

    def probe(self, processes):
        machine = self.folder / f"probe-{processes}.json"
        jobs.output_of([*sampling.FIRST, self.tutti, "probe", "-n", processes, "--output", machine,
                        *self.options.probe_options.split()])
        return machine

    def seconds(self, processes, application, *words, times=1):
        """Returns the time that an application prints, or the median of several runs."""
        start = [self.tutti, "run", "-n", processes] if processes > 1 else []
        program = self.options.build / f"apps/{application}/tutti-{application}"
        return statistics.median(
            json.loads(jobs.output_of([*sampling.FIRST, *start, program, *words,
                                       "--json"]))["time_s"] for _ in range(times))

    def case(self, table, row, processes, machine, application, *words, alone=None):
        """Predicts a case, then runs it. tutti-llcs computes once in a run, the others often."""
        self.cases += 1
        profile = self.folder / f"case-{self.cases}.csv"
        program = self.options.build / f"apps/{application}/tutti-{application}"
        jobs.output_of([*sampling.FIRST, self.tutti, "run", "-n", processes, program, *words,
                        "--predict", profile])
        repeated = ("--runs", 11) if application == "matmul" else ()
        measured = self.seconds(processes, application, *words, *repeated,
                                times=11 if application == "llcs" else 1)
        with self.runs.open("a") as runs:
            print(table, row, processes, machine.name, profile.name, measured, alone or "",
                  sep=",", file=runs)
        if sys.stderr.isatty():
            print(f"{self.cases}: {table}, {row}, {processes} processes", end="\033[K\r",
                  file=sys.stderr)

    def time_alone(self, key, *call):
        if key not in self.alone:
            self.alone[key] = self.seconds(1, *call)
        return self.alone[key]

    def matmul(self, dealt, processes, machine):
        """The efficiency (4.12) is over the rate of one process at the largest size."""
        sizes = SIZES[self.options.extent]
        rate = sizes[-1]**3 / self.time_alone("matmul", "matmul", "--size", sizes[-1])
        for blocks in (8, 27, 64):
            for size in sizes:
                self.case(dealt, f"q = {blocks}", processes, machine, "matmul", "--size", size,
                          "--mode", "blocks", "--blocks", blocks, "--distribution", dealt,
                          alone=size**3 / rate)

    def llcs(self, algorithm, processes, machine):
        kind = (("--kernel", "words") if algorithm == "bit-parallel" else
                ("--algorithm", algorithm))
        for alpha in (1, 2, 4, 5, 8):
            for power in POWERS[self.options.extent][algorithm]:
                files = write_strings(self.folder, 2**power)
                alone = self.time_alone((algorithm, power), "llcs", *kind, "--alpha", 1, *files)
                self.case(algorithm, f"alpha = {alpha}", processes, machine, "llcs", *kind,
                          "--alpha", alpha, *files, alone=alone)

    def exchange(self, processes, machine):
        for program, sizes in EXCHANGES.items():
            for size in sizes[:1] if self.options.quick else sizes:
                words = (program, "--size", size)
                alone = self.time_alone(words, "exchange", *words)
                self.case("exchange", program, processes, machine, "exchange", *words, alone=alone)

    def part(self, name, processes, machine):
        if name == "exchange":
            self.exchange(processes, machine)
        elif name in ("custom", "static"):
            self.matmul(name, processes, machine)
        else:
            self.llcs(name, processes, machine)

    def print_errors(self):
        compare = [self.tutti, "predict", "--compare", self.runs]
        print(jobs.output_of(compare))
        print("| part | by process, % | best of the others, % | goal, % |\n" + "|---" * 4 + "|")
        for table in json.loads(jobs.output_of([*compare, "--json"]))["tables"]:
            summary, goal = GOALS[table["table"]]
            errors = {model: summary([row["errors_percent"][model] for row in table["rows"]])
                      for model in table["medians_percent"]}
            ours = errors.pop("by_process")
            what = "worst row" if summary is max else "median"
            print(f"| {table['table']}, {what} | {ours:.1f} | {min(errors.values()):.1f} | "
                  f"{goal} |")


def main():
    options = arguments()
    begun = time.monotonic()
    print(f"Load average before: {os.getloadavg()[0]:.1f}.")
    with tempfile.TemporaryDirectory() as temporary:
        if options.keep:
            options.keep.mkdir(parents=True, exist_ok=True)
        bench = Bench(options, options.keep or temporary)
        for processes in map(int, options.processes.split(",")):
            machine = bench.probe(processes)
            for part in options.parts.split(","):
                bench.part(part, processes, machine)
        bench.print_errors()
    print(f"\n{bench.cases} cases in {time.monotonic() - begun:.0f} s; load average after: "
          f"{os.getloadavg()[0]:.1f}.")


if __name__ == "__main__":
    main()
