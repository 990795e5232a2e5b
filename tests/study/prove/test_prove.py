# SPDX-License-Identifier: BSD-3-Clause
"""Runs the prover: test_prove.py TUTTI TUTTI_PROVE LIST some | every | mutants | samples."""

import json
import re
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
    record, = json.loads(done.stdout)["results"]
    check(not record["proved"] and record["missing"], f"proved without an invariant: {record}")
    wrong_words()
    on_numbers("3", "60", "allgather/ring", "broadcast/mst", "allreduce/ring", "barrier/mst",
               "alltoall/linear")


def wrong_words():
    for words in (["allgather/rung"], ["--bridge"], ["--bridge", "x"], ["--bridge", "0"],
                  ["--briddge", "2"], ["--list", "--mutants"]):
        done = subprocess.run([PROVE, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, check=False)
        check(done.returncode == 2 and not done.stdout and "usage" in done.stderr,
              f"{words}: exit {done.returncode}, {done.stdout}")


def on_numbers(most, runs, *names):
    """Tries operators on all numbers from -most to most, and statements on some."""
    operators = run(PROVE, "--operators", most).stdout.splitlines()
    check(len(operators) == 16, "\n".join(operators))
    for line in operators:
        meant = int(line.rsplit(": ", 1)[1].split()[0])
        check(meant > 0, line)
    done = run(PROVE, "--samples", runs, *names)
    check(done.returncode == 0 and done.stdout, f"--samples: exit {done.returncode}")
    for line in done.stdout.splitlines():
        check(not line.startswith("DIFFERS"), line)
        complete = int(line.rsplit(": ", 1)[1].split()[0])
        check(complete > 0, f"no run came to the end: {line}")
    print(f"{len(operators)} operators, {len(done.stdout.splitlines())} statements on numbers")


def samples():
    on_numbers("12", "500")


def listed():
    """Returns the proved algorithms of the list, each with the theorem that proves it."""
    with open(LIST, encoding="utf-8") as lines:
        found = re.findall(r"^TUTTI_ALGORITHM\((\w+), (\w+), \w+, (\w+)\)", lines.read(), re.M)
    return {(operation, name): "" if proof == "itself" else proof
            for operation, name, proof in found if proof not in ("none", "tried")}


def every():
    records = json.loads(run(TUTTI, "verify", "--all-p", "--json").stdout)["results"]
    found = {(record["operation"], record["algorithm"]):
             record["proof"].get("by", "").removeprefix("theorem ")
             for record in records if record["proved"]}
    difference = set(found.items()) ^ set(listed().items())
    check(not difference, f"only in the list or only proved: {sorted(difference)}")
    proved = [record for record in records if record["proved"]]
    check(len(proved) >= FEWEST, f"{len(proved)} are proved, not {FEWEST}")
    check(not any("problem" in record for record in records), "a counter-example")
    for record in proved:
        proof = record["proof"]["separate"]
        check(proof["obligations"] > 0, f"{record}: nothing was shown")
        check(proof["undecided"] == 0, f"{record}: paths that are undecided")


def mutants():
    lines = run(PROVE, "--mutants", *MUTATED).stdout.splitlines()
    check(len(lines) > 300, f"{len(lines)} mutants")
    for line in lines:
        check(not line.endswith(": PROVED"), f"not refused: {line}")
    harmless = sum(line.endswith(": changes nothing") for line in lines)
    print(f"{len(lines)} mutants, {harmless} of them change nothing")
    check(len(lines) - harmless > 200, f"{harmless} of {len(lines)} mutants change nothing")


{"some": some, "every": every, "mutants": mutants, "samples": samples}[PART]()
