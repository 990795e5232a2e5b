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

# Each case has True if NX says that the mesh is 2 x 4, then TUTTI_MESH and TUTTI_ICC. The plans are
# those for all nodes, the rectangle, the column, the part of a row and the two groups that are no
# rectangles; None where the engine chooses.
CASES = [
    (False, "2x4", "long", ["2rx4c", "2rx2c", "2r", "3", "4", "3"]),
    (False, "2x4", "short", [".4c.2r", ".2c.2r", ".2r", ".3", ".4", ".3"]),
    (False, "2x4", "2rx2c", [None, "2rx2c", None, None, "2rx2c", None]),
    (True, "", "long", ["2rx4c", "2rx2c", "2r", "3", "4", "3"]),
    (True, "1x8", "long", ["8", "4", "2", "3", "4", "3"]),
]
# Node 0 says this of factors that do not serve all nodes.
UNSERVED = ("tutti: environment variable TUTTI_ICC is '{}', which serves only groups of as many "
            "nodes as the product of its factors; for the 8 nodes together, tutti chooses\n")
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
    forced = variables["TUTTI_ICC"]
    expected = UNSERVED.format(forced) if forced[0].isdigit() else ""
    if done.returncode != 0 or done.stderr != expected:
        return {"exit code": done.returncode, "stderr": done.stderr}
    # A compiler may make several places in the program of one in a loop; each gets a line.
    return {
        rank: list(
            dict.fromkeys(
                re.findall(r"allreduce of 8 B over (\d) ranks: ([\w:.]+?):? ",
                           pathlib.Path(folder, str(rank)).read_text())))
        for rank in range(8)
    }


def wanted(names):
    """Returns for each rank the pairs of a number of ranks and a plan, without repetitions."""
    result = {rank: [] for rank in range(8)}
    for members, name in zip(GROUPS, names):
        for rank in members:
            pair = (str(len(members)), f"hybrid:{name}")
            if name and pair not in result[rank]:
                result[rank].append(pair)
    return result


def main(tutti, program, with_nx):
    failures = 0
    for nx, mesh, forced, names in CASES:
        which = with_nx if nx else program
        with tempfile.TemporaryDirectory() as folder:
            found = plans(tutti, which, folder, TUTTI_MESH=mesh, TUTTI_ICC=forced)
        hybrids = {
            rank: [pair for pair in pairs if pair[1].startswith("hybrid:")]
            for rank, pairs in found.items()
        } if 0 in found else found
        if hybrids != wanted(names):
            failures += 1
            print(f"failed: {which} TUTTI_MESH={mesh} TUTTI_ICC={forced}:\nfound    {hybrids}\n"
                  f"expected {wanted(names)}")
    print(f"{len(CASES)} cases, {failures} failed")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
