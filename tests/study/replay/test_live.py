# SPDX-License-Identifier: BSD-3-Clause
"""Runs every algorithm in one job in virtual time, and compares the time that each takes with that
of `tutti simulate` for the same algorithm by its name. Each begins on all ranks at the same whole
millisecond, and the last rank's end counts. The clocks have whole nanoseconds. Besides, the record
of the job, replayed, must end when the job has ended, to the last digit. Arguments: the command,
the program of generators.c, and the numbers of ranks, such as 2,3,8 or 2..64.
"""

import json
import sys
import tempfile
from pathlib import Path

from all_algorithms import (MACHINES, answer, by_name, cases_of, make_machines, numbers, tutti,
                            write_list)

GENERATORS = sys.argv[2]
# All ranks begin together, and chance makes no message longer.
EXACT = ("--drift", 0, "--noise", 0)
problems = []


def live(p, count, machine, folder):
    """Runs the cases. Returns their algorithms, when the last rank has ended each, and when the job
    has."""
    done = tutti("run", "--machine", machine, *EXACT, "--record", "live.json", "--report",
                 "report.json", "-n", p, GENERATORS, "list", folder=folder)
    if done.returncode != 0:
        raise SystemExit(f"{p} ranks on {machine}: {done.stdout[-2000:]}{done.stderr}")
    ends = [0] * count
    for line in done.stdout.splitlines():
        number, time = map(int, line.split())
        ends[number - 1] = max(ends[number - 1], time)
    rank = json.loads((folder / "live.json").read_text())["ranks"][0]
    ran = [rank["bound"][item["run"]]["algorithm"] for item in rank["items"] if "run" in item]
    report = json.loads((folder / "report.json").read_text())["virtual_time"]
    return ran, ends, report["settings"][0]["results"][0]["time_us"]


def compare(p, folder):
    cases = cases_of(p, folder)
    named = by_name(p, cases, folder, *EXACT)
    write_list(cases, folder)
    wanted = [(case, size) for case in cases for size in case.sizes]
    for machine in MACHINES:
        ran, ends, job = live(p, len(wanted), machine, folder)
        for (case, size), algorithm, end in zip(wanted, ran, ends, strict=True):
            time = named.get((machine, case.operation, algorithm, size))
            if time is None or end != int(time * 1000 + 1e-6):
                problems.append(f"{p} ranks, {machine}, {case.operation} {algorithm}, {size} "
                                f"bytes: live {end} ns, by name {time} us")
        replayed = answer("simulate", "live.json", "--machine", machine, *EXACT, folder=folder)
        time = replayed["settings"][0]["results"][0]["time_us"]
        if time != job:
            problems.append(f"{p} ranks, {machine}: live {job} us, replayed {time} us")
    return len(wanted) * len(MACHINES)


def main():
    compared = 0
    with tempfile.TemporaryDirectory(prefix="tutti-live-") as place:
        folder = Path(place)
        make_machines(folder)
        for p in numbers():
            compared += compare(p, folder)
    print("\n".join(problems[:100]))
    print(f"{compared} times compared, {len(problems)} differ")
    sys.exit(1 if problems or compared == 0 else 0)


main()
