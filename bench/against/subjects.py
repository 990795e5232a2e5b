# SPDX-License-Identifier: BSD-3-Clause
"""Knows the jobs of the benches: which programs they need, the command that takes one short sample
of all their cells, and how figures are read from its output. A job of the drivers of `tutti bench`,
of the BLACS and of LU verifies its results and fails if one is wrong. No job runs a peer, except
that bench_mpi_programs measures the MPI in the same loop; its figures are not read.

Reading is tolerant, because an older build may lack cells or print more about them: fields are
found by name, and cells that only one build has are told at the end."""
import collections
import itertools
import json
import os
import statistics
from dataclasses import dataclass, field
from typing import Callable

import mpi_launchers

from common import sampling

TUTTI = "bin/tutti"
SIZES = (8, 64, 512, 4096, 32768, 262144, 1048576)
COLL_RANKS = {2: (SIZES, "0/5"), 4: (SIZES[:-1], "0/1"), 8: (SIZES[::2], "0/1")}
OPERATIONS = ("barrier", "bcast", "reduce", "allreduce", "gather", "scatter", "allgather",
              "reduce_scatter", "alltoall", "scan", "exscan")
SAMPLE_US = 1000
counter = itertools.count()


@dataclass
class Job:
    """Is what one command measures. `read` gets the output and the seconds of the command, and
    returns {cell: (figure, distance of the processors or None)}."""
    bench: str
    name: str
    ranks: int
    command: Callable
    read: Callable
    programs: tuple = (TUTTI,)
    unit: str = "us"
    needs: str | None = None  # an MPI
    variables: Callable = field(default=lambda build: {})

    def lacks(self, build):
        """Returns what a build lacks to run the job, or None."""
        if self.needs and not mpi_launchers.installed(self.needs):
            return f"{self.needs} is not installed"
        return next((f"{build / program} is not there" for program in self.programs
                     if not os.access(build / program, os.X_OK)), None)


def launched(build, ranks):
    return [build / TUTTI, "run", "-n", ranks, "--timeout", 100]


def json_lines(text):
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


def settled(rows):
    """Returns the median of (figure, distance) rows at their most frequent distance, and that. The
    distance "mixed" is only taken if there is no other."""
    counts = collections.Counter(place for _, place in rows if place != "mixed")
    if not counts:
        return statistics.median(us for us, _ in rows), "mixed"
    most = counts.most_common(1)[0][0]
    return statistics.median(us for us, place in rows if place == most), most


def by_cell(samples, name_of):
    """Returns the cells of samples that the drivers print as objects with `us` and `placement`."""
    rows = collections.defaultdict(list)
    for sample in samples:
        if "us" in sample:
            rows[name_of(sample)].append((sample["us"], sample.get("placement", "mixed")))
    return {name: settled(found) for name, found in rows.items()}


def unplaced(rows):
    return {name: (value, None) for name, value in rows}


# ---- lat, choice ----


def lat():
    program = "bench/bench_lat"

    def read(text, _):
        return {f"{row['op']} 8 B p=2": (row["median_us"], row.get("placement", "mixed"))
                for row in json.loads(text)["results"]}

    return [Job("lat", "p=2", 2, lambda build, _: [build / program, "--json", "--pairs", 100], read,
                (TUTTI, program))]


def choice():
    program = "bench/bench_choice"

    def read(text, _):
        return unplaced((row["name"], row["median_ns"]) for row in json.loads(text)["results"])

    return [Job("choice", "all", 1,
                lambda build, _: [build / program, "--json", "--series", 60], read, (program,),
                "ns")]


# ---- coll ----


def worker(build):
    """Returns the words that start a process of `tutti bench`. In older builds, the command itself
    has that verb."""
    measure = build / "bin/tutti-measure"
    return [measure if measure.exists() else build / TUTTI, "bench-worker", "tutti"]


def worker_cells(ranks, sizes, operations=OPERATIONS):
    """Returns the cells for the driver. With one part for each rank, sizes stop earlier."""
    words = ["barrier:0"] if "barrier" in operations else []
    for operation in operations:
        parts = ranks if operation in ("gather", "scatter", "allgather", "reduce_scatter",
                                       "alltoall") else 1
        words += [f"{operation}:{size}" for size in sizes
                  if operation != "barrier" and size * parts <= 4 << 20]
    return ",".join(words)


