#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""trees.py TUTTI CONFORMANCE: checks by TUTTI_EXPLAIN that with TUTTI_NX_COLLECTIVES=nx every call
of all nodes is served by a tree, those that collect unequal lengths, too."""
import os
import re
import subprocess
import sys


def main(tutti, program):
    done = subprocess.run([tutti, "run", "-n", "3", program],
                          env=dict(os.environ, TUTTI_NX_COLLECTIVES="nx", TUTTI_EXPLAIN="1"),
                          capture_output=True,
                          text=True,
                          check=False,
                          stdin=subprocess.DEVNULL)
    calls = re.findall(r"(\w+) of \S+ \S+ over 3 ranks: (\w+):", done.stderr)
    others = sorted({call for call in calls if call[1] != "mst"})
    print(f"{len(calls)} places call {sorted({name for name, _ in calls})}; not by trees: {others}")
    kinds = {"barrier", "allreduce", "allgather"}
    return done.returncode != 0 or others or not kinds <= {name for name, _ in calls}


if __name__ == "__main__":
    sys.exit(bool(main(*sys.argv[1:])))
