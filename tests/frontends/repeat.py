#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""repeat.py TUTTI TIMES PROGRAM...: runs the conformance tests of NX or iCC again and again on
various numbers of nodes, while other processes use all processors."""
import os
import subprocess
import sys

NODES = [8, 3, 5, 2, 7, 4]


def main(tutti, times, *programs):
    burning = [sys.executable, "-c", "while True: pass"]
    others = [subprocess.Popen(burning) for _ in range(len(os.sched_getaffinity(0)))]
    failures = 0
    try:
        for turn in range(int(times)):
            for program in programs:
                nodes = NODES[turn % len(NODES)]
                done = subprocess.run([tutti, "run", "-n", str(nodes), "--timeout", "400", program],
                                      capture_output=True,
                                      text=True,
                                      check=False,
                                      stdin=subprocess.DEVNULL)
                if done.returncode == 0 and done.stdout.startswith(f"{nodes} nodes "):
                    continue
                failures += 1
                print(f"FAILED: turn {turn}, {program} on {nodes} nodes: exit code "
                      f"{done.returncode}\n{done.stdout}{done.stderr}")
    finally:
        for other in others:
            other.kill()
            other.wait()
    print(f"{times} turns, {failures} failures")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
