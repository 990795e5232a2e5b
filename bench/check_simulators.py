#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares `tutti simulate` with two other simulators. SMPI (SimGrid) runs the same schedules on
the same networks, which it shares by max-min fairness as ours does. LogGOPSim prints the times of
two examples in its documentation; these are fixed. Fails if a difference is above its limit. With
--write the tables go to docs/measurements/simulators.md."""
import argparse
import csv
import io
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
REPORT = ROOT / "docs/measurements/simulators.md"
RANKS = 64
SIZES = [1 << power for power in (10, 12, 14, 16, 18, 20, 22)]
LONG = 1 << 16
LIMITS = {"long": 2.0, "short": 5.0}  # percent, from LONG bytes on and below

# Operation, our algorithm, and SMPI's name of the same one.
SCHEDULES = [
    ("alltoall", "pairwise", "pair"),
    ("allgather", "ring", "NTSLR"),
    ("allreduce", "ring", "lr"),
    ("allreduce", "recursive_doubling", "rdb"),
    ("bcast", "mst", "binomial_tree"),
]

# Our topology, and SMPI's attributes of a cluster.
NETWORKS = {
    "crossbar:64": "",
    "torus:4x4x4": 'topology="TORUS" topo_parameters="4,4,4"',
    "fattree:4x4x4": 'topology="FAT_TREE" topo_parameters="3;4,4,4;1,4,4;1,1,1"',
}

# Links of 1 GB/s and 1 us; a node sends and receives any number of messages at once, and a message
# waits until its receive is posted. alpha must be above 0.
MACHINE = """name = "judged"
about = "one of the networks that SMPI simulates, too"
alpha = {{value = 1e-6, status = "assumed", source = "SMPI has none"}}
beta = {{value = 0.001, status = "assumed", source = "1 GB/s"}}
gamma = {{value = 0, status = "assumed", source = "SMPI does not count sums"}}
kappa = {{value = 1, status = "assumed", source = "nodes are as fast as links"}}
[network]
topology = {{value = "{topology}", status = "assumed", source = "as SMPI's"}}
switching = {{value = "share_max_min", status = "assumed", source = "as SMPI's"}}
hop = {{value = 1, status = "assumed", source = "1 us"}}
[node]
ports = {{value = "unlimited", status = "assumed", source = "as SMPI's"}}
[protocol]
handover = {{value = "rendezvous", status = "assumed", source = "as SMPI's, see below"}}
threshold = {{value = 0, status = "assumed", source = "as SMPI's"}}
"""

PLATFORM = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><cluster id="c" prefix="n" suffix="" radical="0-{last}" speed="1Gf"
  bw="1GBps" lat="1us" sharing_policy="SPLITDUPLEX" {attributes}/></platform>
"""

# SMPI's own corrections of bandwidth and latency are off, and so is the traffic of answers, which
# takes a twentieth of a link. A send ends when its message has arrived. Time that the program
# itself takes does not count.
SETTINGS = [
    "network/model:CM02", "network/latency-factor:1", "network/bandwidth-factor:1",
    "network/weight-S:0", "network/crosstraffic:0", "network/TCP-gamma:0",
    "smpi/send-is-detached-thresh:0", "smpi/async-small-thresh:0", "smpi/simulate-computation:no"
]

# LogGOPSim's numbers by default: L = 2500 ns, o = 1500 ns, G = 6 ns, for a message of s bytes o +
# L + (s - 1) G + o. A sender is free again after o.
LOGGP = """name = "loggp"
about = "the default numbers of LogGOPSim"
alpha = {{value = {alpha}, status = "published", source = "LogGOPSim: o + L + o{less}"}}
beta = {{value = 0.006, status = "published", source = "LogGOPSim: G"}}
gamma = {{value = 0, status = "assumed", source = "LogGOPSim does not count sums"}}
kappa = {{value = inf, status = "assumed", source = "messages do not meet"}}
[network]
topology = {{value = "crossbar:{ranks}", status = "assumed", source = "any network"}}
switching = {{value = "circuit", status = "assumed", source = "any"}}
[node]
ports = {{value = "duplex", status = "assumed", source = "one after the other"}}
send_alpha = {{value = 1.5, status = "published", source = "LogGOPSim: o"}}
send_beta = {{value = 0, status = "published", source = "LogGOPSim: O = 0"}}
receive_alpha = {{value = 1.5, status = "published", source = "LogGOPSim: o"}}
receive_beta = {{value = 0, status = "published", source = "LogGOPSim: O = 0"}}
"""

