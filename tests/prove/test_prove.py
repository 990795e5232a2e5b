# SPDX-License-Identifier: BSD-3-Clause
"""Runs proofs for every p: test_prove.py TUTTI TUTTI_PROVE some | every | mutants."""

import json
import subprocess
import sys

TUTTI, PROVE, LIST, PART = sys.argv[1:]
FEWEST = 57
PROVED = [
    ("allgather", "ring"), ("reduce_scatter", "ring"), ("barrier", "dissemination"),
    ("broadcast", "split_ring"), ("scan", "chain"), ("allreduce", "direct"),
    ("gather", "fully_connected"), ("alltoall", "linear")
]
MUTATED = [
    "allgather/ring", "reduce_scatter/ring", "barrier/dissemination", "scan/linear",
    "broadcast/fully_connected", "reduce/fully_connected", "scatter/fully_connected",
    "gather/fully_connected", "allreduce/direct", "allgather/direct", "reduce_scatter/direct",
    "alltoall/linear", "alltoall/direct"
]


def run(*words):
    return subprocess.run(words, stdout=subprocess.PIPE, text=True, check=False)


def check(condition, text):
    if not condition:
        sys.exit(f"test_prove: {text}")


def some():
    for operation, name in PROVED:
        done = run(TUTTI, "verify", operation, "--algorithm", name, "--all-p")
        check(done.returncode == 0, f"{operation} {name}: exit {done.returncode}")
        check(done.stdout.startswith(f"{operation} {name}: proved for every p ("), done.stdout)
    done = run(TUTTI, "verify", "alltoall", "--algorithm", "bruck", "--all-p", "--json")
    record, = json.loads(done.stdout)
    check(not record["proved"] and record["missing"], f"proved without an invariant: {record}")


def every():
    records = json.loads(run(TUTTI, "verify", "--all-p", "--json").stdout)
    proved = [record for record in records if record["proved"]]
    check(len(proved) >= FEWEST, f"{len(proved)} are proved, not {FEWEST}")
    check(not any("problem" in record for record in records), "a counter-example")
    for record in proved:
        check(record["proof"]["separate"]["obligations"] > 0, f"{record}: nothing was shown")


def mutants():
    lines = run(PROVE, "--mutants", *MUTATED).stdout.splitlines()
    check(len(lines) > 300, f"{len(lines)} mutants")
    for line in lines:
        check(not line.endswith(": PROVED"), f"not refused: {line}")
    harmless = sum(line.endswith(": changes nothing") for line in lines)
    print(f"{len(lines)} mutants, {harmless} of them change nothing")
    check(len(lines) - harmless > 200, f"{harmless} of {len(lines)} mutants change nothing")


{"some": some, "every": every, "mutants": mutants}[PART]()
