#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""misuse.py TUTTI MISUSE: checks that every wrong call of iCC's simple interface, and every wrong
setting, ends all processes with one line that names the call, what is wrong and the node. In the
group interface, the rank that finds the count of another rank different gets a code."""
import os
import re
import subprocess
import sys

NODE = r"; node \d of 3"
BY_ROOT = r"broadcast \(operation #0 of processes 0-2, root [01]\)"
CASES = {
    "before": r"iCC_gdsum: was called before iCC_initialize" + NODE,
    "root_too_large": r"iCC_bcast: argument 'root' is 3, but the nodes are 0 to 2" + NODE,
    "root_negative": r"iCC_gdsum_one: argument 'root' is -1, but the nodes are 0 to 2" + NODE,
    "negative_length": r"iCC_bcast: the length of 'x' is -8" + NODE,
    "null_vector": r"iCC_gdsum: argument 'x' is NULL" + NODE,
    "null_lengths": r"iCC_gcolx: argument 'xlens' is NULL" + NODE,
    "negative_part": r"iCC_scatter: argument 'xlens' has -5 for node 1" + NODE,
    "too_little_room": r"iCC_gcol: argument 'ylen' is 23, but the nodes together have 24 bytes" +
                       NODE,
    "null_function": r"iCC_gopf: argument 'f' is NULL" + NODE,
    "other_call": r"iCC_(gdsum|gsync): tutti_\w+: rank \d of 3 is in (allreduce|barrier) "
                  r"\(operation #\d of processes 0-2\) but .* \(operation #0 of processes 0-2"
                  r"(, root 0)?\): .*" + NODE,
    # Only the end of the program, or the next call, can see that there are two roots.
    "two_roots": r"exit: tutti_finalize: process \d has sent a message of " + BY_ROOT +
                 r" to process \d, which did not take it: .*" + NODE,
    "two_roots_and_more":
        r"iCC_gsync: tutti_barrier: rank \d of 3 is in barrier \(operation #1 of processes 0-2\) "
        r"but the next message from process \d belongs to " + BY_ROOT + ": .*" + NODE,
    "other_call_in_group":
        r"iCC_g_Bcast: tutti_bcast: rank 0 of 2 is in broadcast \(operation #0 of processes 0, 2, "
        r"root 1\) but rank 1 in allreduce \(operation #0 of processes 0, 2\): all ranks must "
        r"make the same call with the same root \(world rank 0\)" + NODE,
    "unequal_gather": r"^rank 0 has code iCC_g_ERROR_UNEQUAL_COUNTS$",
    "unequal_scatter": r"^rank 2 has code iCC_g_ERROR_UNEQUAL_COUNTS$",
    "unequal_broadcast": r"^rank [12] has code iCC_g_ERROR_UNEQUAL_COUNTS$",
}
# TUTTI_MESH, TUTTI_ICC and the line.
SETTINGS = [
    ("2x2", "", r"iCC_initialize: environment variable TUTTI_MESH is '2x2' but must be rows x "
     r"columns of the 3 nodes, such as 1x3" + NODE),
    ("3", "", r"iCC_initialize: environment variable TUTTI_MESH is '3' but must be .*" + NODE),
    ("0x3", "", r"iCC_initialize: environment variable TUTTI_MESH is '0x3' but must be .*" + NODE),
] + [("", value, rf"iCC_initialize: environment variable TUTTI_ICC is '{value}' but must be short, "
      r"long, hybrid, or factors such as 4cx16r\.8c" + NODE)
     for value in ("shrt", "branches=2", "hybrid:short", "0")]


def run(tutti, *command, nodes=3, **variables):
    environment = {name: value for name, value in os.environ.items() if name != "TUTTI_ICC"}
    environment.update({name: value for name, value in variables.items() if value})
    return subprocess.run([tutti, "run", "--timeout", "30", "-n", str(nodes), *command],
                          env=environment,
                          capture_output=True,
                          text=True,
                          timeout=60,
                          check=False,
                          stdin=subprocess.DEVNULL)


def lines_with(text, wanted):
    return [line for line in text.splitlines() if re.search(wanted, line)]


def main(tutti, program):
    failures = 0
    cases = [((program, name), {}, line) for name, line in CASES.items()]
    cases += [((program,), {"TUTTI_MESH": mesh, "TUTTI_ICC": forced}, line)
              for mesh, forced, line in SETTINGS]
    for command, variables, line in cases:
        done = run(tutti, *command, **variables)
        if done.returncode == 0 or len(lines_with(done.stderr, line)) != 1:
            failures += 1
            print(f"failed: {command[1:]} {variables}: exit code {done.returncode}\n{done.stderr}"
                  f"expected one line with {line}")
    for nodes, forced, succeeds in ((3, "", True), (1, "shrt", False), (1, "short", True),
                                    (1, "2x3", True)):
        done = run(tutti, program, nodes=nodes, TUTTI_ICC=forced)
        if (done.returncode == 0) != succeeds:
            failures += 1
            print(f"failed: {nodes} nodes without a wrong call, TUTTI_ICC={forced}: exit code "
                  f"{done.returncode}\n{done.stderr}")
    print(f"{len(cases) + 4} cases, {failures} failed")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
