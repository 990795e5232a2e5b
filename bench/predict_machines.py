#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Predicts tutti-matmul and tutti-llcs on the machines of Krusche's thesis, which cannot be had.

Each program writes the supersteps that it would have on so many processes (--predict). `tutti
predict --machine MACHINE/LIBRARY/PROCESSES` prices them by the gaps and latencies of appendix C.
They are those of an all-to-all exchange for products and of a random one for LLCS, as in the
thesis.
Computation takes as long as the thesis's time of an operation (tables 4.2 and 5.3) says; how it
divides among the processes is that of the supersteps. A cell has milliseconds, the efficiency
(4.12), and the best efficiency of all sizes that appendices D to G have measured there with the
same q or alpha.
`make predict-machines` runs it. The machine need not be quiet, because only the shares of the
processes are taken from it."""
import argparse
import csv
import json
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parent.parent
from common import jobs  # noqa: E402
from common.strings import write_strings  # noqa: E402

LIBRARIES = {"skua": ("Oxtool", "PUB", "MPISHMEM"), "argus": ("Oxtool", "PUB", "MPIMPASS"),
             "aracari": ("Oxtool", "PUB", "MPIMPASS")}
ORDER, BLOCKS, STANDARD, BITS, ALPHA = 2000, 64, 2**16, 2**19, 5


def arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build/release")
    parser.add_argument("--processes", default="4,10,16,32")
    return parser.parse_args()


class Column:
    """A program, how it is run, and where the thesis has its figures."""

    def __init__(self, app, words, operations, speed, appendix, parameter):
        self.app, self.words, self.operations = app, words, operations
        self.speed = speed  # table and key of the time of an operation
        self.appendix, self.parameter = appendix, parameter


def columns(folder):
    product = ("--size", ORDER, "--mode", "blocks", "--blocks", BLOCKS, "--distribution")
    found = {f"product, {dealt}": Column("matmul", (*product, dealt), ORDER**3, ("4.2", "ns"),
                                         appendix, BLOCKS)
             for dealt, appendix in (("custom", "D"), ("static", "E"))}
    for name, length, words, key, appendix in (
        ("LLCS, standard", STANDARD, ("--algorithm", "standard"), "standard", "F"),
        ("LLCS, bit-parallel", BITS, ("--kernel", "words"), "bit_parallel", "G")):
        found[name] = Column("llcs", (*words, "--alpha", ALPHA, *write_strings(folder, length)),
                             length**2, ("5.3", key), appendix, ALPHA)
    return found


def measured_there():
    """Returns table, processes, q or alpha and library -> efficiency in %, as printed."""
    with (ROOT / "papers/data/thesis_applications.csv").open(encoding="utf-8") as lines:
        rows = csv.reader(line for line in lines if not line.startswith("#"))
        return {(table, int(p), int(parameter), library): float(efficiency)
                for table, p, parameter, library, efficiency, *_ in rows}


def seconds_of_operations():
    """Returns machine, table and key -> seconds of an operation. Table 4.2 has nanoseconds, and
    table 5.3 millions of operations per second."""
    tables = tomllib.loads((ROOT / "papers/data/003.toml").read_text())["table"]
    seconds = {}
    for table in tables:
        for machine in LIBRARIES if table["number"] in ("4.2", "5.3") else ():
            for key, value in table["values"][machine].items():
                time = value * 1e-9 if key == "ns" else 1e-6 / value
                seconds[machine, table["number"], key] = time
    return seconds


def computed_by_all(profile):
    """Returns the seconds that all processes of a profile compute."""
    with profile.open(encoding="utf-8") as lines:
        return sum(float(process.split(" ")[0]) for step in csv.DictReader(lines)
                   for process in step["each process"].split(";"))


def predicted(tutti, profile, machine, speed, pattern):
    """Returns the seconds on a machine; nothing if the thesis has no figures of it."""
    words = [tutti, "predict", profile, "--machine", machine, "--speed", speed, "--pattern",
             pattern, "--json"]
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, check=False)
    return json.loads(done.stdout)["by_process_s"] if done.returncode == 0 else None


def main():
    options = arguments()
    tutti = options.build / "bin/tutti"
    seconds, printed = seconds_of_operations(), measured_there()
    with tempfile.TemporaryDirectory() as temporary:
        all_columns = columns(temporary)
        print("| machine | " + " | ".join(f"{name}, ms (E, E there, %)"
                                          for name in all_columns) + " |\n" +
              "|---" * (len(all_columns) + 1) + "|")

        def cell(column, profile, number, machine, library, processes):
            alone = column.operations * seconds[(machine, *column.speed)]
            time = predicted(tutti, profile, f"{machine}/{library}/{processes}",
                             alone / computed_by_all(profile),
                             "random" if column.app == "llcs" else "all-to-all")
            if time is None:
                return "-"
            there = printed.get((f"{column.appendix}.{number}", processes, column.parameter,
                                 library))
            return (f"{time * 1e3:.1f} ({100 * alone / time / processes:.0f}, " +
                    ("-" if there is None else f"{there:.0f}") + ")")

        for processes in map(int, options.processes.split(",")):
            profiles = [Path(temporary) / f"{name}.csv" for name in all_columns]
            for column, profile in zip(all_columns.values(), profiles):
                program = options.build / f"apps/{column.app}/tutti-{column.app}"
                jobs.output_of([tutti, "run", "-n", processes, program, *column.words, "--predict",
                                profile])
            for number, (machine, libraries) in enumerate(LIBRARIES.items(), 1):
                for library in libraries:
                    cells = [cell(column, profile, number, machine, library, processes)
                             for column, profile in zip(all_columns.values(), profiles)]
                    if set(cells) != {"-"}:
                        print(f"| {machine}, {library}, p = {processes} | " + " | ".join(cells) +
                              " |")


if __name__ == "__main__":
    main()