def collective_name(ranks, more=""):
    return lambda sample: f"{sample['op']} {sample['bytes']} B{more} p={ranks}"


def coll():
    jobs = []
    for ranks, (sizes, rounds) in COLL_RANKS.items():
        def command(build, lines, ranks=ranks, sizes=sizes, rounds=rounds):
            return [*launched(build, ranks), *worker(build), lines, rounds, SAMPLE_US,
                    worker_cells(ranks, sizes)]

        def read(text, _, ranks=ranks):
            return by_cell(json_lines(text), collective_name(ranks))

        jobs.append(Job("coll", f"p={ranks}", ranks, command, read))
    return jobs


# ---- blacs, lu ----


def blacs():
    program = "bench/blacs_driver_tutti"
    jobs = []
    for grid, sizes, calls in (("1x2", "1,5,64,1024,8192,65536,524288", 200),
                               ("2x2", "1,64,1024,65536", 20)):
        rows, columns = map(int, grid.split("x"))

        def command(build, lines, shape=(rows, columns), sizes=sizes, calls=calls):
            return [*launched(build, shape[0] * shape[1]), *sampling.FIRST, build / program,
                    "tutti", *shape, lines, calls, sizes, " 1HI", "c"]

        def read(text, _, grid=grid):
            return by_cell(json_lines(text), lambda sample: (
                f"{sample['op']} '{sample['top']}' {sample['doubles']} doubles {grid}"))

        jobs.append(Job("blacs", grid, rows * columns, command, read, (TUTTI, program)))
    return jobs


def lu():
    program = "bench/lu_driver_tutti"
    jobs = []
    for rows, columns in ((1, 2), (2, 1)):
        def command(build, lines, rows=rows, columns=columns):
            return [*launched(build, 2), *sampling.FIRST, build / program, "tutti", rows, columns,
                    lines, 1000, 64, 0.3]

        def read(text, _):
            return by_cell(json_lines(text), lambda sample: f"n = {sample['n']} {sample['grid']}")

        jobs.append(Job("lu", f"{rows}x{columns}", 2, command, read, (TUTTI, program)))
    return jobs


# ---- bsp, pvm ----


def bsp_cells(text, sizes, counts):
    """Returns the cells of the lines l and g of the measuring program, those of g only with these
    sizes and counts, in microseconds. f and w measure computation."""
    found = []
    for line in text.splitlines():
        words = line.split(",")
        if words[0] == "l" and len(words) == 3:
            found.append((f"l after {words[1]}", float(words[2]) * 1e6))
        elif words[0] == "g" and len(words) == 6 and (
                int(words[3]) in sizes and int(words[4]) in counts):
            _, pattern, access, size, count, seconds = words
            found.append((f"{pattern} {access}, {count} of {size} words", float(seconds) * 1e6))
    return found


def bsp():
    program = "bin/tutti-bsp-probe"
    jobs = []
    for ranks, words, messages, only in ((2, 4096, 64, ()), (4, 64, 1, ("l",))):
        def command(build, _, ranks=ranks, settings=(words, messages, 2, 500, 0, *only)):
            return [*launched(build, ranks), build / program, *settings]

        def read(text, _, ranks=ranks):
            return unplaced((f"{name} p={ranks}", us)
                            for name, us in bsp_cells(text, (1, 64, 4096), (1, 64)))

        jobs.append(Job("bsp", f"p={ranks}", ranks, command, read, (TUTTI, program)))
    return jobs


def pvm():
    program = "bench/pvm_calls"
    jobs = []
    for tasks, group in itertools.product((2, 4), ("dynamic", "frozen")):
        def command(build, _, tasks=tasks, group=group):
            return [build / program, tasks, 100, group, "default",
                    f"against{os.getpid()}_{next(counter)}"]

        def read(text, _, tasks=tasks, group=group):
            rows = (line.split() for line in text.splitlines())
            return unplaced((f"{what} {count} integers, {group} p={tasks}", float(us))
                            for what, count, us in rows)

        jobs.append(Job("pvm", f"{group} p={tasks}", tasks, command, read, (program,),
                        variables=lambda build: {
                            "LD_LIBRARY_PATH": str(build / "frontends/pvm/lib")}))
    return jobs
