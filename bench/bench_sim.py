#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measures speed and memory of the simulator, alone and against SMPI (SimGrid) on the same
topology, pattern and number of ranks. Every run is a process of its own. Its processor time and its
largest memory are those of the whole process, start-up included. With --write the report goes to
docs/measurements/simulation-bench.md."""
import argparse
import json
import os
import pathlib
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

SOURCE = pathlib.Path(__file__).resolve().parent / "sim"
REPORT = pathlib.Path(__file__).resolve().parent.parent / "docs/measurements/simulation-bench.md"
ALGORITHMS = {"alltoall": "pair", "allgather": "ring", "bcast": "binomial_tree"}
# Patterns that SMPI runs, too. Topology, bytes and operation are those of our cases of that name.
COMPARED = ("alltoall_512", "allgather_512", "bcast_2048")
GOALS = {"circuit": 10, "share": 2, "max_min": 2}
MEMORY_GOAL_MB = 64
LARGE = ("bcast_131072", "allreduce_131072", "barrier_131072", "bucket_65536")
SPEED_CASE, SPEED_GOAL = "linear_1024_circuit", 2e6


def measured(command, timeout):
    """Runs a command; returns its output, the wall-clock seconds that it took and its exit code, or
    None if it takes longer than the timeout."""
    begin = time.monotonic()
    process = subprocess.Popen(command,
                               stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL,
                               text=True,
                               start_new_session=True)
    try:
        out, _ = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return None
    return out, time.monotonic() - begin, process.returncode


def with_usage(command, timeout):
    """Runs the command as the only child of a small process, so that processor time and memory are
    those of this command alone. Returns these, the output and the wall-clock seconds, or None if it
    takes longer than the timeout."""
    program = (
        "import json, resource, subprocess, sys\n"
        "done = subprocess.run(sys.argv[1:], stdout=subprocess.PIPE, text=True)\n"
        "use = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
        "print(json.dumps({'out': done.stdout, 'code': done.returncode,\n"
        "                  'processor_s': use.ru_utime + use.ru_stime, 'memory_mb': use.ru_maxrss "
        "/ 1024}))\n"
    )
    run = measured([sys.executable, "-c", program, *command], timeout)
    if run is None:
        return None
    result = json.loads(run[0])
    result["wall_s"] = run[1]
    if result["code"] != 0:
        raise SystemExit(f"bench_sim: {' '.join(map(str, command))} ended with {result['code']}")
    return result


class Smpi:
    """Runs the driver smpi.c, which it compiles first, on platforms that it describes for SMPI."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.driver = self.folder / "driver"
        subprocess.run(["smpicc", "-O2", SOURCE / "smpi.c", "-o", self.driver], check=True)

    def platform(self, topology):
        extents = topology.split(":")[1].split("x")
        nodes = 1
        for extent in extents:
            nodes *= int(extent)
        platform, hosts = self.folder / "torus.xml", self.folder / "hosts"
        platform.write_text(
            "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM "
            "\"https://simgrid.org/simgrid.dtd\">\n"
            "<platform version=\"4.1\"><cluster id=\"torus\" topology=\"TORUS\" "
            f"topo_parameters=\"{','.join(extents)}\" prefix=\"n\" radical=\"0-{nodes - 1}\" "
            "suffix=\"\" "
            "speed=\"1Gf\" bw=\"1GBps\" lat=\"1us\"/></platform>\n")
        hosts.write_text("".join(f"n{i}\n" for i in range(nodes)))
        return nodes, platform, hosts

    def run(self, case, timeout):
        nodes, platform, hosts = self.platform(case["topology"])
        operation = case["operation"]
        result = with_usage([
            "smpirun", "-np",
            str(nodes), "-platform", platform, "-hostfile", hosts,
            f"--cfg=smpi/{operation}:{ALGORITHMS[operation]}", "--log=root.thres:critical",
            self.driver, operation,
            str(case["bytes"])
        ], timeout)
        if result is None:
            return {"processor_s": None, "memory_mb": None, "wall_s": None, "timeout_s": timeout}
        found = re.search(r"simulated_us ([0-9.]+)", result.pop("out"))
        result["simulated_us"] = float(found.group(1)) if found else None
        return result


def ours(program, name, times):
    runs = []
    for _ in range(times):
        run = with_usage([program, name], 1200)
        if run is None:
            raise SystemExit(f"bench_sim: {name} takes more than 20 minutes")
        run.update(
            json.loads(run.pop("out")) | {
                "processor_s": run["processor_s"], "memory_mb": run["memory_mb"],
                "wall_s": run["wall_s"]
            })
        runs.append(run)
    best = min(runs, key=lambda run: run["processor_s"])
    best["processor_median_s"] = statistics.median(run["processor_s"] for run in runs)
    best["messages_per_s"] = best["messages"] / best["processor_s"]
    return best


def compare(result, smpi):
    """Returns the ratios of SMPI to ours. If SMPI was stopped, the ratio is a lower bound."""
    if smpi["processor_s"] is None:
        return {
            "speed": smpi["timeout_s"] / max(result["wall_s"], 1e-9), "at_least": True,
            "memory": None
        }
    return {"speed": smpi["processor_s"] / result["processor_s"], "at_least": False,
            "memory": smpi["memory_mb"] / result["memory_mb"]}


