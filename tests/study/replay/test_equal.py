# SPDX-License-Identifier: BSD-3-Clause
"""Records a job that runs every algorithm, and compares the time of each operation's replay with
the time that `tutti simulate` gives for the same algorithm by its name. They must be equal to the
last digit, because the simulator and the engine execute the same normal form. Arguments: the
command, the program of generators.c, and the numbers of ranks, such as 2,3,8 or 2..64.
"""

import json
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from all_algorithms import (MACHINES, answer, by_name, cases_of, make_machines, numbers, tutti,
                            write_list)

GENERATORS = sys.argv[2]
problems = []


def recorded(p, cases, folder):
    """Runs the cases in one job and returns its record."""
    write_list(cases, folder)
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
    compared = 0
    with tempfile.TemporaryDirectory(prefix="tutti-replay-") as place:
        folder = Path(place)
        make_machines(folder)
        for p in numbers():
            compared += compare(p, folder)
    print("\n".join(problems[:100]))
    print(f"{compared} times compared, {len(problems)} differ")
    sys.exit(1 if problems or compared == 0 else 0)


main()
