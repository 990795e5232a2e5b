#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares the times that `tutti predict` predicts for textbook BSP programs with measured times.

`make bench-predict` runs it. First `tutti probe` measures the machine and writes its file. Then
three steps take turns. A program runs with TUTTI_BSP_PROFILE, which records computation, words and
messages of its supersteps. `tutti predict` adds them up by (2.3), (2.5) and (2.6) of paper 003 with
the figures of the probe's file. The program runs without a profile and is timed.

Programs are short, so that some of their runs are not disturbed by other processes. The shortest
profiled run is compared with the shortest timed run. The median job's median run is compared, too:
where a processor has two speeds, the shortest runs may have had different ones. Nothing is fitted
to the timed runs. docs/measurements/bsp-predictions.md has results.
"""
import argparse
import json
import os
import pathlib
import statistics
import sys
import tempfile

from common.jobs import output_of

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Rows: program, n, runs in a job, what a superstep does
PROGRAMS = [("matmul", 96, 300, "long direct puts, cubic work"),
            ("sort", 20000, 100, "few long messages"),
            ("fft", 1024, 100, "very many puts of two words"),
            ("lu", 60, 100, "many short supersteps"),
            ("sparse", 2000, 300, "gets and tagged messages of one word"),
            ("pagerank", 500, 60, "tagged messages of one word, sums")]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default=str(ROOT / "build/release"))
    parser.add_argument("-n", type=int, default=2, help="processes (2)")
    parser.add_argument("--runs",
                        type=int,
                        default=7,
                        help="jobs for a profile, and as many timed ones (7)")
    parser.add_argument("--passes", type=int, default=30, help="passes of the probe (30)")
    parser.add_argument(
        "--probe", help="a file that `tutti probe --output` has written, instead of probing now")
    parser.add_argument("--only", nargs="*", help="these programs")
    parser.add_argument("--keep", help="folder for the probe's file and the profiles")
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


class Bench:
    def __init__(self, options, folder):
        self.options = options
        self.folder = pathlib.Path(folder)
        self.tutti = f"{options.build}/bin/tutti"
        self.machine = options.probe or str(self.folder / "probe.json")
        if not options.probe:
            print("probing ...", file=sys.stderr, flush=True)
            output_of([
                self.tutti, "probe", "-n",
                str(options.n), "--series", "1", "--messages", "4096", "--passes",
                str(options.passes), "--output", self.machine
            ])

    def command(self, name, n, times):
        return [
            self.tutti, "run", "-n",
            str(self.options.n), f"{self.options.build}/bench/bsp_textbook", name,
            str(n),
            str(times)
        ]

    def parts(self, profile, times):
        """Writes the supersteps of the shortest and of the median run of a job to a profile each,
        and yields the names of these two files."""
        header, first, *steps = pathlib.Path(profile).read_text(encoding="utf-8").splitlines()
        each = (len(steps) - 1) // times
        assert each * times == len(steps) - 1 and first.startswith(
            "0,"), "all runs have as many supersteps"
        parts = [steps[k * each:(k + 1) * each] for k in range(times)]
        parts.sort(key=lambda part: sum(float(step.split(",")[8]) for step in part))
        for name, part in (("shortest", parts[0]), ("median", parts[len(parts) // 2])):
            chosen = self.folder / f"{name}.csv"
            chosen.write_text("\n".join([header, *part]) + "\n", encoding="utf-8")
            yield str(chosen)

    def predict(self, program):
        """Runs a job with a profile; returns the predictions for its shortest and median run."""
        name, n, times, _ = program
        profile = str(self.folder / f"{name}-all.csv")
        output_of(self.command(name, n, times), {"TUTTI_BSP_PROFILE": profile})
        predict = [self.tutti, "predict"]
        return [json.loads(output_of([*predict, part, "--machine", self.machine, "--json"]))
                for part in self.parts(profile, times)]

    def row(self, program):
        """Returns the row of a program. Profiled and timed jobs take turns, because the speed of
        processors changes with time."""
        name, n, times, what = program
        predictions, timed = [], []
        for _ in range(self.options.runs):
            predictions.append(self.predict(program))
            fields = output_of(self.command(name, n, times)).split()
            timed.append([float(field) for field in fields])
        predicted = min((shortest for shortest, _ in predictions),
                        key=lambda one: one["measured_s"])
        typical = statistics.median(one["overhead_s"] for _, one in predictions)
        least, median = min(one[0] for one in timed), statistics.median(one[1] for one in timed)
        return {
            "program": name, "n": n, "times": times, "what": what,
            "supersteps": predicted["supersteps"], "compute_s": predicted["compute_s"],
            "plain_s": predicted["plain_s"], "startup_s": predicted["startup_s"],
            "overhead_s": predicted["overhead_s"], "profiled_s": predicted["measured_s"],
            "measured_s": least, "median_s": median, "ratio": predicted["overhead_s"] / least,
            "median_overhead_s": typical, "median_ratio": typical / median
        }


def print_row(row):
    print(
        f"{row['program']:<10}{row['n']:>8}{row['supersteps']:>8}{row['compute_s'] * 1e3:>11.3f}"
        f"{row['plain_s'] * 1e3:>11.3f}"
        f"{row['startup_s'] * 1e3:>11.3f}{row['overhead_s'] * 1e3:>11.3f}"
        f"{row['measured_s'] * 1e3:>12.3f}"
        f"{row['ratio']:>9.3f}{row['median_overhead_s'] * 1e3:>12.3f}{row['median_s'] * 1e3:>11.3f}"
        f"{row['median_ratio']:>9.3f}  {row['what']}",
        flush=True)


def main():
    options = arguments()
    with tempfile.TemporaryDirectory() as temporary:
        bench = Bench(options, options.keep or temporary)
        if not options.json:
            print(
                f"{options.n} processes, ms, the shortest and the median run of {options.runs} "
                f"jobs; load average {os.getloadavg()[0]:.1f}\n"
            )
            print(
                f"{'program':<10}{'n':>8}{'steps':>8}{'w':>11}{'(2.3)':>11}{'(2.5)':>11}"
                f"{'(2.6)':>11}{'measured':>12}{'ratio':>9}"
                f"{'(2.6) med.':>12}{'median':>11}{'ratio':>9}  what it does")
        rows = []
        for program in PROGRAMS:
            if options.only and program[0] not in options.only:
                continue
            rows.append(bench.row(program))
            if not options.json:
                print_row(rows[-1])
    if options.json:
        print(json.dumps({"processes": options.n, "rows": rows}, indent=1))


main()