def text_of(report):
    lines = [
        "| case | topology, switching | messages | contentions | processor s | messages/s | MB |",
        "|---|---|---|---|---|---|---|"
    ]
    for case in report["cases"]:
        lines.append(
            f"| {case['case']} | {case['topology']}, {case['switching']} | {case['messages']} | "
            f"{case['contentions']} | {case['processor_s']:.3f} | {case['messages_per_s']:.3g} | "
            f"{case['memory_mb']:.1f} |")
    if report["smpi"]:
        lines += [
            "",
            "| pattern | SMPI processor s | SMPI MB | switching | ours s | ours MB | speed | goal "
            "| memory | goal |",
            "|---|---|---|---|---|---|---|---|---|---|"
        ]
    for row in report["smpi"]:
        smpi, ratio = row["smpi"], row["ratio"]
        theirs = (f"{smpi['processor_s']:.2f} | "
                  f"{smpi['memory_mb']:.0f}") if smpi["processor_s"] is not None else \
            f"stopped after {smpi['timeout_s']:.0f} | -"
        memory = f"{ratio['memory']:.1f}" if ratio["memory"] is not None else "-"
        lines.append(
            f"| {row['pattern']} | {theirs} | {row['switching']} | {row['processor_s']:.3f} | "
            f"{row['memory_mb']:.1f} | {'> ' if ratio['at_least'] else ''}{ratio['speed']:.1f} | "
            f"{row['goal']} | {memory} | 10 |")
    lines.append("")
    lines += [
        f"{goal['what']}: {goal['value']} (goal {goal['goal']}): "
        f"{'met' if goal['met'] else 'NOT met'}"
        for goal in report["goals"]
    ]
    return "\n".join(lines) + "\n"


def goals_of(report):
    by_name = {case["case"]: case for case in report["cases"]}
    goals = []
    for name in LARGE:
        if name in by_name:
            memory = by_name[name]["memory_mb"]
            goals.append({
                "what": f"{name}, MB", "value": round(memory, 1),
                "goal": f"at most {MEMORY_GOAL_MB}", "met": memory <= MEMORY_GOAL_MB
            })
    if SPEED_CASE in by_name:
        speed = by_name[SPEED_CASE]["messages_per_s"]
        goals.append({
            "what": f"{SPEED_CASE}, messages/s", "value": f"{speed:.3g}",
            "goal": f"at least {SPEED_GOAL:.0f}", "met": speed >= SPEED_GOAL
        })
    for row in report["smpi"]:
        ratio = row["ratio"]
        goals.append({"what": f"{row['case']}, speed over SMPI", "value": f"{ratio['speed']:.1f}",
                      "goal": f"at least {row['goal']}", "met": ratio["speed"] >= row["goal"]})
        if ratio["memory"] is not None:
            goals.append({
                "what": f"{row['case']}, memory of SMPI over ours",
                "value": f"{ratio['memory']:.1f}", "goal": "at least 10", "met": ratio["memory"]
                >= 10
            })
    return goals


def write_report(report, text):
    REPORT.write_text(
        "<!-- SPDX-License-Identifier: BSD-3-Clause -->\n# Speed and memory of the simulator\n\n"
        "Written by `make bench-sim ARGS=--write`. Processor time and largest memory of whole "
        "processes, start-up\n"
        f"included; ours the best of {report['times']} runs, SMPI one run. "
        f"{report['machine']['processors']} processors, load {report['machine']['load']:.1f} when "
        "it began.\n"
        "SMPI (SimGrid) runs an MPI program on the same torus with the algorithm of that name "
        "(pair, ring,\n"
        "binomial_tree), links of 1 GB/s and 1 us. It also executes the program and models its "
        "network otherwise, so\n"
        "this compares what it takes to get an answer, not the answers.\n\n" + text)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default="build/release")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--write", action="store_true", help="write the page in docs")
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--only", default="", help="cases whose name contains this")
    parser.add_argument("--timeout", type=float, default=600, help="seconds for one run of SMPI")
    options = parser.parse_args()
    program = pathlib.Path(options.build) / "bench" / "bench_sim"
    names = subprocess.run([program, "--list"], check=True, stdout=subprocess.PIPE,
                           text=True).stdout.split()
    report = {
        "machine": {"processors": os.cpu_count(), "load": os.getloadavg()[0]},
        "times": options.times, "cases": [], "smpi": []
    }
    for name in names:
        if options.only in name:
            print(name, file=sys.stderr)
            report["cases"].append(ours(program, name, 1 if name in LARGE else options.times))
    if shutil.which("smpirun") and shutil.which("smpicc"):
        with tempfile.TemporaryDirectory() as folder:
            smpi = Smpi(folder)
            for pattern in COMPARED:
                cases = [case for case in report["cases"] if case["case"].startswith(pattern)]
                if not cases:
                    continue
                print(f"{pattern} with SMPI", file=sys.stderr)
                theirs = smpi.run(cases[0], options.timeout)
                for case in cases:
                    goal = GOALS[case["case"].removeprefix(pattern + "_")]
                    report["smpi"].append(
                        case | {
                            "pattern": pattern, "smpi": theirs, "ratio": compare(case, theirs),
                            "goal": goal
                        })
    else:
        print("bench_sim: no smpirun: `scripts/deps full` says what to install", file=sys.stderr)
    report["goals"] = goals_of(report)
    text = text_of(report)
    if options.write:
        write_report(report, text)
    print(json.dumps(report, indent=2) if options.json else text, end="")


if __name__ == "__main__":
    main()
