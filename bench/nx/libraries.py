# SPDX-License-Identifier: BSD-3-Clause
"""Measures section 6 of paper 001 on this machine: broadcasts and sums of iCC, of NX with its own
simple algorithms, of the BLACS with two of their topologies, and of the MPIs that are installed.
All processes, a row or a column take part. It also measures what NX adds to the calls of tutti.h.
"""
import json
import os
import statistics
import tempfile

import experiment
import mpi_launchers
from common.jobs import output_of

PAPER = "001"
PAGE = "icc-bench.md"
TITLE = "Broadcasts and sums of iCC, NX, the BLACS and MPI"
ROUNDS = 5
GRIDS = {2: (1, 2), 4: (2, 2), 8: (2, 4), 16: (4, 4)}
SIZES = (16, 256, 1024, 4096, 16384, 65536, 262144, 1048576)
NX, ICC = "NX-simple", "iCC"
WAYS = {"icc": ICC, "nx": NX, "blacs-1": "BLACS tree", "blacs-H": "BLACS hypercube"}
OPERATIONS = {"bcast": "broadcast", "allreduce": "sum"}
GOALS = {16: 1.05, 1024: 1.05, 65536: 1.0, 1048576: 0.8}  # iCC over NX-simple, p = 4, 8, 16
COST = {"barrier": ("gsync", (0,)), "allreduce": ("gdsum", (8, 1024, 65536)),
        "allgather": ("gcolx", (8, 1024, 65536))}
COST_US, COST_SHARE = 0.05, 1.05
# A process of MPICH that waits spins and keeps its processor. With more processes than processors a
# call takes milliseconds, so that case is not measured.
SPINNING = ("mpich",)


def scopes(ranks):
    """Returns {scope: number of its processes}. A row of all processes is not measured again."""
    rows, columns = GRIDS[ranks]
    found = {"All": ranks}
    if rows > 1:
        found |= {"Row": columns, "Column": rows}
    return found


def sizes_of(options):
    return SIZES[::2] + (SIZES[-1],) if options.quick else SIZES


class Runner:
    """Runs the bench's driver on the libraries that stand on tutti, or on an MPI."""

    def __init__(self, options, lines):
        self.options, self.lines = options, lines

    def samples(self, command, name, cells, variables=None):
        self.lines.truncate(0)
        self.lines.truncate(8192)
        times = "0/3" if self.options.quick else "0/9"
        text = output_of([*command, name, self.lines.name, times, 2000, ",".join(cells)], variables,
                         timeout=300)
        return [json.loads(line) for line in text.splitlines() if line.startswith("{")]

    def ours(self, ranks, scope, cells, variables=None):
        rows, columns = GRIDS[ranks]
        tools = self.options.build / "bin"
        return self.samples([tools / "tutti", "run", "-n", ranks, "--timeout", "240",
                             tools / "tutti-nx-libraries", scope, rows, columns], "tutti", cells,
                            variables)

    def mpi(self, name, ranks, cells):
        driver = self.options.build / "bin" / f"mpi_driver_{name}"
        return self.samples([*mpi_launchers.launcher(name, ranks), driver], name, cells)

    def has_mpi(self, name, ranks):
        driver = self.options.build / "bin" / f"mpi_driver_{name}"
        fits = ranks <= (os.cpu_count() or 1) or name not in SPINNING
        return mpi_launchers.installed(name) and os.access(driver, os.X_OK) and fits


def times_of(samples):
    """Returns {(operation, bytes): (place, [(us, ratio) of each way])}. Both are medians of the
    job's samples in its most frequent place: of the time, and of its ratio to the first way's time
    in the same sample, which meets the same machine."""
    found = {}
    for sample in samples:
        if "us" in sample:
            us = sample["us"] if isinstance(sample["us"], list) else [sample["us"]]
            found.setdefault((sample["op"], sample["bytes"]), []).append((sample["placement"], us))
    return {key: medians_of(rows) for key, rows in found.items()}


def medians_of(samples):
    place = experiment.most_frequent([place for place, _ in samples])
    rows = [us for one, us in samples if one == place]
    return place, [
        (statistics.median(way), statistics.median(us / row[0] for us, row in zip(way, rows)))
        for way in zip(*rows)
    ]


