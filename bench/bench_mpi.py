#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""bench_mpi.py --build DIR [--rounds N] [--rate RATE] [--sizes B,B]: one loop of collectives on tutti under tutti run, on
tutti under mpirun, and on the MPI alone, in turn, so that all see the same machine. Then four ranks on two hosts: pretended
(TUTTI_HOSTS) and, where allowed, out of network namespaces with so fast a way out (tc's rate): the plan tutti chooses, the
plan it would choose on one host, and the MPI, with what the model predicts for the first two. Medians over the rounds; a
ratio above 1 means that the first of the two is slower."""
import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/api"))
from virtual_hosts import VirtualHosts  # noqa: E402  (it stands beside the tests that use it, too)

LAUNCHERS = {"openmpi": ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe", "-n"], "mpich": ["mpiexec.mpich", "-n"]}


def run(command, variables=None):
    """{(operation, bytes): us}"""
    done = subprocess.run(command, env={**os.environ, **(variables or {})}, stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, timeout=900, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit code {done.returncode}\n{done.stdout[-500:]}{done.stderr[-1500:]}")
    lines = (line.split() for line in done.stdout.splitlines())
    return {(words[0], int(words[1])): float(words[2]) for words in lines if len(words) == 3}


def in_turn(ways, rounds):
    """{way: {(operation, bytes): median}}; every round runs every way once."""
    samples = {way: {} for way in ways}
    for _ in range(rounds):
        for way, job in ways.items():
            for key, value in job().items():
                samples[way].setdefault(key, []).append(value)
    return {way: {key: statistics.median(values) for key, values in found.items()} for way, found in samples.items()}


def table(title, medians, ratios, notes=None):
    print(f"\n{title}")
    ways = list(medians)
    print(f"{'operation':>10} {'bytes':>9} " + " ".join(f"{way:>14}" for way in ways) + "   "
          + "  ".join(f"{a}/{b}" for a, b in ratios))
    for key in medians[ways[0]]:
        values = " ".join(f"{medians[way].get(key, float('nan')):>11.2f} us" for way in ways)
        quotients = "  ".join(f"{medians[a][key] / medians[b][key]:>{len(a) + len(b) + 1}.2f}" for a, b in ratios)
        print(f"{key[0]:>10} {key[1]:>9} {values}   {quotients}{notes.get(key, '') if notes else ''}", flush=True)


def explained(tutti, operation, size, ranks, hosts):
    command = [tutti, "explain", operation, "-n", str(ranks), "--bytes", str(size), "--json"]
    if hosts > 1:
        command += ["--hosts", str(hosts)]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def flat_plans(options, ranks):
    """{(operation, bytes): name} of what the model would take on one host, and what it predicts there and here."""
    plans, notes = {}, {}
    for operation in ("allreduce", "bcast"):
        for size in options.sizes:
            flat = explained(options.tutti, operation, size, ranks, 1)["candidates"][0]["name"]
            on_hosts = explained(options.tutti, operation, size, ranks, 2)["candidates"]
            times = {row["name"]: row["time_us"] for row in on_hosts}
            plans[operation, size] = flat
            if flat in times:
                notes[operation, size] = (f"   model: {flat}/{on_hosts[0]['name']} = "
                                          f"{times[flat] / on_hosts[0]['time_us']:.2f}")
    return plans, notes


def on_two_hosts(options, title, run_tutti, run_mpi):
    plans, notes = flat_plans(options, 4)

    def flat():
        found = {}
        for (operation, size), name in plans.items():
            result = run_tutti({"TUTTI_ALGORITHM": f"{operation}={name}"}, [size])
            found[operation, size] = result[operation, size]
        return found

    ways = {"chosen": lambda: run_tutti({}, options.sizes), "flat": flat, "MPI": lambda: run_mpi(options.sizes)}
    table(title, in_turn(ways, options.rounds), [("flat", "chosen"), ("chosen", "MPI")], notes)


def bench(options, flavour):
    ours, theirs = options.build / "bench/bench_mpi_tutti", options.build / f"bench/bench_mpi_{flavour}"
    arguments = [str(options.seconds)] + [str(size) for size in options.sizes]
    launch = LAUNCHERS[flavour]
    mpirun = f"{launch[0].split('.')[0]}"
    for ranks in (2,):
        ways = {"tutti run": lambda: run([options.tutti, "run", "-n", str(ranks), str(ours)] + arguments),
                mpirun: lambda: run(launch + [str(ranks), str(ours)] + arguments),
                "MPI": lambda: run(launch + [str(ranks), str(theirs)] + arguments)}
        table(f"{flavour}, {ranks} ranks on one host: tutti by its own launcher, tutti under {mpirun}, the MPI alone",
              in_turn(ways, options.rounds), [(mpirun, "tutti run"), (mpirun, "MPI")])

    def pretended(variables, sizes):
        words = launch + ["4", str(ours), str(options.seconds)] + [str(size) for size in sizes]
        return run(words, {"TUTTI_HOSTS": "0,0,1,1", **variables})

    on_two_hosts(options, f"{flavour}, 4 ranks on two pretended hosts", pretended,
                 lambda sizes: run(launch + ["4", str(theirs), str(options.seconds)] + [str(size) for size in sizes]))
    why = VirtualHosts.allowed()
    if why is not None:
        return print(f"\n{flavour}: no network namespaces ({why})")
    with VirtualHosts(2, options.rate) as hosts:
        def apart(variables, sizes, program=ours):
            words = [str(program), str(options.seconds)] + [str(size) for size in sizes]
            return run(hosts.launcher(flavour, [2, 2], variables) + words)

        on_two_hosts(options, f"{flavour}, 4 ranks on two hosts out of network namespaces, {options.rate} out of each",
                     apart, lambda sizes: apart({}, sizes, theirs))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, default=ROOT / "build/release")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.05)
    parser.add_argument("--rate", default="1gbit")
    parser.add_argument("--sizes", default="8,1024,32768,1048576")
    parser.add_argument("--only", choices=list(LAUNCHERS))
    options = parser.parse_args()
    options.build = options.build.resolve()
    options.tutti = str(options.build / "tools/tutti")
    options.sizes = [int(size) for size in options.sizes.split(",")]
    print(f"medians of {options.rounds} rounds, {os.cpu_count()} processors, in microseconds per call")
    for flavour in [options.only] if options.only else LAUNCHERS:
        found = shutil.which(LAUNCHERS[flavour][0]) and (options.build / f"bench/bench_mpi_{flavour}").exists()
        if not found:
            print(f"\n{flavour}: skipped, it was not found")
            continue
        bench(options, flavour)


if __name__ == "__main__":
    main()
