#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""programs.py FLAVOUR TUTTI PART PROGRAM: runs programs of an MPI by `tutti mpi`. The parts are
random and random-wide (calls of tutti beside those of the MPI), errors, threads, life and life-long
(communicators and ends of jobs), and command (what `tutti mpi` says and refuses). The exit code is
77 (skipped) if the launcher is missing."""
import os
import re
import subprocess
import sys
import time
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "scripts"))
import mpi_launchers  # noqa: E402

SKIPPED = 77
failures = 0


def expect(name, good, output):
    global failures
    if not good:
        failures += 1
        print(f"FAILED {name}:\n{output[-3000:]}")
    else:
        print(f"{name}: good")


def by_tutti(flavour, tutti, count, *words, **variables):
    """Runs a program under `tutti mpi`; returns its output with errors, and the exit code."""
    done = mpi_launchers.run(flavour, count, [tutti, "mpi", *map(str, words)], 600, **variables)
    return done.stdout + done.stderr, done.returncode


def table_row(output, operation):
    """Returns (calls of tutti, calls of the MPI) in the table at the end; (0, 0) without a row."""
    found = re.search(rf"^tutti: {operation} +(\d+) +\S+ +(\d+) ", output, flags=re.M)
    return (int(found[1]), int(found[2])) if found else (0, 0)


def random(flavour, tutti, program, runs):
    for count, calls, seed, trials in runs:
        output, code = by_tutti(flavour, tutti, count, program, calls, seed, TUTTI_MPI_FIRST="3",
                                TUTTI_MPI_TRIALS=str(trials))
        print(*re.findall(r"^(?:right|WRONG): .*", output, flags=re.M))
        expect(f"{calls} random calls on {count} ranks", code == 0 and "right: " in output, output)


def errors(flavour, tutti, program):
    output, code = by_tutti(flavour, tutti, 2, program, TUTTI_MPI_FIRST="2", TUTTI_MPI_TRIALS="0")
    expect("errors as without tutti", code == 0 and "right: " in output, output)


def threads(flavour, tutti, program):
    for count in (2, 3):
        output, code = by_tutti(flavour, tutti, count, program, 60, TUTTI_EXPLAIN="1",
                                TUTTI_MPI_TRIALS="0")
        ours, theirs = table_row(output, "allreduce")
        expect(f"two threads on {count} ranks", code == 0 and "right: " in output, output)
        expect(f"tutti serves threads on {count} ranks", ours > theirs, output)


def life_part(flavour, tutti, program, count, *parts, **variables):
    output, code = by_tutti(flavour, tutti, count, program, *parts,
                            **{"TUTTI_MPI_FIRST": "1", **variables})
    expect(f"{' '.join(map(str, parts[:5]))} on {count} ranks", code == 0 and "right" in output,
           output)
    return output


def life(flavour, tutti, program):
    """A program without a collective makes no call, of which the report tells."""
    sessions = ["session"] if flavour == "mpich" else []
    life_part(flavour, tutti, program, 3, "self", "inter", "sizes", *sessions, "pending")
    output = life_part(flavour, tutti, program, 2, TUTTI_EXPLAIN="1")
    expect("a program without collectives", "no call has come here" in output, output)


def life_long(flavour, tutti, program):
    for count in (2, 5):
        life_part(flavour, tutti, program, count, "many", "alive")
        life_part(flavour, tutti, program, count, "many", TUTTI_MPI_FIRST="8")
        life_part(flavour, tutti, program, count, "window")
    if flavour == "mpich":
        life_part(flavour, tutti, program, 3, "session-alone")
    else:  # MPICH 4.0.2 of Debian cannot spawn
        for child in ([tutti, "mpi", program], [program]):
            life_part(flavour, tutti, program, 2, "spawn", *child, "spawn")
    for how in ("abort", "death"):
        plain = mpi_launchers.run(flavour, 3, [program, how], 60)
        output, code = by_tutti(flavour, tutti, 3, program, how)
        expect(f"{how} of a rank: exit code {code}, and {plain.returncode} without tutti",
               code == plain.returncode, output)


def command(flavour, tutti, program):
    """The program makes 200 random calls, so each operation occurs."""
    output, code = by_tutti(flavour, tutti, 2, program, 200, 5, TUTTI_EXPLAIN="1",
                            TUTTI_MPI_FIRST="1", TUTTI_MPI_TRIALS="1",
                            TUTTI_MPI_OFF="bcast,gatherv")
    expect("with two operations off", code == 0 and "right: " in output, output)
    expect("bcast is the MPI's", table_row(output, "bcast")[0] == 0 < table_row(output, "bcast")[1],
           output)
    expect("allreduce is tutti's", table_row(output, "allreduce")[0] > 0, output)
    expect("the reason is told", "by the MPI, because TUTTI_MPI_OFF says so" in output, output)
    expect("trials are told", "by the MPI, because a trial compares it" in output, output)
    output, _ = by_tutti(flavour, tutti, 2, program, 50, 5, TUTTI_EXPLAIN="1", TUTTI_MPI_OFF="all")
    expect("all off", table_row(output, "allreduce")[0] == 0, output)
    dry = subprocess.run([tutti, "mpi", "--dry-run", program, "7"], capture_output=True, text=True,
                         check=False)
    expect("dry run", f"the MPI is {flavour}, because" in dry.stdout and
           f"libtutti-preload-{flavour}.so.0" in dry.stdout, dry.stdout + dry.stderr)
    for words, reason in (([], "a program is needed"), (["/bin/true"],
                                                        "the MPI of /bin/true is not known"),
                          (["/nowhere/program"], "is not known")):
        done = subprocess.run([tutti, "mpi", *words], capture_output=True, text=True, check=False)
        expect(f"refused: {words}", done.returncode == 2 and reason in done.stderr, done.stderr)
    output, code = by_tutti(flavour, tutti, 2, "sh", "-c", "exit 3")
    expect("a shell without MPI", code != 0 and "tutti:" not in output, output)


def main():
    flavour, tutti, part, program = sys.argv[1:]
    if not mpi_launchers.installed(flavour):
        print(f"skipped: the launcher of {flavour} is not installed")
        return SKIPPED
    if part == "random":
        random(flavour, tutti, program, [(2, 400, 1, 0), (3, 250, 2, 2), (5, 120, 3, 0)])
    elif part == "random-wide":
        seed = int(os.environ.get("MPI_SEED", str(int(time.time()))))
        random(flavour, tutti, program, [(count, 10000, seed + count, trials)
                                         for count, trials in ((2, 0), (3, 5), (5, 0), (8, 0))])
    elif part == "errors":
        errors(flavour, tutti, program)
    else:
        {"threads": threads, "life": life, "life-long": life_long, "command": command}[part](
            flavour, tutti, program)
    return 1 if failures else 0


sys.exit(main())
