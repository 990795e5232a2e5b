#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""timing.py TUTTI BLACS_TIMING [--mpi FLAVOUR]: checks the times of the BLACS: every routine and
process with its calls and lengths, as text and as JSON, in a job that ends well and in one that
does not. With --mpi the launcher of that MPI starts the processes, also on pretended hosts. The
exit code is 77 (skipped) if that launcher is missing."""
import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "scripts"))
import mpi_launchers  # noqa: E402

SKIPPED = 77
HEAD = "times in the BLACS, of {} of 4 processes\n"
LOST = "the times of the BLACS are written when processes leave, so they are lost or not complete\n"
# The lengths in bytes of the calls of each routine by each process.
MESSAGES = {
    ("dgesd2d", 0): [8, 80, 800],
    ("dgerv2d", 0): [0, 0, 0],
    ("dgesd2d", 3): [0, 0, 0],
    ("dgerv2d", 3): [8, 80, 800],
}
LENGTHS = MESSAGES | {("dtrbs2d", 1): [80]} | {("dtrbr2d", process): [80] for process in (0, 2, 3)}
LENGTHS |= {("dgsum2d", process): [48] for process in range(4)}
LENGTHS |= {("blacs_barrier", process): [None, None] for process in range(4)}


def expected(lengths):
    """Returns calls, least, mean and largest length by routine and process."""
    found = {}
    for key, calls in lengths.items():
        known = None not in calls
        found[key] = (len(calls), min(calls) if known else None,
                      sum(calls) / len(calls) if known else None, max(calls) if known else None)
    return found


def own(lengths, process):
    return {key: calls for key, calls in lengths.items() if key[1] == process}


def counts_in(table):
    return {(line["routine"], line["process"]):
            (line["calls"], line["least_bytes"], line["mean_bytes"], line["most_bytes"])
            for line in table["times"]}


def counts_in_text(text):
    """Returns the same from the lines of a text, whose head is not among them."""

    def number(word):
        return None if word == "-" else float(word)

    words = [line.split() for line in text.splitlines()]
    return {(w[0], int(w[1])): (int(w[2]), *map(number, w[5:])) for w in words}


def text_table(stderr, processes):
    """Returns the counts in the table in a text; None if there is not just one."""
    head = HEAD.format(processes)
    if stderr.count(head) != 1:
        return None
    lines = stderr.split(head)[1].splitlines()
    if lines[0].split()[:3] != ["routine", "process", "calls"]:
        return None
    rows = [line for line in lines[1:] if len(line.split()) == 8 and line.split()[1].isdigit()]
    return counts_in_text("\n".join(rows))


class Runs:

    def __init__(self, options):
        self.options = options
        self.failures = self.cases = 0

    def run(self, mode, **variables):
        command = [self.options.program, mode]
        if self.options.mpi:
            return mpi_launchers.run(self.options.mpi, 4, command, timeout=100, **variables)
        environment = {**os.environ, **variables}
        return subprocess.run([self.options.tutti, "run", "-n", "4", "--timeout", "60", *command],
                              env=environment,
                              capture_output=True,
                              text=True,
                              timeout=100,
                              check=False)

    def check(self, good, name, done):
        self.cases += 1
        self.failures += not good
        print(f"{'good' if good else 'FAILED'}: {name}" +
              ("" if good else f": exit code {done.returncode}\n{done.stdout}{done.stderr}"))


def as_text(runs):
    done = runs.run("all", TUTTI_BLACS_TIMING="1")
    good = done.returncode == 0 and text_table(done.stderr, 4) == expected(LENGTHS)
    runs.check(good, "text on stderr", done)
    done = runs.run("all", TUTTI_BLACS_TIMING="0")
    runs.check(done.returncode == 0 and done.stderr == "", "nothing at level 0", done)


def as_json(runs, folder):
    for level in "12":
        file = Path(folder, f"times{level}.json")
        done = runs.run("all", TUTTI_BLACS_TIMING=level, TUTTI_BLACS_TIMING_FILE=str(file))
        table = json.loads(file.read_text())
        good = done.returncode == 0 and done.stderr == "" and table["processes"] == 4
        good = good and table["processes_in_table"] == 4 and counts_in(table) == expected(LENGTHS)
        runs.check(good, f"JSON at level {level}", done)
        waits = {(line["routine"], line["process"]): (line["inside_s"], line["waiting_s"])
                 for line in table["times"]}
        if level == "1":
            good = all(waiting is None and inside > 0 for inside, waiting in waits.values())
        else:
            good = all(0 <= waiting <= inside for inside, waiting in waits.values())
            # Process 3 waits while process 0 pauses, and for nothing else as long.
            good = good and waits[("dgerv2d", 3)][1] > 0.5 * waits[("dgerv2d", 3)][0] > 0
        runs.check(good, f"time waiting at level {level}: {waits}", done)


def nothing_measured(runs, folder):
    """The file of an earlier run must not stay, and a text without lines is not printed."""
    file = Path(folder, "nothing.json")
    file.write_text("of an earlier run")
    done = runs.run("nothing", TUTTI_BLACS_TIMING="1", TUTTI_BLACS_TIMING_FILE=str(file))
    good = done.returncode == 0 and done.stderr == ""
    text = file.read_text()
    good = good and text.startswith("{") and counts_in(json.loads(text)) == {}
    runs.check(good, "a table without lines in a file", done)
    done = runs.run("nothing", TUTTI_BLACS_TIMING="1")
    runs.check(done.returncode == 0 and done.stderr == "", "no table on stderr", done)


def by_call(runs):
    done = runs.run("call")
    good = done.returncode == 0 and text_table(done.stderr, 1) == expected(own(MESSAGES, 3))
    runs.check(good, "by a call in one process", done)


def without_exit(runs):
    done = runs.run("no_exit", TUTTI_BLACS_TIMING="1")
    good = done.returncode == 0 and text_table(done.stderr, 4) == expected(LENGTHS)
    runs.check(good, "without BLACS_EXIT", done)


def after_errors(runs):
    done = runs.run("mistake", TUTTI_BLACS_TIMING="1")
    good = done.returncode != 0 and text_table(done.stderr, 1) == expected(own(LENGTHS, 2))
    runs.check(good, "one process after a mistake", done)
    done = runs.run("killed", TUTTI_BLACS_TIMING="1")
    good = done.returncode != 0 and done.stderr.count(LOST) == 1
    runs.check(good, "a sentence after a death", done)


def on_hosts(runs, folder):
    file = Path(folder, "times.json")
    done = runs.run("all",
                    TUTTI_HOSTS="0,0,1,1",
                    TUTTI_BLACS_TIMING="2",
                    TUTTI_BLACS_TIMING_FILE=str(file))
    tables = [json.loads(Path(f"{file}.{process}").read_text()) for process in range(4)]
    good = done.returncode == 0 and not file.exists()
    for process, table in enumerate(tables):
        good = good and counts_in(table) == expected(own(LENGTHS, process))
    runs.check(good, "a file of each process on two hosts", done)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tutti")
    parser.add_argument("program")
    parser.add_argument("--mpi", choices=mpi_launchers.LAUNCHERS)
    options = parser.parse_args()
    if options.mpi and not mpi_launchers.installed(options.mpi):
        print(f"skipped: {mpi_launchers.LAUNCHERS[options.mpi][0]} is not installed")
        return SKIPPED
    runs = Runs(options)
    with tempfile.TemporaryDirectory() as folder:
        as_json(runs, folder)
        after_errors(runs)
        nothing_measured(runs, folder)
        if options.mpi:
            on_hosts(runs, folder)
        else:
            as_text(runs)
            by_call(runs)
            without_exit(runs)
    print(f"{runs.cases} cases, {runs.failures} failed")
    return runs.failures != 0


if __name__ == "__main__":
    sys.exit(main())
