# SPDX-License-Identifier: BSD-3-Clause
"""Records a job that runs every algorithm, and compares the time of each operation's replay with
the time that `tutti simulate` gives for the same algorithm by its name. They must be equal to the
last digit, because the simulator and the engine execute the same normal form. Arguments: the
command, the program of generators.c, and the numbers of ranks, such as 2,3,8 or 2..64.
"""

import json
import math
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

TUTTI, GENERATORS, RANKS = sys.argv[1:4]
OPERATIONS = ("barrier", "broadcast", "reduce", "allreduce", "scatter", "gather", "allgather",
              "reduce_scatter", "alltoall", "scan", "exscan")
PROFILES = Path(__file__).resolve().parents[3] / "src/machine/profiles"
# Machines of each way of switching. Two are made larger, and stand in files.
LARGER = {"circuit.toml": ("ipsc860-nx", "hypercube:5", "hypercube:6"),
          "bus.toml": ("ethernet", "bus:16", "bus:64")}
MACHINES = ("paragon-sunmos", "ipsc860", "ipsc860-forced", "sp2", "paragon-512-R1.2", *LARGER)
problems = []


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


def recorded(p, cases, folder):
    """Runs the cases in one job and returns its record."""
    lines = [f"{OPERATIONS.index(case.operation)} {case.name} {case.root} {size}"
             for case in cases for size in case.sizes]
    (folder / "list").write_text("\n".join(lines))
    done = tutti("run", "--record", "all.json", "-n", p, GENERATORS, "list", folder=folder)
    if done.returncode != 0:
        raise SystemExit(f"{p} ranks: {done.stdout}{done.stderr}")
    return json.loads((folder / "all.json").read_text())


def parts_of(run):
    """Yields a record for each operation of the job."""
    counts = {len(rank["items"]) for rank in run["ranks"]}
    if len(counts) != 1:
        raise SystemExit(f"the ranks have {counts} items")
    for items in zip(*(rank["items"] for rank in run["ranks"]), strict=True):
        ranks = [{**rank, "bound": [rank["bound"][item["run"]]], "items": [{"run": 0}]}
                 for rank, item in zip(run["ranks"], items, strict=True)]
        yield {**run, "ranks": ranks}


def by_name(p, cases, folder):
    """Returns the times that `tutti simulate` gives, by machine, operation, algorithm and bytes."""
    alike, times = {}, {}
    for case in cases:
        alike.setdefault((case.operation, case.root, case.sizes), []).append(case.name)

    def ask(pair):
        machine, (operation, root, sizes) = pair
        found = answer("simulate", operation, "--algorithm", ",".join(alike[pair[1]]), "-n", p,
                       *(("--bytes", ",".join(map(str, sizes))) if sizes != (0, ) else ()),
                       *(("--root", root) if root else ()), "--machine", machine, folder=folder)
        for result in found["settings"][0]["results"]:
            size = 0 if sizes == (0, ) else result["bytes"]
            times[machine, operation, result["algorithm"], size] = result["time_us"]

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(ask, [(machine, each) for machine in MACHINES for each in alike]))
    return times


def replayed(record, name, folder, *words):
    """Returns the times on all machines."""
    (folder / name).write_text(json.dumps(record, separators=(",", ":")))
    found = answer("simulate", name, "--machine", ",".join(MACHINES), *words, folder=folder)
    (folder / name).unlink()
    return {each["machine"]: each["results"][0]["time_us"] for each in found["settings"]}


def compare(p, folder):
    cases = cases_of(p, folder)
    named = by_name(p, cases, folder)
    records = list(parts_of(recorded(p, cases, folder)))
    wanted = [(case, size) for case in cases for size in case.sizes]
    if len(records) != len(wanted):
        raise SystemExit(f"{p} ranks: {len(records)} operations are recorded, not {len(wanted)}")
    compared = 0
    algorithms = [record["ranks"][0]["bound"][0]["algorithm"] for record in records]

    def check(number, algorithm, *words):
        nonlocal compared
        case, size = wanted[number]
        found = replayed(records[number], f"{number} {algorithm}.json", folder, *words)
        compared += len(found)
        for machine, time in found.items():
            key = machine, case.operation, algorithm, size
            if named.get(key) != time:
                problems.append(f"{p} ranks, {key}, {words}: replayed {time} us, by name "
                                f"{named.get(key)}")

    def check_both(number):
        """Compares the replay of a record, and one by the algorithm of the next record like it."""
        case, size = wanted[number]
        check(number, algorithms[number])
        for other in [*range(number + 1, len(wanted)), *range(number)]:
            another, length = wanted[other]
            if (another.operation, another.root, length) == (case.operation, case.root, size):
                words = "--algorithm", f"{case.operation}={another.name}"
                return check(number, algorithms[other], *words)

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(check_both, range(len(records))))
    return compared


def main():
    first, dots, last = RANKS.partition("..")
    ranks = range(int(first), int(last) + 1) if dots else map(int, RANKS.split(","))
    compared = 0
    with tempfile.TemporaryDirectory(prefix="tutti-replay-") as place:
        folder = Path(place)
        for file, (profile, before, after) in LARGER.items():
            text = (PROFILES / f"{profile}.toml").read_text()
            text = text.replace(f'"{before}"', f'"{after}"').replace(f'name = "{profile}"',
                                                                     f'name = "{file}"')
            (folder / file).write_text(text)
        for p in ranks:
            compared += compare(p, folder)
    print("\n".join(problems[:100]))
    print(f"{compared} times compared, {len(problems)} differ")
    sys.exit(1 if problems or compared == 0 else 0)


main()
