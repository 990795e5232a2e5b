#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""bench_limits.py [--build DIR] [--only PART] [--json] [--doc FILE]: measures what a job of tutti
costs besides the time in its calls. The parts are the start of 64 processes, shared memory with
pages behind it per process, and processor time while waiting for a process that sleeps. The exit
code is 1 if a goal (1 s, 8 MiB, 5 %) is missed."""
import argparse
import json
import pathlib
import platform
import statistics
import sys
import time

from common.jobs import output_of

ROOT = pathlib.Path(__file__).resolve().parent.parent
MARK = "<!-- bench_limits: written by --doc from here on -->\n"
MOST_SECONDS, MOST_MIB, MOST_PERCENT = 1.0, 8.0, 5.0


def job(options, processes, *words):
    """Runs a job; returns the JSON objects that it prints and the seconds from start to end."""
    command = [options.build / "bin/tutti", "run", "-n", processes,
               options.build / "bench/bench_limits", *words]
    begin = time.monotonic()
    text = output_of(command, timeout=300)
    seconds = time.monotonic() - begin
    return [json.loads(line) for line in text.splitlines()], seconds


def measure(options):
    found = {"machine": platform.machine(), "start_64_s": [], "memory": [], "waiting": []}
    if options.only in (None, "start"):
        found["start_64_s"] = [job(options, 64, "start")[1] for _ in range(options.starts)]
    if options.only in (None, "memory"):
        found["memory"] = [job(options, processes, "memory")[0][0] for processes in (2, 4, 8, 16)]
    if options.only in (None, "waiting"):
        found["waiting"] = [line for processes in (2, 16) for size in ("8", "4096", "262144")
                            for line in job(options, processes, "waiting", size)[0]]
    return found


def start_text(starts):
    return [
        f"64 processes start, meet and end in {statistics.median(starts):.2f} s (median of "
        f"{len(starts)}; least "
        f"{min(starts):.2f}, most {max(starts):.2f}; goal {MOST_SECONDS:g}).", ""
    ]


def memory_table(rows):
    lines = [
        "| processes | shared memory with pages behind it, MiB per process (goal: at most "
        f"{MOST_MIB:g}) |",
        "|-|-|"
    ]
    return lines + [
        f"| {row['processes']} | {row['shared_mib_per_process']:.2f} |" for row in rows
    ] + [""]


def waiting_table(rows):
    cases = sorted({(row["processes"], row["bytes"]) for row in rows})
    lines = [
        "Processor time while waiting for a process that sleeps, per cent of the time waited "
        "(goal: under "
        f"{MOST_PERCENT:g}):", "",
        "| operation | " + " | ".join(f"{p} processes, {size} B" for p, size in cases) + " |",
        "|-|" + "-|" * len(cases)
    ]
    for name in dict.fromkeys(row["operation"] for row in rows):
        cells = {(row["processes"], row["bytes"]): row["busy_percent"]
                 for row in rows
                 if row["operation"] == name}
        lines.append(f"| {name} | " + " | ".join(f"{cells[case]:.2f}" if case in cells else ""
                                                 for case in cases) + " |")
    return lines


def tables(found):
    parts = (("start_64_s", start_text), ("memory", memory_table), ("waiting", waiting_table))
    return "\n".join(line for key, text in parts if found[key] for line in text(found[key])) + "\n"


def missed(found):
    out = []
    if found["start_64_s"] and statistics.median(found["start_64_s"]) >= MOST_SECONDS:
        out.append("the start of 64 processes")
    out += [
        f"memory of {row['processes']} processes" for row in found["memory"]
        if row["shared_mib_per_process"] > MOST_MIB
    ]
    out += [f"waiting of {row['processes']} processes in {row['operation']} of {row['bytes']} bytes"
            for row in found["waiting"] if row["busy_percent"] >= MOST_PERCENT]
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__.split(":", 1)[1].strip())
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release")
    parser.add_argument("--only",
                        choices=("start", "memory", "waiting"),
                        help="one part instead of all")
    parser.add_argument("--starts",
                        type=int,
                        default=11,
                        help="how often 64 processes are started (11)")
    parser.add_argument("--json", action="store_true", help="results as JSON instead of tables")
    parser.add_argument("--doc",
                        metavar="FILE",
                        type=pathlib.Path,
                        help="also put the tables into FILE, below its mark")
    options = parser.parse_args()
    found = measure(options)
    print(json.dumps(found) if options.json else tables(found), end="")
    if options.doc:
        options.doc.write_text(options.doc.read_text().split(MARK)[0] + MARK + "\n" + tables(found))
    for what in missed(found):
        print(f"bench_limits: missed: {what}", file=sys.stderr)
    return 1 if missed(found) else 0


if __name__ == "__main__":
    sys.exit(main())