def ways_in(scope, operation):
    """NX has no sums within a part of the nodes."""
    return [way for way in WAYS if scope == "All" or way != "nx" or operation == "bcast"]


def group_of(ranks, scope, operation, size):
    where = {"All": "all", "Row": "a row", "Column": "a column"}[scope]
    return f"p = {ranks}, {where}, {OPERATIONS[operation]}, {size} B"


def measured_ours(runner, ranks, scope, cells):
    sizes = sizes_of(runner.options)
    words = [f"{operation}:{size}/" + "/".join(ways_in(scope, operation))
             for operation in OPERATIONS for size in sizes]
    samples = runner.ours(ranks, scope, words, {"TUTTI_NX_COLLECTIVES": "nx"})
    plans = {(line["op"], line["bytes"]): line.get("algorithm", "") for line in samples
             if "verified" in line and line["way"] == 0}
    for (operation, size), (place, times) in times_of(samples).items():
        for way, (us, ratio) in zip(ways_in(scope, operation), times):
            cell = cells.add(group_of(ranks, scope, operation, size), WAYS[way], us, place,
                             ranks=ranks, scope=scope, operation=operation, bytes=size, ratios=[])
            cell["ratios"].append(ratio)
            if way == "icc":
                cell["plan"] = plans[operation, size]


def measured_mpi(runner, name, ranks, scope, cells):
    words = [f"{operation}:{size}" for operation in OPERATIONS for size in sizes_of(runner.options)]
    for (operation, size), (place, times) in times_of(
            runner.mpi(name, scopes(ranks)[scope], words)).items():
        cells.add(group_of(ranks, scope, operation, size), name, times[0][0], place,
                  ranks=ranks, scope=scope, operation=operation, bytes=size)


def measured_cost(runner, ranks, cells):
    words = [f"{operation}:{size}/tutti/nx" for operation, (_, sizes) in COST.items()
             for size in sizes]
    for (operation, size), (place, times) in times_of(runner.ours(ranks, "All", words)).items():
        for what, (us, ratio) in zip(("tutti.h", "NX"), times):
            cell = cells.add(f"p = {ranks}, {COST[operation][0]}, {size} B", what, us, place,
                             ranks=ranks, cost=operation, bytes=size, ratios=[])
            cell["ratios"].append(ratio)


def measure(options, rounds):
    cells = experiment.Cells()
    with tempfile.NamedTemporaryFile(dir="/dev/shm", prefix="tutti-bench-") as lines:
        runner = Runner(options, lines)
        for _ in range(rounds):
            for ranks in GRIDS:
                for scope, members in scopes(ranks).items():
                    measured_ours(runner, ranks, scope, cells)
                    for name in mpi_launchers.LAUNCHERS:
                        if runner.has_mpi(name, members):
                            measured_mpi(runner, name, ranks, scope, cells)
                measured_cost(runner, ranks, cells)
    return cells.list()


# ---- what `tutti explain` foretells ----


def foretold(options, ranks, operation, size):
    """Returns the model's time of the plan that the library chooses over that of NX-simple, and the
    name of the plan. NX-simple adds by the minimum spanning tree, and its broadcast sends to each
    node by itself, as fully_connected does."""
    text = output_of([options.build / "bin/tutti", "explain", operation, "-n", ranks, "--bytes",
                      size, "--json"])
    explained = json.loads(text)
    simple = "mst" if operation == "allreduce" else "fully_connected"
    times = {row["name"]: row["time_us"] for row in explained["candidates"]}
    return explained["library"]["time_us"] / times[simple], explained["library"]["name"]


# ---- tables ----


def table_of(found, ranks, scope, operation):
    sizes = sorted({key[3] for key in found if key[:3] == (ranks, scope, operation)})
    names = [name for name in (*WAYS.values(), *mpi_launchers.LAUNCHERS)
             if (ranks, scope, operation, sizes[0], name) in found]
    others = [name for name in names if name != ICC]
    rows = []
    for size in sizes:
        times = {name: found[ranks, scope, operation, size, name] for name in names}
        rows.append((size, *(experiment.short(times[name]) for name in names),
                     *(f"{times[name] / times[ICC]:.2f}" for name in others)))
    head = ("bytes", *(f"{name} us" for name in names), *(f"{name} / iCC" for name in others))
    return experiment.table(head, rows)


