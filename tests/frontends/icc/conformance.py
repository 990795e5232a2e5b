#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""conformance.py TUTTI PROGRAM...: runs the conformance suites with 1 to 8 processes, on meshes, as
the engine chooses and by each of the algorithms that TUTTI_ICC forces."""
import os
import subprocess
import sys

# Processes and TUTTI_MESH.
MESHES = [(1, ""), (2, "2x1"), (3, ""), (4, "2x2"), (5, "1x5"), (7, "7x1"), (8, "2x4")]
FORCED = [(3, "", "long"), (4, "2x2", "short"), (4, "2x2", "long"), (4, "2x2", "hybrid"),
          (8, "2x4", "long"), (8, "2x4", "2rx4c"), (8, "4x2", "short"), (7, "", "hybrid"),
          (8, "2x4", "2rx2c.2c")]


def main(tutti, *programs):
    failures = 0
    cases = [(*case, "") for case in MESHES] + FORCED
    for program in programs:
        for count, mesh, forced in cases:
            environment = dict(os.environ, TUTTI_MESH=mesh)
            environment.pop("TUTTI_ICC", None)
            if forced:
                environment["TUTTI_ICC"] = forced
            command = [tutti, "run", "--timeout", "100", "-n", str(count), program]
            done = subprocess.run(command,
                                  env=environment,
                                  capture_output=True,
                                  text=True,
                                  timeout=150,
                                  check=False,
                                  stdin=subprocess.DEVNULL)
            if done.returncode != 0 or done.stdout.strip() != f"{count} nodes conform" or \
                    done.stderr:
                failures += 1
                print(f"failed: TUTTI_MESH={mesh} TUTTI_ICC={forced} {' '.join(command)}: exit "
                      f"code {done.returncode}\n{done.stdout}{done.stderr}")
    print(f"{len(programs) * len(cases)} cases, {failures} failed")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
