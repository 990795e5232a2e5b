#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs the papers' experiments with programs of NX, iCC, PVM and the BLACS. Prints their tables.

`make bench-nx` runs it. Each experiment is measured in rounds, and the tables show medians of the
rounds. The results are kept as JSON; --against compares them with those of another run. Curves are
drawn into the folder of the JSON, or beside the page that --doc writes.
"""
import argparse
import datetime
import json
import os
import platform
import sys
import textwrap
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "bench/nx"), str(ROOT / "scripts")]
import exchange  # noqa: E402
import experiment  # noqa: E402
import libraries  # noqa: E402
import sums  # noqa: E402

EXPERIMENTS = {module.PAPER: module for module in (libraries, sums, exchange)}
MARK = "<!-- bench_nx: written by --doc from here on -->\n"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, default=ROOT / "build/release")
    parser.add_argument("--paper", choices=EXPERIMENTS, action="append",
                        help="only this paper's experiment; may be repeated (all)")
    parser.add_argument("--rounds", type=int,
                        help="the tables show their medians (5, or 15 short ones of paper 004)")
    parser.add_argument("--quick", action="store_true",
                        help="fewer sizes and calls, about a minute with --rounds 1")
    parser.add_argument("--out", type=Path,
                        help="folder for nx-PAPER.json and the pictures (BUILD/bench)")
    parser.add_argument("--against", metavar="FOLDER", type=Path,
                        help="compare with nx-PAPER.json of another run")
    parser.add_argument("--report", metavar="FOLDER", type=Path,
                        help="no runs: tables of nx-PAPER.json of an earlier run")
    parser.add_argument("--doc", action="store_true",
                        help="also write the pages and pictures of docs/measurements")
    parser.add_argument("--json", action="store_true", help="the results instead of the tables")
    options = parser.parse_args()
    options.build = options.build.resolve()
    options.out = options.out or options.build / "bench"
    return options


def origin(options, rounds, loads):
    processors = os.cpu_count()
    name = next((line.split(":")[1].strip()
                 for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
                 if line.startswith("model name")), platform.machine())
    return (f"{datetime.date.today()}, {name}, {processors} processors; medians of "
            f"{rounds} rounds{', --quick' if options.quick else ''}; load average "
            f"{loads[0]:.1f} before and {loads[1]:.1f} after, which the measured processes make.")


def file_of(folder, module):
    return folder / f"nx-{module.PAPER}.json"


def results_of(options, module):
    """Measures an experiment, or reads its results, and keeps them."""
    if options.report:
        return json.loads(file_of(options.report, module).read_text(encoding="utf-8"))
    before = os.getloadavg()[0]
    rounds = options.rounds or module.ROUNDS
    cells = module.measure(options, rounds)
    results = {"paper": module.PAPER,
               "origin": origin(options, rounds, (before, os.getloadavg()[0])), "cells": cells}
    options.out.mkdir(parents=True, exist_ok=True)
    file_of(options.out, module).write_text(json.dumps(results, indent=1), encoding="utf-8")
    return results


def agreement(options, module, results):
    if not options.against:
        return []
    other = json.loads(file_of(options.against, module).read_text(encoding="utf-8"))
    return ["", "## A second run", "", f"The other run: {other['origin']}", "",
            *experiment.comparison(results["cells"], other["cells"])]


def draw(options, module, cells, folder):
    """Draws the pictures of an experiment. Returns the lines of a page that show them."""
    lines = []
    folder.mkdir(parents=True, exist_ok=True)
    for name, picture in module.pictures(options, cells).items():
        path = folder / f"nx-{name}.svg"
        path.write_text(experiment.drawn(options.build, picture), encoding="utf-8")
        lines += ["", f"![{picture['title']}]({path.name})"]
    return lines


def filled(line):
    """Returns a line as a page has it: text is broken, tables and headings are not."""
    if line.startswith(("|", "#", "!", " ")):
        return line
    return textwrap.fill(line, 100, break_long_words=False, break_on_hyphens=False,
                         subsequent_indent="  " if line.startswith("- ") else "")


def write_page(module, lines):
    path = ROOT / "docs/measurements" / module.PAGE
    head, mark, _ = path.read_text(encoding="utf-8").partition(MARK)
    if not mark:
        sys.exit(f"bench_nx: {path} has no line that says where the tables begin")
    path.write_text(head + mark + "\n".join(map(filled, lines)) + "\n", encoding="utf-8")


def report(options, module):
    results = results_of(options, module)
    cells, place = experiment.of_main_place(results["cells"])
    lines = [f"{results['origin']} {place}", "", *module.text(options, cells),
             *agreement(options, module, results)]
    folder = ROOT / "docs/measurements" if options.doc else options.out
    shown = draw(options, module, cells, folder)
    if options.doc:
        write_page(module, lines + shown)
    if not options.json:
        print(f"# {module.TITLE}\n\n" + "\n".join(lines) + f"\n\nPictures: {folder}/nx-*.svg\n",
              flush=True)
    return results


def main():
    options = arguments()
    chosen = [EXPERIMENTS[paper] for paper in options.paper or EXPERIMENTS]
    results = [report(options, module) for module in chosen]
    if options.json:
        print(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
