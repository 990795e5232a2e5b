# SPDX-License-Identifier: BSD-3-Clause
"""Runs each program of tutti-exchange with several numbers of ranks and algorithms. Each compares
its result with that of one process itself; here the digests of all numbers of ranks are compared,
and the messages of wrong command lines.

usage: program.py TUTTI EXCHANGE [--all]"""

import json
import subprocess
import sys

PROGRAMS = {"transpose": (1, 37, 64), "fft": (1, 37, 64), "adi": (1, 37, 64),
            "lookup": (1, 500, 1000), "matvec": (1, 37, 64)}


def started(tutti, program, ranks, *words):
    start = [tutti, "run", "-n", ranks, "--timeout", "60"] if ranks > 1 else []
    return subprocess.run([str(word) for word in (*start, program, *words)],
                          capture_output=True,
                          text=True,
                          check=False)


def result_of(tutti, program, ranks, *words):
    done = started(tutti, program, ranks, *words, "--json", "--runs", 2)
    if done.returncode != 0:
        sys.exit(f"{words}, {ranks} ranks: exit code {done.returncode}: {done.stderr}")
    return json.loads(done.stdout)


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
                    result = result_of(tutti, program, ranks, *words)
                    if result["ranks"] != ranks or result["size"] != size:
                        sys.exit(f"{words}: {result}")
                    digests.add(result["digest"])
            if len(digests) != 1:
                sys.exit(f"{name} of size {size}: results differ: {digests}")


def check_errors(tutti, program):
    cases = ((("fft", "--algorithm", "nonsense"), "there is no algorithm 'nonsense'"),
             (("fft", "--size", 0), "--size"), ((), "subcommand"), (("sort", ), "subcommand"),
             (("transpose", "--size", 1 << 30), "there is no memory for this --size"))
    for words, text in cases:
        for ranks in (1, 3):
            done = started(tutti, program, ranks, *words)
            if done.returncode == 0 or done.stderr.count(text) != 1 or done.stdout:
                sys.exit(f"{words}, {ranks} ranks: {done.returncode}, {done.stderr!r}")


def main(tutti, program, *options):
    if options == ("--all", ):
        check_programs(tutti, program, range(1, 10), algorithms_of)
    else:
        check_programs(tutti, program, (1, 2, 3, 5, 8), lambda ranks: [""])
        check_programs(tutti, program, (4, ), lambda ranks: ["", "bruck", "pairwise"])
        check_errors(tutti, program)


if __name__ == "__main__":
    main(*sys.argv[1:])
