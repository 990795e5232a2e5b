# SPDX-License-Identifier: BSD-3-Clause
"""Measures sections 5.2 to 5.4 of paper 002 on this machine: a sum of integers by gisum of NX, and
by pvm_reduce of PVM in frozen and in dynamic groups. One job does all: its tasks are nodes of NX,
too.
"""
import experiment
from common.jobs import output_of

PAPER = "002"
PAGE = "gisum-bench.md"
TITLE = "gisum of NX beside pvm_reduce of PVM"
ROUNDS = 5
TASKS = (1, 2, 4, 8, 16)
LENGTHS = (1, 1000, 10000)
CALLS = 100
TREES = "gisum, NX's trees"
NAMES = {"gisum": "gisum", "native": "tutti_reduce", "frozen": "frozen", "dynamic": "dynamic"}
# The tables of the paper that have the same on a Paragon.
TABLES = {"gisum": "table 5", "frozen": "table 4", "dynamic": "table 3"}


def measured(options, tasks, variables):
    """Returns {(way, integers): us}."""
    series = 1 if options.quick else 5
    text = output_of([options.build / "bin/tutti", "run", "-n", tasks, "--timeout", "120",
                      options.build / "frontends/pvm/bin/pvm-probe", CALLS, series], variables,
                     timeout=150)
    return {(way, int(integers)): float(us) for way, integers, us in map(str.split,
                                                                         text.splitlines())}


def measure(options, rounds):
    cells = experiment.Cells()
    for _ in range(rounds):
        for tasks in TASKS:
            (usual, trees), place = experiment.placed(
                options, lambda: [measured(options, tasks, variables)
                                  for variables in ({}, {"TUTTI_NX_COLLECTIVES": "nx"})])
            for integers in LENGTHS:
                group = f"{tasks} tasks, {integers} integers"
                for way in NAMES:
                    cells.add(group, NAMES[way], usual[way, integers], place, tasks=tasks,
                              integers=integers)
                cells.add(group, TREES, trees["gisum", integers], place, tasks=tasks,
                          integers=integers)
    return cells.list()


def figures(cells):
    return {(cell["what"], cell["integers"], cell["tasks"]): experiment.median(cell)
            for cell in cells}


def text(options, cells):
    found, paper = figures(cells), experiment.printed(PAPER)
    lines = []
    for integers in LENGTHS:
        rows = []
        for i, tasks in enumerate(TASKS):
            here = {what: found[what, integers, tasks] for what in (*NAMES.values(), TREES)}
            there = {way: paper[TABLES[way]][str(integers)][i] for way in TABLES}
            rows.append((tasks, *(f"{here[what]:.2f}" for what in ("gisum", TREES, "tutti_reduce",
                                                                  "frozen", "dynamic")),
                         f"{here['frozen'] - here['tutti_reduce']:.2f}",
                         f"{here['dynamic'] / here['frozen']:.2f}", there["gisum"], there["frozen"],
                         there["dynamic"], there["frozen"] - there["gisum"],
                         f"{there['dynamic'] / there['frozen']:.0f}"))
        lines += ["", f"## {integers} integer{'s' if integers > 1 else ''}", ""]
        lines += experiment.table(
            ("tasks", "gisum", TREES, "tutti_reduce", "frozen", "dynamic", "frozen - tutti_reduce",
             "dynamic / frozen", "Paragon: gisum", "frozen", "dynamic", "frozen - gisum",
             "dynamic / frozen"), rows)
    added = [found["frozen", integers, tasks] - found["tutti_reduce", integers, tasks]
             for integers in LENGTHS for tasks in TASKS]
    mean = paper["statement overhead"]["mean"]
    said = (f"The authors say that on the Paragon PVM adds {mean:.0f} us to gisum on average, "
            "whatever the length and the number of nodes (their tables say more: see the errata). "
            f"Here it adds to tutti_reduce {sum(added) / len(added):.2f} us in the mean of all "
            f"cells, from {min(added):.2f} to {max(added):.2f}.")
    return lines[1:] + ["", said]


def pictures(options, cells):
    found = figures(cells)
    curves = []
    for what in ("gisum", "frozen", "dynamic"):
        for integers in LENGTHS:
            curves.append(experiment.curve(f"{what}, {integers}", [
                (tasks, found[what, integers, tasks]) for tasks in TASKS]))
    return {"sums": {"title": "Sums of integers here (as figure 8)", "x": "tasks", "y": "us",
                     "curves": curves}}
