# SPDX-License-Identifier: BSD-3-Clause
"""Starts the programs of apps/ for their tests."""

import collections
import json
import os
import subprocess
import sys


def started(tutti, program, ranks, *words, variables=None):
    """Returns what has become of a program: with a launcher if there is more than one rank."""
    start = [tutti, "run", "-n", ranks, "--timeout", "60"] if ranks > 1 else []
    return subprocess.run([str(word) for word in (*start, program, *words)],
                          capture_output=True,
                          text=True,
                          env={**os.environ, **(variables or {})},
                          check=False)


def result_of(tutti, program, ranks, *words):
    """Returns the object that a program prints with --json. The test fails if the program does."""
    done = started(tutti, program, ranks, *words, "--json")
    if done.returncode != 0:
        sys.exit(f"{words}, {ranks} ranks: exit code {done.returncode}: {done.stderr}")
    return json.loads(done.stdout)


def traffic_of(profile):
    """Returns the words and messages of each superstep in a profile of BSPlib."""
    head, *lines = profile.read_text().splitlines()
    names = head.split(",")[1:-2]
    rows = (dict(zip(names, line.split(",")[1:])) for line in lines)
    times = ("compute_s", "compute_mean_s", "sync_s", "total_s")
    steps = [{name: row[name] for name in names if name not in times} for row in rows]
    for step in steps:
        step["each process"] = list(map(flows_of, step["each process"].split(";")))
    return steps


def flows_of(process):
    """Returns what a process moves, by kind of access: words out, words in and calls, or words to
    itself and calls. Direct and buffered accesses count together, because a direct one is buffered
    if the other process has not begun the superstep. The time of its computation comes first."""
    flows = collections.defaultdict(lambda: [0, 0, 0])
    for flow in process.split(" ")[1:]:
        name, *numbers = flow.replace("hp", "").split(":")
        flows[name] = [have + float(more) for have, more in zip(flows[name], [*numbers, 0])]
    return dict(flows)


def check_prediction(tutti, program, ranks, words, folder):
    """Compares the supersteps that a program predicts with those of its run, which has others
    before and after them."""
    predicted, measured = folder / "predicted.csv", folder / "measured.csv"
    for options, variables in (("--predict", predicted), {}), ((), {"TUTTI_BSP_PROFILE": measured}):
        done = started(tutti, program, ranks, *words, *options, variables=variables)
        if done.returncode != 0 or (options and done.stdout):
            sys.exit(f"{words} {options}: {done.returncode}, {done.stderr}")
    steps, found = traffic_of(predicted)[:-1], traffic_of(measured)
    if not any(found[i:i + len(steps)] == steps for i in range(len(found) - len(steps) + 1)):
        lines = "\n".join(map(str, found))
        sys.exit(f"{words}, {ranks} ranks: {steps} is predicted, but the run has\n{lines}")


def check_errors(tutti, program, cases):
    """Each case is a command line, the exit code, and the text that is there once in its message.
    Nothing else is printed."""
    for words, code, text in cases:
        for ranks in (1, 3):
            done = started(tutti, program, ranks, *words)
            if done.returncode != code or done.stderr.count(text) != 1 or done.stdout:
                sys.exit(f"{words}, {ranks} ranks: {done.returncode}, {done.stderr!r}")
