#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""mesh.py TUTTI MESH MESH_WITH_NX: checks that groups which are rectangles of the mesh get the
algorithms of a mesh, and other groups those of a line."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

# TUTTI_ICC, and for all nodes, the rectangle, the column, the part of a row and the two groups
# that are no rectangles: the plan; None where the engine chooses.
FORCED = {
    "long": ["2rx4c", "2rx2c", "2r", "3", "4", "3"],
    "short": [".4c.2r", ".2c.2r", ".2r", ".3", ".4", ".3"],
    "2rx2c": [None, "2rx2c", None, None, "2rx2c", None],
}
# The nodes whose plans are looked at: each is in some of the groups.
GROUPS = [[0, 1, 2, 3, 4, 5, 6, 7], [0, 1, 4, 5], [1, 5], [5, 6, 7], [0, 4, 1, 5], [0, 2, 5]]


def plans(tutti, program, folder, **variables):
    """Returns rank -> the plans of its sums in the order in which they were first used."""
    done = subprocess.run([tutti, "run", "--timeout", "50", "-n", "8", program],
                          env=dict(os.environ, TUTTI_EXPLAIN=f"{folder}/%r", **variables),
                          capture_output=True,
                          text=True,
                          timeout=100,
                          check=False,
                          stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        return {"exit code": done.returncode, "stderr": done.stderr}
    # A compiler may make several places in the program of one in a loop; each gets a line.
    return {
        rank: list(
            dict.fromkeys(
                re.findall(r"allreduce of 8 B over (\d) ranks: ([\w:.]+?):? ",
                           pathlib.Path(folder, str(rank)).read_text())))
        for rank in range(8)
    }


def wanted(forced):
    """Returns for each rank the pairs of a number of ranks and a plan, without repetitions."""
    result = {rank: [] for rank in range(8)}
    for members, name in zip(GROUPS, FORCED[forced]):
        for rank in members:
            pair = (str(len(members)), f"hybrid:{name}")
            if name and pair not in result[rank]:
                result[rank].append(pair)
    return result


def main(tutti, program, with_nx):
    failures = 0
    cases = [(program, "2x4", forced) for forced in FORCED] + [(with_nx, "", "long")]
    for which, mesh, forced in cases:
        with tempfile.TemporaryDirectory() as folder:
            found = plans(tutti, which, folder, TUTTI_MESH=mesh, TUTTI_ICC=forced)
        hybrids = {
            rank: [pair for pair in pairs if pair[1].startswith("hybrid:")]
            for rank, pairs in found.items()
        } if 0 in found else found
        if hybrids != wanted(forced):
            failures += 1
            print(f"failed: {which} TUTTI_MESH={mesh} TUTTI_ICC={forced}:\nfound    {hybrids}\n"
                  f"expected {wanted(forced)}")
    print(f"{len(cases)} cases, {failures} failed")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
