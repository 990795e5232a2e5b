# SPDX-License-Identifier: BSD-3-Clause
"""Runs each program of tutti-exchange with several numbers of ranks and algorithms. Each compares
its result with that of one process itself; here the digests of all numbers of ranks are compared,
and the messages of wrong command lines.

usage: program.py TUTTI EXCHANGE [--all]"""

import csv
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from started import check_errors, result_of, started, traffic_of  # noqa: E402

PROGRAMS = {"transpose": (1, 37, 64), "fft": (1, 37, 64), "adi": (1, 2, 3, 37),
            "lookup": (1, 500, 1000), "matvec": (1, 37, 64)}


def algorithms_of(ranks):
    """Returns the algorithms of alltoall for this number of ranks, and "" for tutti's choice."""
    names = ["", "naive", "linear", "pairwise", "circle", "bruck", "bruck:branches=2", "direct"]
    return names + ["standard", "stable"] if ranks in (1, 2, 4, 8) else names


def check_programs(tutti, program, ranks_of, algorithms_for):
    for name, sizes in PROGRAMS.items():
        for size in sizes:
            digests = set()
            for ranks in ranks_of:
                for algorithm in algorithms_for(ranks):
                    words = [name, "--size", size]
                    words += ["--algorithm", algorithm] if algorithm else []
                    result = result_of(tutti, program, ranks, *words, "--runs", 2)
                    if result["ranks"] != ranks or result["size"] != size:
                        sys.exit(f"{words}: {result}")
                    digests.add(result["digest"])
            if len(digests) != 1:
                sys.exit(f"{name} of size {size}: results differ: {digests}")


def check_prediction(tutti, program):
    """The supersteps of each program at four ranks: the words of the exchanges follow from its
    size, and the last superstep only computes. No exchange is made."""
    parts = {"transpose": [16 * 16], "fft": 2 * [2 * 16 * 16], "adi": 20 * [16 * 16],
             "matvec": [16], "lookup": [1]}
    explained = started(tutti, program, 4, "matvec", "--size", 64, variables={"TUTTI_EXPLAIN": "1"})
    if "alltoall" not in explained.stderr:
        sys.exit(f"TUTTI_EXPLAIN tells of no exchange: {explained.stderr}")
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "predicted.csv"
        for name, words in parts.items():
            done = started(tutti, program, 4, name, "--size", 64, "--predict", path,
                           variables={"TUTTI_EXPLAIN": "1"})
            if done.returncode != 0 or done.stdout or "alltoall" in done.stderr:
                sys.exit(f"{name} --predict: {done.returncode}, {done.stdout}, {done.stderr}")
            steps = [step["each process"] for step in traffic_of(path)]
            expected = [4 * [{"exchange": [3 * part, 3 * part, 3]}] for part in words]
            if name == "lookup":  # the parts have any length, and come back
                there = [process["exchange"] for process in steps[1]]
                expected += [steps[1], [{"exchange": [into, out, 3]} for out, into, _ in there]]
                if sum(out for out, _, _ in there) == 0:
                    sys.exit(f"lookup --predict: {steps}")
            if steps != expected + [4 * [{}]]:
                sys.exit(f"{name} --predict: {steps}, not {expected}")


def check_uneven_prediction(tutti, program):
    """Three ranks have 22, 22 and 20 of 64 rows, so the last one computes less."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "predicted.csv"
        started(tutti, program, 3, "transpose", "--size", 64, "--predict", path)
        with path.open(encoding="utf-8") as lines:
            each = [step["each process"].split(";") for step in csv.DictReader(lines)]
        times = [[float(process.split(" ")[0]) for process in step] for step in each]
        if any(abs(last - 20 / 22 * most) > 1e-4 * most for most, _, last in times):
            sys.exit(f"transpose --predict on three ranks: {times}")


def check_help(program):
    """The help of a program has its options, as that of the command does."""
    for words in (["--help"], ["fft", "--help"]):
        done = subprocess.run([program, *words], capture_output=True, text=True, check=False)
        for option in ("--size", "--algorithm", "--predict", "--runs", "--json"):
            if done.returncode != 0 or option not in done.stdout:
                sys.exit(f"{words}: {done}")


ERRORS = ((("fft", "--algorithm", "nonsense"), 1, "there is no algorithm 'nonsense'"),
          (("fft", "--algorithm", "bruck", "--predict", "x"), 2, "--algorithm excludes --predict"),
          (("--algorithm", "bruck", "fft", "--predict", "x"), 2, "--algorithm excludes --predict"),
          (("fft", "--json", "--predict", "x"), 2, "--json excludes --predict"),
          (("fft", "--size", 8, "--predict", "/dev/full"), 1, "cannot write '/dev/full': No space"),
          (("fft", "--size", 0), 2, "--size"), ((), 2, "a word is needed"),
          (("sort", ), 2, "'sort'"),
          (("transpose", "--size", 1 << 30), 1, "there is no memory for this --size"))


def main(tutti, program, *options):
    if options == ("--all", ):
        check_programs(tutti, program, range(1, 10), algorithms_of)
    else:
        check_programs(tutti, program, (1, 2, 3, 5, 8), lambda ranks: [""])
        check_programs(tutti, program, (4, ), lambda ranks: ["", "bruck", "pairwise"])
        check_prediction(tutti, program)
        check_uneven_prediction(tutti, program)
        check_help(program)
        check_errors(tutti, program, ERRORS)


if __name__ == "__main__":
    main(*sys.argv[1:])
