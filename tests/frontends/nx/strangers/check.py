# SPDX-License-Identifier: BSD-3-Clause
"""check.py TUTTI PROGRAM [ARGUMENT...]: runs a program of NX on 1, 2, 3, 4 and 8 nodes, each time
by itself with -sz, by itself with NX_DFLT_SIZE, and under tutti run. The program must end well, and
one node must print the line that says on how many nodes the result was right."""
import os
import subprocess
import sys

tutti, program, arguments = sys.argv[1], sys.argv[2], sys.argv[3:]
wrong = 0
for nodes in (1, 2, 3, 4, 8):
    size = str(nodes)
    ways = {
        "-sz": ([program, "-sz", size, *arguments], {}),
        "NX_DFLT_SIZE": ([program, *arguments], {"NX_DFLT_SIZE": size}),
        "tutti run": ([tutti, "run", "-n", size, program, *arguments], {}),
    }
    for way, (command, variables) in ways.items():
        environment = {**os.environ, **variables}
        done = subprocess.run(command, env=environment, capture_output=True, text=True)
        if done.returncode == 0 and done.stdout.count(f": ok on {nodes} nodes") == 1:
            print(f"{way} {nodes}: {done.stdout.strip()}")
            continue
        wrong += 1
        print(f"{way} {nodes} failed with exit code {done.returncode}: {' '.join(command)}")
        print(done.stdout + done.stderr)
sys.exit(wrong != 0)
