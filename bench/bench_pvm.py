#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares group calls of our PVM with those of the real PVM, in dynamic and frozen groups.

`make bench-pvm` runs it. One program serves both; short runs take turns; a table shows medians. The
real PVM (Debian's package pvm) is started and stopped here, with the default and with direct
routes. Without it only ours is measured. Ratios: dynamic / frozen of ours, real frozen / ours
frozen, real dynamic / ours dynamic.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/frontends/pvm"))
import machine  # noqa: E402

SIDES = ("tutti", "real", "direct")
GROUPS = ("dynamic", "frozen")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, default=ROOT / "build/release")
    parser.add_argument("--tasks", default="1,2,4,8", help="numbers of tasks (1,2,4,8)")
    parser.add_argument("--calls", type=int, default=100, help="calls per run (100, as the paper)")
    parser.add_argument("--rounds",
                        type=int,
                        default=5,
                        help="runs per cell, of which the median is shown (5)")
    parser.add_argument("--json", action="store_true", help="all samples instead of the table")
    return parser.parse_args()


class Bench:
    """Runs the program on our PVM or on the real one, and keeps its samples."""

    def __init__(self, options, real):
        self.program = str((options.build / "bench/pvm_calls").resolve())
        self.calls = options.calls
        own = dict(os.environ,
                   LD_LIBRARY_PATH=str((options.build / "frontends/pvm/lib").resolve()))
        self.environments = {"tutti": own}
        if real is not None:
            self.environments |= {"real": real.environment, "direct": real.environment}
        self.samples = {}
        self.runs = 0

    def run(self, side, tasks, group):
        route = "direct" if side == "direct" else "default"
        self.runs += 1
        done = subprocess.run(
            [self.program,
             str(tasks),
             str(self.calls), group, route, f"bench{self.runs}"],
            capture_output=True,
            text=True,
            env=self.environments[side],
            timeout=120,
            check=False)
        if done.returncode != 0 or not done.stdout:
            sys.exit(
                f"bench_pvm: {side}, {tasks} tasks, {group}: exit code {done.returncode}\n"
                f"{done.stderr[-1000:]}"
            )
        for line in done.stdout.splitlines():
            operation, integers, time = line.split()
            self.samples.setdefault((operation, int(integers), tasks, group, side),
                                    []).append(float(time))

    def median(self, *cell):
        return statistics.median(self.samples[cell]) if cell in self.samples else None


def measure(bench, options):
    for number in range(options.rounds):
        for tasks in map(int, options.tasks.split(",")):
            sides = [
                side for side in SIDES
                if side in bench.environments and (side != "direct" or tasks > 1)
            ]
            for side in sides[number % len(sides):] + sides[:number % len(sides)]:
                # The first of the two kinds of groups finds cold caches, so they take turns.
                for group in GROUPS[number % 2:] + GROUPS[:number % 2]:
                    bench.run(side, tasks, group)


def ratio(above, below):
    return "-" if above is None or below is None else f"{above / below:.1f}"


def time(value):
    return "-" if value is None else f"{value:.1f}"


def table(bench):
    lines = [
        "| call | integers | tasks | ours dyn us | ours frz us | dyn/frz | real dyn us | real frz "
        "us | direct frz us | "
        "real/ours frz | real/ours dyn |", "|---|" + "---:|" * 10
    ]
    for operation, integers, tasks in dict.fromkeys(cell[:3] for cell in bench.samples):
        cell = (operation, integers, tasks)
        dynamic, frozen = (bench.median(*cell, group, "tutti") for group in GROUPS)
        real_dynamic, real_frozen = (bench.median(*cell, group, "real") for group in GROUPS)
        direct = bench.median(*cell, "frozen", "direct")
        lines.append(
            f"| {operation} | {integers} | {tasks} | {time(dynamic)} | {time(frozen)} | "
            f"{ratio(dynamic, frozen)} | "
            f"{time(real_dynamic)} | {time(real_frozen)} | {time(direct)} | "
            f"{ratio(real_frozen, frozen)} | "
            f"{ratio(real_dynamic, dynamic)} |")
    return "\n".join(lines)


def overhead(options):
    """Returns a table of a sum in a group of PVM beside tutti_reduce, in one job, with series in
    turn. It shows the time that PVM adds, and whether that grows with the number of tasks."""
    lines = [
        "| integers | tasks | tutti_reduce us | frozen us | dynamic us | frozen less tutti_reduce "
        "us | dyn/frz |",
        "|---:|" + "---:|" * 6
    ]
    probe = options.build / "frontends/pvm/bin/pvm-probe"
    for tasks in options.tasks.split(","):
        done = subprocess.run([
            options.build / "bin/tutti", "run", "-n", tasks, "--timeout", "120", probe,
            str(options.calls),
            str(options.rounds)
        ],
                              capture_output=True,
                              text=True,
                              check=False)
        if done.returncode != 0:
            sys.exit(
                f"bench_pvm: pvm-probe with {tasks} tasks: exit code {done.returncode}\n"
                f"{done.stderr[-1000:]}"
            )
        times = {(way, integers): float(us)
                 for way, integers, us in map(str.split, done.stdout.splitlines())}
        for integers in dict.fromkeys(integers for _, integers in times):
            native, frozen, dynamic = (times[way, integers]
                                       for way in ("native", "frozen", "dynamic"))
            lines.append(
                f"| {integers} | {tasks} | {time(native)} | {time(frozen)} | {time(dynamic)} | "
                f"{frozen - native:.1f} | {ratio(dynamic, frozen)} |")
    return "\n".join(lines)


def main():
    options = arguments()
    with tempfile.TemporaryDirectory(prefix="tutti-bench-pvm-") as folder:
        if machine.installed():
            with machine.RealMachine(folder, options.build / "bench") as real:
                bench = Bench(options, real)
                measure(bench, options)
        else:
            print("bench_pvm: the real PVM is not installed", file=sys.stderr)
            bench = Bench(options, None)
            measure(bench, options)
    if options.json:
        print(
            json.dumps(
                [{"operation": o, "integers": n, "tasks": p, "group": g, "side": s, "us": times}
                 for (o, n, p, g, s), times in bench.samples.items()]))
    else:
        print(
            f"load average {os.getloadavg()[0]:.1f}, median of {options.rounds} runs of "
            f"{options.calls} calls\n"
        )
        print(table(bench))
        print(
            f"\nA sum beside the library's own, medians of {options.rounds} series of "
            f"{options.calls} calls\n"
        )
        print(overhead(options))


if __name__ == "__main__":
    main()
