# SPDX-License-Identifier: BSD-3-Clause
"""All algorithms with their settings, for tests that compare their times (test_equal.py,
test_live.py). The first argument of both is the command, and the third one says which numbers of
ranks."""

import json
import math
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

TUTTI, RANKS = sys.argv[1], sys.argv[3]
OPERATIONS = ("barrier", "broadcast", "reduce", "allreduce", "scatter", "gather", "allgather",
              "reduce_scatter", "alltoall", "scan", "exscan")
PROFILES = Path(__file__).resolve().parents[3] / "src/machine/profiles"
# Machines of each way of switching. Two are made larger, and stand in files.
LARGER = {"circuit.toml": ("ipsc860-nx", "hypercube:5", "hypercube:6"),
          "bus.toml": ("ethernet", "bus:16", "bus:64")}
MACHINES = ("paragon-sunmos", "ipsc860", "ipsc860-forced", "sp2", "paragon-512-R1.2", *LARGER)


def tutti(*words, folder):
    return subprocess.run([TUTTI, *map(str, words)], cwd=folder, capture_output=True, text=True,
                          check=False)


def answer(*words, folder):
    done = tutti(*words, "--json", folder=folder)
    if done.returncode != 0:
        raise SystemExit(f"tutti {' '.join(map(str, words))}: {done.stdout}{done.stderr}")
    return json.loads(done.stdout)


def is_defined(entry, p):
    needs = entry["needs"]
    return not ("p a power of two" in needs and p & (p - 1) or "even p" in needs and p % 2)


def name_of(entry, p):
    """Returns the name with settings that are not the usual ones."""
    name, parameters = entry["name"], entry["parameters"]
    for parameter, value in (("branches", 2), ("rings", 2), ("segments", 3)):
        if parameter in parameters:
            return f"{name}:{parameter}={value}"
    if "sum is p" in entry["needs"] or "sizes of the hosts" in entry["needs"]:
        return f"{name}:factors={p - p // 2}x{p // 2}"
    first = next((k for k in range(math.isqrt(p), 1, -1) if p % k == 0), p)
    factors = f"{first}x{p // first}" if first != p else f"{p}"
    if "factors" not in parameters:
        return name
    return f"{name}:{factors}" if name == "hybrid" else f"{name}:factors={factors}"


class Case:
    def __init__(self, entry, p):
        self.operation, self.name = entry["operation"], name_of(entry, p)
        self.root = p - 1 if "root" in entry["parameters"] or "any root" in entry["needs"] else 0
        # The parts of ranks are equal. Their own parts need not be.
        has_parts = self.operation in ("scatter", "gather", "allgather", "reduce_scatter",
                                       "alltoall")
        odd = 7 * p if has_parts else 64 * p + 1
        self.sizes = (0, ) if self.operation == "barrier" else (odd, 4096 * p)


def cases_of(p, folder):
    entries = answer("info", "--algorithms", folder=folder)["algorithms"]
    return [Case(entry, p) for entry in entries if is_defined(entry, p)]


def by_name(p, cases, folder, *words):
    """Returns the times that `tutti simulate` gives with these words, by machine, operation,
    algorithm and bytes."""
    alike, times = {}, {}
    for case in cases:
        alike.setdefault((case.operation, case.root, case.sizes), []).append(case.name)

    def ask(pair):
        machine, (operation, root, sizes) = pair
        found = answer("simulate", operation, "--algorithm", ",".join(alike[pair[1]]), "-n", p,
                       *(("--bytes", ",".join(map(str, sizes))) if sizes != (0, ) else ()),
                       *(("--root", root) if root else ()), "--machine", machine, *words,
                       folder=folder)
        for result in found["settings"][0]["results"]:
            size = 0 if sizes == (0, ) else result["bytes"]
            times[machine, operation, result["algorithm"], size] = result["time_us"]

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(ask, [(machine, each) for machine in MACHINES for each in alike]))
    return times


def numbers():
    """Returns the numbers of ranks that the arguments ask for."""
    first, dots, last = RANKS.partition("..")
    return range(int(first), int(last) + 1) if dots else map(int, RANKS.split(","))


def make_machines(folder):
    """Writes the files of the machines that are made larger."""
    for file, (profile, before, after) in LARGER.items():
        text = (PROFILES / f"{profile}.toml").read_text()
        text = text.replace(f'"{before}"', f'"{after}"').replace(f'name = "{profile}"',
                                                                 f'name = "{file}"')
        (folder / file).write_text(text)


def write_list(cases, folder):
    """Writes the file that the program of generators.c reads."""
    lines = [f"{OPERATIONS.index(case.operation)} {case.name} {case.root} {size}"
             for case in cases for size in case.sizes]
    (folder / "list").write_text("\n".join(lines))
