#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measures the regret of choices: the time of the plan that a chooser takes, over that of the best
plan that was tried, both from one job in which the plans run in turn.

There are four choosers. "library" is the library as it is, which goes by the price in shared memory
(selection/host_price.hpp). "former rule" is the rule of fixed sizes that chose before; its plans on
two processors are kept in regret_former.json, for the cells below. "model" is that of alpha, beta
and gamma on a network: `tutti explain --topology crossbar:P` counts the messages of each round on
the links of a crossbar with P nodes. "flat" always takes the plan with one round of direct
messages. Each cell (operation, processes, size) has the plan of each chooser and the next best by
either price, one for each algorithm, and eight plans at most. It is measured in two jobs. The noise
floor is the regret of the plan that won one job, judged in the other. Cells with one plan only, and
those of which a job gave no result, are left out and listed.

With --networks it judges `tutti explain` on networks instead, by simulation; see
regret_networks.py. That needs no quiet machine.

`make bench-regret` runs it. It needs a quiet machine."""
import argparse
import json
import math
import os
import statistics
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
import regret_networks  # noqa: E402
from common import sampling  # noqa: E402

OPERATIONS = ("barrier", "bcast", "reduce", "allreduce", "scatter", "gather", "allgather",
              "alltoall")
FLAT = ("fully_connected", "direct")
CHOOSERS = ("library", "former rule", "model", "flat")
FORMER = json.loads((ROOT / "bench/regret_former.json").read_text())
MOST_PLANS = 8  # as in command/driver/driver.h


def arguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, default=ROOT / "build/release")
    parser.add_argument("--ranks", default="2,4,6,8,16,24,32", help="numbers of processes")
    parser.add_argument("--ops", default=",".join(OPERATIONS), help="operations, with commas")
    parser.add_argument("--bytes", default="8,512,4096,65536,1048576", help="sizes of the vector")
    parser.add_argument("--seconds", type=float, default=0.5, help="of each job (0.5)")
    parser.add_argument("--networks", action="store_true", help="judge the choice on networks")
    parser.add_argument("--only", help="with --networks: these networks, with commas")
    parser.add_argument("--save", type=Path, help="file for all measured cells, as JSON")
    parser.add_argument("--report", type=Path, help="no runs: the tables of a saved file")
    return parser.parse_args()


def output_of(command, first=tuple(sampling.FIRST)):
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith("TUTTI_")}
    return subprocess.run([*first, *command], check=True, capture_output=True, text=True,
                          env=environment, timeout=3600).stdout


def explained(tutti, operation, ranks, size):
    """Returns the choosers' plans, and the candidates by the price in shared memory and by the
    model, the cheapest first."""
    question = [tutti, "explain", operation, "-n", str(ranks), "--bytes", str(size), "--json"]
    told = json.loads(output_of(question))
    by_model = json.loads(output_of([*question, "--topology", f"crossbar:{ranks}"]))["candidates"]
    by_price = told["candidates"]
    former = FORMER.get(operation, {}).get(str(ranks), {}).get(str(size))
    flat = [c["name"] for name in FLAT for c in by_price if c["name"] == name]
    chosen = {"library": told["library"]["name"], "former rule": former,
              "model": by_model[0]["name"], "flat": flat[0] if flat else None}
    return {name: plan for name, plan in chosen.items() if plan is not None}, by_price, by_model


def plans_of(chosen, by_price, by_model):
    """Returns at most MOST_PLANS names: the chosen, then the best of each other algorithm."""
    plans = list(dict.fromkeys(chosen.values()))
    taken = {name.split(":")[0] for name in plans}
    for pair in zip(by_price, by_model):
        for candidate in pair:
            if len(plans) < MOST_PLANS and candidate["algorithm"] not in taken:
                plans.append(candidate["name"])
                taken.add(candidate["algorithm"])
    return plans


def measured(options, tutti, operation, ranks, size, plans):
    """Returns the ratios of the plans to the first one in one job."""
    told = json.loads(output_of([tutti, "bench", operation, "-n", str(ranks), "--bytes", str(size),
                                 "--choices", ",".join(plans), "--seconds", str(options.seconds),
                                 "--json"]))
    results = told["results"]
    return dict(zip(plans, results[0]["ratios"])) if results else None


def cells(options, dropped):
    """Measures the cells. Appends to `dropped` which ones are left out, and why."""
    tutti = str(options.build / "bin/tutti")
    for ranks in map(int, options.ranks.split(",")):
        for operation in options.ops.split(","):
            for size in map(int, options.bytes.split(",")):
                if operation == "barrier" and size != int(options.bytes.split(",")[0]):
                    continue
                chosen, by_price, by_model = explained(tutti, operation, ranks, size)
                plans = plans_of(chosen, by_price, by_model)
                what = f"{operation} of {size} bytes, {ranks} processes"
                if len(plans) < 2:
                    dropped.append(what + ": there is one plan only")
                    continue
                jobs = [measured(options, tutti, operation, ranks, size, plans) for _ in range(2)]
                if None in jobs:
                    dropped.append(what + ": a job had no result")
                    continue
                priced = {c["name"]: c["shared_memory"] for c in by_price if c["name"] in plans}
                yield {"operation": operation, "ranks": ranks, "bytes": size, "chosen": chosen,
                       "jobs": jobs, "priced": priced}


def regret(cell, plan, job):
    ratios = cell["jobs"][job]
    return ratios[plan] / min(ratios.values())


def quantile(values, part):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]


def summary(name, values):
    geometric = math.exp(statistics.fmean(map(math.log, values)))
    return (f"{name:<16}{len(values):>6}{geometric:>8.3f}{statistics.median(values):>8.3f}"
            f"{quantile(values, 0.9):>8.3f}{quantile(values, 0.95):>8.3f}{max(values):>8.3f}")


def regrets(measured_cells, chooser):
    """Returns the regret of a chooser in both jobs of each cell; the floor's for None."""
    found = []
    for cell in measured_cells:
        for job in (0, 1):
            other = cell["jobs"][1 - job]
            plan = min(other, key=other.get) if chooser is None else cell["chosen"].get(chooser)
            if plan is not None:
                found.append(regret(cell, plan, job))
    return found