# The times in ns at which the hosts of an example end, as LogGOPSim's documentation prints them.
# Ours may number the hosts of a tree otherwise, so that sorted times are compared.
EXAMPLES = [
    {
        "name": "README.md: binomialtreereduce, 8 hosts, 1024 bytes",
        "operation": "reduce", "algorithm": "mst", "ranks": 8, "bytes": 1024,
        "alpha": 5.494, "less": " - G",
        "ends": [34914, 24776, 13138, 13138, 1500, 1500, 1500, 1500]
    },
    {
        "name": "README: dissemination_16.goal",
        "operation": "barrier", "algorithm": "dissemination", "ranks": 16, "bytes": 0,
        "alpha": 5.5, "less": "",
        "ends": [22000] * 16
    },
]


def dissemination_goal(hosts):
    """Returns dissemination_16.goal of LogGOPSim for so many hosts. A rank may send before it has
    sent what it should have sent in the round before; only what it has received counts."""
    lines = [f"num_ranks {hosts}"]
    for rank in range(hosts):
        lines.append(f"rank {rank} {{")
        distance, label = 1, 1
        while distance < hosts:
            lines.append(f"l{label}: send 1b to {(rank + distance) % hosts} tag 0")
            if label > 1:
                lines.append(f"l{label} requires l{label - 1}")
            lines.append(f"l{label + 1}: recv 1b from {(rank - distance) % hosts} tag 0")
            distance, label = 2 * distance, label + 2
        lines.append("}")
    return "\n".join(lines) + "\n"


def ends_in(text):
    """Returns when each rank ends, in nanoseconds, from the JSON of one simulation."""
    detail = json.loads(text)["settings"][0]["results"][0]["detail"]
    return [rank["end_us"] * 1000 for rank in detail["per_rank"]]


class Ours:
    def __init__(self, command, folder):
        self.command, self.folder = command, folder

    def simulate(self, machine, *arguments):
        path = self.folder / "machine.toml"
        path.write_text(machine)
        done = subprocess.run([self.command, "simulate", *arguments, "--machine", path],
                              stdout=subprocess.PIPE, text=True, check=True)
        return done.stdout

    def times(self, topology, operation, algorithm):
        out = self.simulate(MACHINE.format(topology=topology), operation, "--algorithm", algorithm,
                            "--bytes", ",".join(map(str, SIZES)), "--csv")
        rows = csv.DictReader(io.StringIO(out))
        return {int(row["bytes"]): float(row["most_us"]) for row in rows}

    def ends_of_goal(self, example, text):
        path = self.folder / "example.goal"
        path.write_text(text)
        return ends_in(self.simulate(LOGGP.format(**example), path, "--json"))

    def exported(self, example):
        done = subprocess.run([self.command, "export", example["operation"], "--algorithm",
                               example["algorithm"], "-n", str(example["ranks"]), "--bytes",
                               str(example["bytes"]), "--format", "goal"],
                              stdout=subprocess.PIPE, text=True, check=True)
        return done.stdout

    def ends(self, example):
        out = self.simulate(LOGGP.format(**example), example["operation"], "--algorithm",
                            example["algorithm"], "--bytes", str(example["bytes"]), "--json")
        return ends_in(out)


class Smpi:
    def __init__(self, folder):
        self.folder = folder
        self.driver = folder / "driver"
        source = ROOT / "bench" / "sim" / "smpi.c"
        subprocess.run(["smpicc", "-O2", source, "-o", self.driver], check=True)
        self.hosts = folder / "hosts"
        self.hosts.write_text("".join(f"n{i}\n" for i in range(RANKS)))

    def time(self, attributes, operation, algorithm, size):
        platform = self.folder / "platform.xml"
        platform.write_text(PLATFORM.format(last=RANKS - 1, attributes=attributes))
        settings = [f"--cfg={setting}" for setting in
                    SETTINGS + [f"smpi/{operation}:{algorithm}"]]
        done = subprocess.run(["smpirun", "-np", str(RANKS), "-platform", platform, "-hostfile",
                               self.hosts, *settings, "--log=root.thres:critical", self.driver,
                               operation, str(size)],
                              stdout=subprocess.PIPE, text=True, check=True)
        return float(re.search(r"simulated_us ([0-9.]+)", done.stdout).group(1))