def paper_table():
    printed = experiment.printed(PAPER)["table 2"]
    rows = []
    for operation in ("broadcast", "sum"):
        for i, size in enumerate(printed["bytes"]):
            rows.append((f"{operation}, {size:.0f} B",
                         *(printed[operation][name][i] for name in ("nx", "blacs", "mpi"))))
    return experiment.table(("Paragon, 16 x 32 nodes", "NX / iCC", "BLACS / iCC", "MPI / iCC"),
                            rows)


def goal_table(options, cells):
    rows = []
    found = {
        (cell["ranks"], cell["operation"], cell["bytes"]): 1 / statistics.median(cell["ratios"])
        for cell in cells if cell.get("scope") == "All" and cell["what"] == NX
    }
    for operation in OPERATIONS:
        for ranks in (4, 8, 16):
            for size, goal in GOALS.items():
                ratio = found.get((ranks, operation, size))
                if ratio is None:
                    continue
                told, plan = foretold(options, ranks, operation, size)
                rows.append((f"{OPERATIONS[operation]}, p = {ranks}, {size} B", f"{ratio:.2f}",
                             f"{goal:.2f}", "met" if ratio <= goal else "**missed**",
                             f"{told:.2f}", plan))
    return experiment.table(("iCC over NX-simple", "here", "goal", "", "foretold", "iCC's plan"),
                            rows)


def cost_table(cells):
    rows = []
    costs = [cell for cell in cells if "cost" in cell]
    ratios = {cell["group"]: statistics.median(cell["ratios"]) for cell in costs
              if cell["what"] == "NX"}
    for group, times in experiment.medians(costs).items():
        ratio = ratios[group]
        more = (ratio - 1) * times["tutti.h"]
        met = more <= COST_US or ratio <= COST_SHARE
        rows.append((group, f"{times['tutti.h']:.3f}", f"{times['NX']:.3f}", f"{ratio:.3f}",
                     f"{more * 1000:.0f}", "met" if met else "**missed**"))
    return experiment.table(("call", "tutti.h us", "NX us", "ratio", "ns more",
                             "at most 5 % or 50 ns"), rows)


def figures(cells):
    return {(cell["ranks"], cell["scope"], cell["operation"], cell["bytes"], cell["what"]):
            experiment.median(cell) for cell in cells if "scope" in cell}


def text(options, cells):
    found = figures(cells)
    lines = ["## The paper's machine (table 2)", "", *paper_table()]
    for ranks, (rows, columns) in GRIDS.items():
        for scope, members in scopes(ranks).items():
            for operation, name in OPERATIONS.items():
                where = {"All": "all", "Row": "first row", "Column": "first column"}[scope]
                lines += ["", f"## {name.capitalize()}, {rows} x {columns} processes, {where}", "",
                          *table_of(found, ranks, scope, operation)]
    lines += ["", "## iCC over NX-simple, and what `tutti explain` foretells", "",
              *goal_table(options, cells), "",
              "## What NX adds to the same call of tutti.h", "", *cost_table(cells)]
    return lines


def pictures(options, cells):
    found = figures(cells)
    result = {}
    for operation, name in OPERATIONS.items():
        ranks = max(GRIDS)
        names = [way for way in (*WAYS.values(), *mpi_launchers.LAUNCHERS)]
        curves = [experiment.curve(way, [(size, found[ranks, "All", operation, size, way])
                                         for size in SIZES
                                         if (ranks, "All", operation, size, way) in found])
                  for way in names]
        result[f"libraries-{name}"] = {
            "title": f"{name.capitalize()} here, {ranks} processes (as figure "
            f"{1 if operation == 'bcast' else 2})", "x": "bytes", "y": "us",
            "curves": [one for one in curves if one["points"]]}
    return result