def print_summary(measured_cells, chooser):
    found = regrets(measured_cells, chooser)
    if found:
        print(summary(chooser or "noise floor", found))


def print_tables(measured_cells):
    head = f"{'chooser':<16}{'judged':>6}{'mean':>8}{'median':>8}{'p90':>8}{'p95':>8}{'worst':>8}"
    print(head)
    for chooser in (*CHOOSERS, None):
        print_summary(measured_cells, chooser)
    for ranks in sorted({cell["ranks"] for cell in measured_cells}):
        few = [cell for cell in measured_cells if cell["ranks"] == ranks]
        print(f"\n{ranks} processes")
        for chooser in (*CHOOSERS, None):
            print_summary(few, chooser)
    print("\nCells with a regret above 1.25 in both jobs")
    for cell in measured_cells:
        for chooser in CHOOSERS[:2]:
            plan = cell["chosen"].get(chooser)
            if plan is None:
                continue
            worst = min(regret(cell, plan, job) for job in (0, 1))
            if worst > 1.25:
                best = min(cell["jobs"][0], key=cell["jobs"][0].get)
                print(f"{chooser:<16}{cell['operation']:<11}{cell['ranks']:>3}{cell['bytes']:>9}"
                      f"  {worst:.2f}  {plan}, best {best}")
    print("\nMean is the geometric mean. Each cell is judged in two jobs.")


def main_networks(options):
    if options.report:
        found = json.loads(options.report.read_text())
    else:
        found = []
        for cell in regret_networks.questions(options, output_of):
            found.append(cell)
            print(f"\r{len(found)} questions", end="", file=sys.stderr, flush=True)
            if options.save:
                options.save.write_text(json.dumps(found))
        print(file=sys.stderr)
    regret_networks.print_tables(found, quantile)


def main():
    options = arguments()
    if options.networks:
        return main_networks(options)
    if options.report:
        found = json.loads(options.report.read_text())
    else:
        print(f"Load average before: {os.getloadavg()[0]:.1f}", file=sys.stderr)
        found, dropped = [], []
        for cell in cells(options, dropped):
            found.append(cell)
            print(f"\r{len(found)} cells", end="", file=sys.stderr, flush=True)
        print("", f"{len(dropped)} cells are left out", *dropped, sep="\n", file=sys.stderr)
    if options.save:
        options.save.write_text(json.dumps(found))
    print_tables(found)


if __name__ == "__main__":
    main()