def limit_of(size):
    return LIMITS["long" if size >= LONG else "short"]


def against_smpi(ours, smpi):
    rows = []
    for topology, attributes in NETWORKS.items():
        for operation, algorithm, theirs in SCHEDULES:
            times = ours.times(topology, operation, algorithm)
            for size in SIZES:
                judge = smpi.time(attributes, operation, theirs, size)
                rows.append({
                    "topology": topology, "operation": operation, "algorithm": algorithm,
                    "bytes": size, "smpi_us": judge, "ours_us": times[size],
                    "percent": 100 * (times[size] / judge - 1), "limit": limit_of(size)
                })
    return rows


def against_loggopsim(ours):
    rows = []
    for example in EXAMPLES:
        ways = {"": ours.ends(example),
                ", exported as GOAL": ours.ends_of_goal(example, ours.exported(example))}
        if example["operation"] == "barrier":
            # A message of one byte: o + L + o + (s - 1) G, so G has no part in it.
            ways[", LogGOPSim's own file"] = ours.ends_of_goal(
                {**example, "alpha": 5.5 - 0.006, "less": " - G"}, dissemination_goal(16))
        for way, ends in ways.items():
            for wanted, found in zip(sorted(example["ends"]), sorted(ends)):
                rows.append({"example": example["name"] + way, "loggopsim_ns": wanted,
                             "ours_ns": found})
    return rows


def failures(report):
    found = [f"{row['topology']}, {row['operation']} {row['algorithm']}, {row['bytes']} bytes: "
             f"{row['percent']:+.2f} %, at most {row['limit']:g} %"
             for row in report["smpi"] if abs(row["percent"]) > row["limit"]]
    found += [f"{row['example']}: {row['ours_ns']:.0f} ns, not {row['loggopsim_ns']}"
              for row in report["loggopsim"] if abs(row["ours_ns"] - row["loggopsim_ns"]) > 0.5]
    return found


def text_of(report):
    lines = []
    if report["smpi"]:
        lines += ["| network | schedule | bytes | SMPI us | ours us | difference | limit |",
                  "|---|---|---|---|---|---|---|"]
    for row in report["smpi"]:
        lines.append(f"| {row['topology']} | {row['operation']} {row['algorithm']} | "
                     f"{row['bytes']} | {row['smpi_us']:.3f} | {row['ours_us']:.3f} | "
                     f"{row['percent']:+.2f} % | {row['limit']:g} % |")
    lines += ["", "| example | host, by time | LogGOPSim ns | ours ns |", "|---|---|---|---|"]
    names = [row["example"] for row in report["loggopsim"]]
    for i, row in enumerate(report["loggopsim"]):
        lines.append(f"| {row['example']} | {i - names.index(row['example']) + 1} | "
                     f"{row['loggopsim_ns']} | {row['ours_ns']:.0f} |")
    return "\n".join(lines).strip() + "\n"


def write_report(text):
    """Replaces the tables of the page, and keeps what a person wrote above them."""
    mark = "<!-- tables: make check-simulators -->\n"
    page = REPORT.read_text()
    REPORT.write_text(page[:page.index(mark) + len(mark)] + "\n" + text)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--command", default="build/release/bin/tutti")
    parser.add_argument("--documented", action="store_true", help="only LogGOPSim's examples")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--write", action="store_true", help="write the page in docs")
    options = parser.parse_args()
    report = {"smpi": []}
    with tempfile.TemporaryDirectory(prefix="tutti-simulators-") as name:
        folder = pathlib.Path(name)
        ours = Ours(options.command, folder)
        report["loggopsim"] = against_loggopsim(ours)
        if not options.documented:
            if not shutil.which("smpirun") or not shutil.which("smpicc"):
                raise SystemExit("check_simulators: no smpirun: `scripts/deps full` installs it")
            report["smpi"] = against_smpi(ours, Smpi(folder))
    text = text_of(report)
    if options.write:
        write_report(text)
    print(json.dumps(report, indent=2) if options.json else text, end="")
    wrong = failures(report)
    for line in wrong:
        print(f"check_simulators: {line}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
