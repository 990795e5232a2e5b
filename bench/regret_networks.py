# SPDX-License-Identifier: BSD-3-Clause
"""The regret of `tutti explain` on networks, for bench_regret.py --networks.

All plans that explain lists are simulated, each until it is beyond the best so far, so the best of
them is known. The regret of a choice is its simulated time over that of the best. Two choices are
judged on the same simulations: the plan with the least price on the network ("network"), and the
plan with the least time by the formulas of alpha, beta and gamma, which know no network
("formulas"). The simulator is deterministic, so a loaded machine gives the same figures."""
import json
import random
import re
import statistics
import tempfile
import time
from pathlib import Path

MACHINE = "slingshot-dragonfly"  # the rates; the network is another one
OPERATIONS = ("bcast", "allreduce", "allgather", "reduce_scatter", "alltoall")
SIZES = (1 << 10, 1 << 13, 1 << 16, 1 << 19, 1 << 22)
NETWORKS = ("dragonfly:4x8x8", "dragonfly:5x5x4", "torus:16x16", "torus:6x6x6", "mesh:12x12",
            "fattree:16x16", "fattree:16x16/1x4", "hypercube:7", "crossbar:200", "graph:random")
CHOOSERS = ("network", "formulas")
REGISTRY = Path(__file__).resolve().parent.parent / "src/algorithms/registry.def"
ALL_PLANS = 100000


def random_graph(folder):
    """Writes 30 switches with four nodes each; each switch has links to four others, drawn with a
    fixed seed, besides the ring that joins them all."""
    switches, hosts = 30, 4
    drawn = random.Random(20261126)
    joined = {tuple(sorted((s, (s + 1) % switches))) for s in range(switches)}
    while len(joined) < 3 * switches:
        joined.add(tuple(sorted(drawn.sample(range(switches), 2))))
    nodes = [f"n{i}" for i in range(switches * hosts)]
    lines = ["[graph]", f"nodes = {json.dumps(nodes)}",
             f"switches = {json.dumps([f's{s}' for s in range(switches)])}", "links = ["]
    lines += [f'  "n{i} <-> s{i // hosts}",' for i in range(len(nodes))]
    lines += [f'  "s{a} <-> s{b}",' for a, b in sorted(joined)]
    path = Path(folder) / "random.toml"
    path.write_text("\n".join([*lines, "]", ""]))
    return f"graph:{path}"


def by_formula(plans, operation):
    """Returns the plan that the formulas take: of equal ones the first of the registry."""
    lines = re.findall(r"TUTTI_ALGORITHM\((\w+), (\w+),", REGISTRY.read_text())
    names = ["_".join(line) for line in lines]
    operation = "broadcast" if operation == "bcast" else operation

    def key(plan):
        generator = plan["algorithm"].split(":")[0]
        return (round(plan["formula_us"], 6), names.index(f"{operation}_{generator}"),
                plan["algorithm"])
    return min(plans, key=key)


def judged(output_of, tutti, topology, operation, size):
    """Returns what one question gives: the best time, and what each chooser takes."""
    quietly = ["nice", "-n", "19"]  # time does not matter here
    question = [tutti, "simulate", operation, "--machine", MACHINE, "--topology", topology,
                "--bytes", str(size), "--json"]
    race = json.loads(output_of([*question, f"--best={ALL_PLANS}"], quietly))
    plans = race["settings"][0]["results"]
    by_price = min(plans, key=lambda plan: plan["price_us"])
    taken = {}
    for chooser, plan in zip(CHOOSERS, (by_price, by_formula(plans, operation))):
        if plan["stopped"]:
            name = ["--algorithm", plan["algorithm"]]
            alone = json.loads(output_of([*question, *name], quietly))
            plan = alone["settings"][0]["results"][0]
        taken[chooser] = {"plan": plan["algorithm"], "us": plan["time_us"]}
    best = plans[0]
    return {"best": best["algorithm"], "us": best["time_us"], "plans": len(plans), "taken": taken}


def questions(options, output_of):
    """Yields the judgements of all networks, operations and sizes."""
    tutti = str(options.build / "bin/tutti")
    with tempfile.TemporaryDirectory() as folder:
        for network in (options.only or ",".join(NETWORKS)).split(","):
            topology = random_graph(folder) if network == "graph:random" else network
            for operation in OPERATIONS:
                for size in SIZES:
                    began = time.monotonic()
                    found = judged(output_of, tutti, topology, operation, size)
                    yield {"network": network, "operation": operation, "bytes": size,
                           "seconds": time.monotonic() - began, **found}


def regret(cell, chooser):
    return cell["taken"][chooser]["us"] / cell["us"]


def line(name, found, quantile):
    found = sorted(found)
    return (f"{name:<28}{len(found):>6}{statistics.median(found):>9.3f}"
            f"{quantile(found, 0.9):>9.3f}{quantile(found, 0.95):>9.3f}{found[-1]:>9.3f}")


def print_tables(cells, quantile):
    print(f"{'chooser':<28}{'judged':>6}{'median':>9}{'p90':>9}{'p95':>9}{'worst':>9}")
    for chooser in CHOOSERS:
        print(line(chooser, [regret(cell, chooser) for cell in cells], quantile))
    for part in ("network", "operation", "bytes"):
        print()
        for value in dict.fromkeys(cell[part] for cell in cells):
            few = [cell for cell in cells if cell[part] == value]
            for chooser in CHOOSERS:
                print(line(f"{value} {chooser}", [regret(cell, chooser) for cell in few], quantile))
    print("\nQuestions with a regret of the network's price above 1.1")
    for cell in sorted(cells, key=lambda cell: -regret(cell, CHOOSERS[0])):
        if regret(cell, CHOOSERS[0]) > 1.1:
            print(f"{regret(cell, CHOOSERS[0]):.2f}  {cell['operation']} of {cell['bytes']} B on "
                  f"{cell['network']}: {cell['taken'][CHOOSERS[0]]['plan']}, best {cell['best']}")
