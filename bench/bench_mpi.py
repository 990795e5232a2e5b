#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""bench_mpi.py --build DIR [--turns N] [--rounds N] [--delay US] [--rate MBITS] [--places 2,2,2]
[--sizes B,B]: measures collectives on tutti under tutti run, on tutti under mpirun, and on the MPI
alone. `make bench-mpi` runs it.

The three take turns, so that all see the same machine. Samples are separated by the placement of
the processors (bench/mpi/one_host.py). Then it measures ranks on several hosts. These are pretended
(TUTTI_HOSTS) and, where the user may, made of network namespaces. A relay between the namespaces
delays the messages from one to another and limits the rate out of each.

On several hosts it compares three ways: the plan that tutti chooses, the plan that it would choose
on one host, and the MPI. It also prints the ratio of the first two that the model predicts.
Choices and predictions use a profile that tutti tune measures before, with messages within a host
and between hosts. The tables show medians over the rounds; a ratio above 1 means that the first of
the two is slower."""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/api"))
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "bench/mpi")]
import mpi_launchers  # noqa: E402
import one_host  # noqa: E402
from common.jobs import output_of  # noqa: E402
from virtual_hosts import VirtualHosts  # noqa: E402  (the tests share it)


def run(command, variables=None):
    """Runs a command that prints times; returns {(operation, bytes): us}."""
    lines = (line.split() for line in output_of(command, variables, timeout=900).splitlines())
    return {(words[0], int(words[1])): float(words[2]) for words in lines if len(words) == 3}


def said(command, variables=None):
    """Returns the first line that a command prints."""
    return output_of(command, variables, timeout=300).splitlines()[0]


def in_turn(ways, rounds):
    """Returns {way: {(operation, bytes): median}}. Every round runs every way once."""
    samples = {way: {} for way in ways}
    for _ in range(rounds):
        for way, job in ways.items():
            for key, value in job().items():
                samples[way].setdefault(key, []).append(value)
    return {
        way: {key: statistics.median(values)
              for key, values in found.items()}
        for way, found in samples.items()
    }


def table(title, medians, ratios, notes=None):
    print(f"\n{title}")
    ways = list(medians)
    print(f"{'operation':>10} {'bytes':>9} " + " ".join(f"{way:>14}" for way in ways) + "   "
          + "  ".join(f"{a}/{b}" for a, b in ratios))
    for key in medians[ways[0]]:
        values = " ".join(f"{medians[way].get(key, float('nan')):>11.2f} us" for way in ways)
        quotients = "  ".join(
            f"{medians[a][key] / medians[b][key]:>{len(a) + len(b) + 1}.2f}" for a, b in ratios)
        print(
            f"{key[0]:>10} {key[1]:>9} {values}   {quotients}{notes.get(key, '') if notes else ''}",
            flush=True)


def explained(options, operation, size, ranks, hosts):
    command = [
        options.tutti, "explain", operation, "-n",
        str(ranks), "--bytes",
        str(size), "--machine", options.profile, "--json"
    ]
    if len(hosts) > 1:
        command += ["--hosts", ",".join(map(str, hosts))]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def flat_plans(options, ranks, hosts):
    """Returns {(operation, bytes): algorithm}, with the algorithm that the model would choose on
    one host, and {(operation, bytes): note} with the ratio that the model predicts for it on these
    hosts."""
    plans, notes = {}, {}
    for operation in ("allreduce", "bcast"):
        for size in options.sizes:
            flat = explained(options, operation, size, ranks, [ranks])["candidates"][0]["name"]
            on_hosts = explained(options, operation, size, ranks, hosts)["candidates"]
            times = {row["name"]: row["time_us"] for row in on_hosts}
            plans[operation, size] = flat
            if flat in times:
                notes[operation, size] = (f"   model: {flat}/{on_hosts[0]['name']} = "
                                          f"{times[flat] / on_hosts[0]['time_us']:.2f}")
    return plans, notes


def on_hosts(options, title, places, run_tutti, run_mpi):
    plans, notes = flat_plans(options, sum(places), places)

    def flat():
        found = {}
        for (operation, size), name in plans.items():
            result = run_tutti({"TUTTI_ALGORITHM": f"{operation}={name}"}, [size])
            found[operation, size] = result[operation, size]
        return found

    ways = {
        "chosen": lambda: run_tutti({}, options.sizes), "flat": flat,
        "MPI": lambda: run_mpi(options.sizes)
    }
    table(title, in_turn(ways, options.rounds), [("flat", "chosen"), ("chosen", "MPI")], notes)


def bench(options, flavour):
    ours = options.build / "bench/bench_mpi_tutti"
    theirs = options.build / f"bench/bench_mpi_{flavour}"
    one_host.report(options, flavour)
    profile = {"TUTTI_PROFILE": options.profile}
    tune = [
        options.tutti, "tune", "--hosts", "--seconds",
        str(options.tune), "--output", options.profile
    ]

    def pretended(variables, sizes):
        words = mpi_launchers.launcher(flavour, 4) + [str(ours), str(options.seconds)
                                                      ] + [str(size) for size in sizes]
        return run(words, {"TUTTI_HOSTS": "0,0,1,1", **profile, **variables})

    print("\n" + said(mpi_launchers.launcher(flavour, 2) + tune, {"TUTTI_HOSTS": "0,1"}))
    on_hosts(
        options, f"{flavour}, 4 ranks on two pretended hosts", [2, 2], pretended, lambda sizes: run(
            mpi_launchers.launcher(flavour, 4) + [str(theirs), str(options.seconds)] +
            [str(size) for size in sizes]))
    why = VirtualHosts.bypassed(flavour) or VirtualHosts.allowed()
    if why is not None:
        return print(f"\n{flavour}: no network namespaces ({why})")
    relay = (options.build / "tests/api/api_relay", options.delay, options.rate)
    with VirtualHosts(len(options.places), relay) as hosts:
        def apart(variables, sizes, program=ours):
            words = [str(program), str(options.seconds)] + [str(size) for size in sizes]
            return run(hosts.launcher(flavour, options.places, {**profile, **variables}) + words)

        print("\n" + said(hosts.launcher(flavour, [1, 1]) + tune))
        on_hosts(
            options,
            f"{flavour}, {'+'.join(map(str, options.places))} ranks on hosts out of network "
            "namespaces, "
            f"{options.delay:g} us between them, {options.rate:g} Mbit/s out of each",
            options.places, apart, lambda sizes: apart({}, sizes, theirs))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, default=ROOT / "build/release")
    parser.add_argument("--turns", type=int, default=12, help="of the three on one host")
    parser.add_argument("--turn-seconds", type=float, default=1)
    parser.add_argument("--rounds", type=int, default=5, help="of plans on several hosts")
    parser.add_argument("--seconds", type=float, default=0.05, help="of a series of calls there")
    parser.add_argument("--delay",
                        type=float,
                        default=100,
                        help="microseconds from one host to another")
    parser.add_argument("--rate",
                        type=float,
                        default=1000,
                        help="megabits per second out of each host")
    parser.add_argument("--places", default="2,2,2", help="ranks on each host out of namespaces")
    parser.add_argument("--tune",
                        type=float,
                        default=3,
                        help="seconds to measure messages between hosts")
    parser.add_argument("--sizes", default="8,1024,32768,1048576")
    parser.add_argument("--only", choices=list(mpi_launchers.LAUNCHERS))
    options = parser.parse_args()
    options.build = options.build.resolve()
    options.tutti = str(options.build / "bin/tutti")
    options.sizes = [int(size) for size in options.sizes.split(",")]
    options.places = [int(ranks) for ranks in options.places.split(",")]
    with tempfile.TemporaryDirectory(prefix="tutti-bench-") as folder:
        options.profile = str(Path(folder) / "host.toml")
        bench_all(options)


def bench_all(options):
    print(said([options.tutti, "tune", "--quick", "--output", options.profile]))
    print(
        f"medians of {options.rounds} rounds, {os.cpu_count()} processors, in microseconds per call"
    )
    for flavour in [options.only] if options.only else mpi_launchers.LAUNCHERS:
        found = mpi_launchers.installed(flavour) and (options.build /
                                                      f"bench/bench_mpi_{flavour}").exists()
        if not found:
            print(f"\n{flavour}: skipped, it was not found")
            continue
        bench(options, flavour)


if __name__ == "__main__":
    main()
