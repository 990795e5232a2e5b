#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""strangers.py TUTTI HOW PROGRAM...: runs old programs of iCC and checks that each one ends well
and says that nothing was wrong. HOW is `chosen`: 1, 2, 3, 4 and 8 nodes, and tutti chooses the
algorithms; or `forced`: the paper's algorithms for study on several meshes."""
import os
import subprocess
import sys
from pathlib import Path

CHOSEN = [(nodes, {}) for nodes in (1, 2, 3, 4, 8)]
FORCED = [(nodes, {
    "TUTTI_ICC": algorithms,
    "TUTTI_MESH": mesh
}) for algorithms in ("short", "long", "hybrid")
          for nodes, mesh in [(4, "2x2"), (6, "3x2"), (8, "2x4")]]


def main(tutti, how, *programs):
    failures = 0
    for program in programs:
        for nodes, variables in {"chosen": CHOSEN, "forced": FORCED}[how]:
            done = subprocess.run([tutti, "run", "-n",
                                   str(nodes), "--timeout", "100", program],
                                  env=dict(os.environ, **variables),
                                  capture_output=True,
                                  text=True,
                                  check=False,
                                  stdin=subprocess.DEVNULL)
            good = done.returncode == 0 and done.stdout.endswith(" 0 wrong\n")
            failures += not good
            print(f"{'good' if good else 'FAILED'}: {Path(program).name} on {nodes} {variables}" +
                  ("" if good else f": exit code {done.returncode}\n{done.stdout}{done.stderr}"))
    return failures != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
