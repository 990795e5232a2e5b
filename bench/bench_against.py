#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares this build with a build of another commit, cell by cell, and tells which are worse.

`make bench-against BASE=commit` runs it. The base is built in a folder of its own below
build/against, which is kept. The jobs of all benches run in turn, without peers: the base and the
new build right after each other, in every second sample in the opposite order. So both see the same
machine. Pairs whose processors were at different distances are left out.

A cell's ratio is the median over its pairs of new / base. It is worse if the ratio is above 1 +
scatter + 3 %; bench/against/ratios.py defines the scatter. Jobs with such cells are measured again,
and a cell counts as worse if it is so in the second samples, too: of a thousand cells, some are
worse by chance once. Cells in bench/against/may_lose.toml may be worse up to the ratio there. The
exit code is 1 if another cell is worse, and 2 if a job failed or the base cannot be built. Ctrl-C
and SIGTERM end the runs and print what there is."""
import argparse
import json
import os
import signal
import sys
import time
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "bench")]
from against import builds, machine, may_lose, more_subjects, report, runs, subjects  # noqa: E402

BENCHES = {"lat": subjects.lat, "choice": subjects.choice, "coll": subjects.coll,
           "blacs": subjects.blacs, "lu": subjects.lu, "bsp": subjects.bsp, "pvm": subjects.pvm,
           "nx": more_subjects.nx, "fronts": more_subjects.fronts, "mpi": more_subjects.mpi,
           "limits": more_subjects.limits}
FORMAT = "tutti-bench-against-1"


def arguments(words=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("base", nargs="?", help="commit to compare with, such as HEAD~1")
    parser.add_argument("--base-build", type=Path, help="a build folder instead of a commit")
    parser.add_argument("--build", type=Path, default=ROOT / "build/release")
    parser.add_argument("--benches", default=" ".join(BENCHES),
                        help=f"some of: {' '.join(BENCHES)} (all)")
    parser.add_argument("--samples", type=int, default=15, help="of each cell (15)")
    parser.add_argument("--minutes", type=float, default=40,
                        help="for all runs; later samples are left out (40)")
    parser.add_argument("--wait", type=float, default=60,
                        help="seconds at most until other programs are quiet (60)")
    parser.add_argument("--processors", help="those of both builds, such as 0-3,8 (all)")
    parser.add_argument("--may-lose", type=Path, default=may_lose.FILE,
                        help="list of cells that may be worse (bench/against/may_lose.toml)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all samples into FILE")
    parser.add_argument("--report", type=Path, metavar="FILE",
                        help="no runs: judge the samples that --json wrote")
    options = parser.parse_args(words)
    if (options.base is not None) + (options.base_build is not None) + (
            options.report is not None) != 1:
        parser.error("name a commit, such as HEAD~1, or --base-build, or --report")
    if options.samples < 1 or options.minutes <= 0:
        parser.error("--samples and --minutes are above 0")
    options.benches = options.benches.replace(",", " ").split()
    unknown = [name for name in options.benches if name not in BENCHES]
    if unknown or not options.benches:
        parser.error(f"no bench is called '{' '.join(unknown)}'; there are {' '.join(BENCHES)}")
    try:
        options.processors = options.processors and machine.numbers_of(options.processors)
    except ValueError:
        parser.error(f"'{options.processors}' is no list of processors such as 0-3,8")
    return options


def say(text):
    print(f"bench_against: {text}", file=sys.stderr, flush=True)


def prepared(options):
    """Returns the build folders of both sides, and sentences about their sources."""
    new = options.build.resolve()
    if not (new / subjects.TUTTI).exists():
        raise builds.Failure(f"{new} has no build of the command tutti")
    if options.base_build is not None:
        base, base_text = options.base_build.resolve(), str(options.base_build)
    else:
        commit = builds.commit_of(options.base)
        base, base_text = builds.built(commit, new), builds.subject_of(commit)
    if "limits" in options.benches:
        builds.compiled(base)
        builds.compiled(new)
    return {"base": base, "new": new}, [f"Base: {base_text}", f"New: {builds.work_tree()}"]


def able(jobs, sides):
    """Returns the jobs that both builds have the programs for, and tells the others."""
    kept = []
    for job in jobs:
        why = next(filter(None, map(job.lacks, sides.values())), None)
        if why is None:
            kept.append(job)
        else:
            say(f"{job.bench} {job.name} is left out: {why}")
    return kept


def again(jobs, rows):
    """Returns the jobs of cells that are worse and may not be."""
    names = {(cell["bench"], cell["job"]) for cell, _, _ in report.unlisted(rows)}
    return [job for job in jobs if (job.bench, job.name) in names]


def loads():
    return f"load average {os.getloadavg()[0]:.2f}"


def measured(options, sides, notes, entries):
    """Takes the samples. Returns what --json writes."""
    processors = len(os.sched_getaffinity(0))
    jobs = able([job for name in options.benches for job in BENCHES[name]()], sides)
    busy = machine.quiet(options.wait)
    if busy > machine.MOST_BUSY:
        say(f"warning: other programs use {busy:.1f} processors")
    notes += machine.description(sides["new"]) + [f"Before: {loads()}"]
    measurement = runs.Measurement(sides, time.monotonic() + 60 * options.minutes, processors)
    first, second = runs.Samples(processors), runs.Samples(processors)
    others, start, rounds, stopped = machine.Others(), time.monotonic(), 0, False
    try:
        rounds = measurement.take(jobs, options.samples, first)
        worse = again(jobs, report.judged(first.list(), [], entries))
        if worse:
            measurement.take(worse, options.samples, second)
    except KeyboardInterrupt:
        stopped = True
    busy = others.processors()
    notes += machine.description(sides["new"])[1:] + [
        f"After: {loads()}; {time.monotonic() - start:.0f} s, {rounds} of {options.samples} rounds "
        f"of all jobs; other programs used {busy:.2f} processors" +
        (f", more than {machine.MOST_BUSY}: repeat it" if busy > machine.MOST_BUSY else "")]
    failures = [f"{bench} {name} of the {side} build: {why}"
                for (bench, name, side), why in measurement.failures.items()]
    return {"format": FORMAT, "notes": notes, "stopped": stopped, "failures": failures,
            "seconds": {f"{bench} {name}": round(took, 2)
                        for (bench, name), took in measurement.seconds.items()},
            "cells": first.list(), "again": second.list()}


def read(file):
    """Returns what --json wrote."""
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise builds.Failure(f"{file}: {error}") from error
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise builds.Failure(f"{file} is not of the format {FORMAT}")
    return found


def result_of(options, entries):
    if options.report is not None:
        return read(options.report)
    if options.processors:
        os.sched_setaffinity(0, options.processors)
    sides, notes = prepared(options)
    return measured(options, sides, notes, entries)


def interrupted(*_):
    """Ends the runs. A second signal must not end the report, and `timeout` sends two."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt


def main():
    options = arguments()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, interrupted)
    try:
        entries = may_lose.read(options.may_lose)
        found = result_of(options, entries)
    except (builds.Failure, may_lose.Mistake, OSError) as error:
        say(error)
        return 2
    except KeyboardInterrupt:
        say("ended before the first sample")
        return 130
    if options.json:
        options.json.write_text(json.dumps(found), encoding="utf-8")
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr)
    rows = report.judged(found["cells"], found["again"], entries)
    print(report.text(rows, found["cells"], found["notes"]), flush=True)
    for failure in found["failures"]:
        say(f"failed: {failure}")
    if found["failures"]:
        return 2
    if found["stopped"]:
        return 130
    return 1 if report.unlisted(rows) else 0


if __name__ == "__main__":
    sys.exit(main())
