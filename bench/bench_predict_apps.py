#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares the times that are predicted for tutti-matmul and tutti-llcs, before they run, with
those of their runs.

First `tutti probe` measures the machine and writes a file for each number of processes. Then three
steps follow each other in each case. The application writes the supersteps that it will have
(--predict), for which it measures the local computation by the shapes of its blocks. The command
`tutti predict` adds them up by (2.3), (2.5) and (2.6) of Krusche's thesis with the figures of the
file. Then the application runs. Nothing is fitted to its runs.

A row has the mean over all sizes of the relative errors, for each of the three models. The tables
in appendices D to G of the thesis have the same. `make bench-predict-apps` runs it, and needs a
quiet machine."""
import argparse
import collections
import json
import os
import statistics
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parent.parent
from common import jobs, sampling  # noqa: E402
from common.strings import write_strings  # noqa: E402

MODELS = {"plain_s": "(2.3)", "startup_s": "(2.5)", "overhead_s": "(2.6)"}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build/release")
    parser.add_argument("--processes", default="2,4")
    parser.add_argument("--parts", default="custom,static,bit-parallel,standard")
    parser.add_argument("--probe-options", default="", help="of tutti probe, such as '--passes 5'")
    parser.add_argument("--quick", action="store_true", help="small sizes only")
    parser.add_argument("--cases", type=argparse.FileType("w"),
                        help="a file for the predicted and measured times of all cases, JSON lines")
    return parser.parse_args()


def cases_of(options, part, folder):
    """Yields (row, application, words) of a part's cases. All cases of a row have one error."""
    if part in ("custom", "static"):
        for blocks in (8, 27, 64):
            for size in (200, 400) if options.quick else (500, 1000, 1500, 2000, 3000, 4000):
                yield f"q = {blocks}", "matmul", ("--size", size, "--mode", "blocks", "--blocks",
                                                  blocks, "--distribution", part)
        return
    powers = {"bit-parallel": range(13, 18), "standard": range(12, 15)}[part]
    for alpha in (1, 2, 4, 5, 8):
        for power in [12, 13] if options.quick else powers:
            yield f"alpha = {alpha}", "llcs", ("--algorithm", part, "--kernel", "words", "--alpha",
                                               alpha, *write_strings(folder, 2**power))


def error_of(options, folder, processes, machine, application, words):
    """Predicts a case, runs it, and returns both as an object."""
    tutti = options.build / "tools/tutti"
    program = options.build / f"apps/{application}/tutti-{application}"
    run = [*sampling.FIRST, tutti, "run", "-n", processes, program, *words]
    one_thread = {"OPENBLAS_NUM_THREADS": "1"}
    profile = Path(folder) / "predicted.csv"
    jobs.output_of([*run, "--predict", profile], one_thread)
    predicted = json.loads(jobs.output_of([tutti, "predict", profile, "--machine", machine,
                                           "--json"]))
    if application == "matmul":
        time = json.loads(jobs.output_of([*run, "--json"], one_thread))["time_s"]
    else:  # it computes once
        time = statistics.median(
            json.loads(jobs.output_of([*run, "--json"], one_thread))["time_s"] for _ in range(5))
    return {"time_s": time, **{model: predicted[model] for model in MODELS}}


def errors_of(options, folder, part, processes, machine):
    """Runs a part's cases, and returns the errors in % by row and model."""
    errors = collections.defaultdict(lambda: {model: [] for model in MODELS})
    for row, application, words in cases_of(options, part, folder):
        found = error_of(options, folder, processes, machine, application, words)
        for model in MODELS:
            errors[row][model].append(abs(found[model] / found["time_s"] - 1) * 100)
        if options.cases:
            print(json.dumps({"part": part, "row": row, "processes": processes,
                              "words": list(map(str, words)), **found}), file=options.cases,
                  flush=True)
    return errors


def heading(title):
    print(f"\n## {title}\n\n| | " + " | ".join(MODELS.values()) + " |\n" + "|---" * 4 + "|")


def print_row(name, values):
    print(f"| {name} | " + " | ".join(f"{value:.1f}" for value in values) + " |", flush=True)


def main():
    options = arguments()
    print(f"Mean relative errors, %; load average before: {os.getloadavg()[0]:.1f}.")
    means = collections.defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        for processes in map(int, options.processes.split(",")):
            machine = Path(folder) / f"probe-{processes}.json"
            jobs.output_of([options.build / "tools/tutti", "probe", "-n", processes, "--output",
                            machine, *options.probe_options.split()])
            for part in options.parts.split(","):
                heading(f"{part}, {processes} processes")
                for row, errors in errors_of(options, folder, part, processes, machine).items():
                    means[part].append([statistics.mean(errors[model]) for model in MODELS])
                    print_row(row, means[part][-1])
    heading("Median of the rows")
    for part, rows in means.items():
        print_row(part, [statistics.median(column) for column in zip(*rows)])


if __name__ == "__main__":
    main()
