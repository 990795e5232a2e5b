# SPDX-License-Identifier: BSD-3-Clause
"""Knows the jobs of the benches of NX, of the front ends' messages and of MPI, and what a job
costs besides its calls."""
import json
import re
from collections import defaultdict

import mpi_launchers

from against.builds import MEMORY
from against.subjects import (TUTTI, Job, by_cell, collective_name, json_lines, launched, unplaced,
                              worker, worker_cells)

LEAST_PERCENT = 0.5  # a tenth of the goal of bench_limits.py; less is not told apart
GRIDS = {2: (1, 2), 4: (2, 2)}
WAYS = ("icc", "nx", "blacs-1", "blacs-H")
EXCHANGED = re.compile(r"(\S+) +(\d+) bytes: longest \S+ mean \S+ shortest \S+ median (\S+) us")


def libraries(ranks):
    """Broadcasts and sums by iCC, by NX and by two topologies of the BLACS, in one job."""
    program = "bin/tutti-nx-libraries"
    cells = ",".join(f"{operation}:{size}/" + "/".join(WAYS) for operation in ("bcast", "allreduce")
                     for size in (16, 1024, 65536))

    def command(build, lines):
        return [*launched(build, ranks), build / program, "All", *GRIDS[ranks], "tutti", lines,
                "0/2", 1000, cells]

    def read(text, _):
        single = [{**line, "op": f"{line['op']} by {way}", "us": us}
                  for line in json_lines(text) if "us" in line
                  for way, us in zip(WAYS, line["us"])]
        return by_cell(single, collective_name(ranks))

    return Job("nx", f"libraries p={ranks}", ranks, command, read, (TUTTI, program),
               variables=lambda build: {"TUTTI_NX_COLLECTIVES": "nx"})


def exchanges(nodes):
    program = "bin/tutti-nx-exchange"

    def read(text, _):
        if ": 0 wrong bytes" not in text:
            raise ValueError("an exchange is wrong")
        return unplaced((f"exchange {name} {size} B p={nodes}", float(us))
                        for name, size, us in EXCHANGED.findall(text))

    return Job("nx", f"exchange p={nodes}", nodes,
               lambda build, _: [build / program, "-sz", nodes, 20, 0.5, 0.001, 1, 64, 4096], read,
               (program,))


def messages(nodes):
    program = "bin/tutti-nx-messages"

    def read(text, _):
        rows = (line.split() for line in text.splitlines())
        return unplaced((f"message {words[1]} {words[3]} B over {words[2]} p={nodes}",
                         float(words[4])) for words in rows if words[:1] == ["message"])

    return Job("nx", f"messages p={nodes}", nodes,
               lambda build, _: [build / program, "-sz", nodes, 10, 400, 100, 1000, 500], read,
               (program,))


def sums(tasks):
    """Sums by gisum, by tutti_reduce and by PVM, in one job."""
    program = "frontends/pvm/bin/pvm-probe"

    def read(text, _):
        rows = (line.split() for line in text.splitlines())
        return unplaced((f"sum by {way} {count} integers p={tasks}", float(us))
                        for way, count, us in rows)

    return Job("nx", f"sums p={tasks}", tasks,
               lambda build, _: [*launched(build, tasks), build / program, 50, 3], read,
               (TUTTI, program))


def nx():
    return [libraries(2), libraries(4), exchanges(2), exchanges(4), messages(2), sums(2), sums(4)]


def fronts():
    """Long messages of the front ends to and fro. PVM's program starts its second task itself."""
    jobs = []
    for interface in ("blacs", "bsp", "nx", "pvm"):
        program = f"bench/bench_messages_{interface}"

        def command(build, _, program=program, by_itself=interface == "pvm"):
            return [*([] if by_itself else launched(build, 2)), build / program, 2]

        def read(text, _):
            rows = (line.split() for line in text.splitlines())
            times = defaultdict(list)
            for words in rows:
                if words[:1] == ["message"]:
                    times[f"message {words[1]} {words[2]} B"].append(float(words[3]))
            return unplaced((cell, min(us)) for cell, us in times.items())

        jobs.append(Job("fronts", interface, 2, command, read, (TUTTI, program)))
    return jobs


def under(flavour, ranks):
    """tutti under the launcher of an MPI."""
    cells = worker_cells(ranks, (8, 4096, 262144), ("barrier", "bcast", "allreduce"))

    def command(build, lines):
        return [*mpi_launchers.launcher(flavour, ranks), *worker(build), lines, "0/5", 1000, cells]

    return Job("mpi", f"{flavour} p={ranks}", ranks, command, lambda text, _: by_cell(
        json_lines(text), collective_name(ranks, f" under {flavour}")), needs=flavour)


def programs(flavour, ranks):
    """A program of an MPI by `tutti mpi`. It prints the time by tutti, then that by the MPI."""
    program = f"bench/bench_mpi_programs_{flavour}"

    def command(build, _):
        return [*mpi_launchers.launcher(flavour, ranks), build / TUTTI, "mpi", build / program, 3,
                300, "8,4096,262144"]

    def read(text, _):
        rows = (line.split() for line in text.splitlines())
        return unplaced((f"{words[0]} {words[1]} {words[2]} B by {flavour} p={ranks}",
                         float(words[3])) for words in rows if len(words) == 5)

    return Job("mpi", f"programs {flavour} p={ranks}", ranks, command, read, (TUTTI, program),
               needs=flavour)


def mpi():
    return [job(flavour, 2) for flavour in mpi_launchers.LAUNCHERS for job in (under, programs)]


def memory(text, _):
    row = json.loads(text)
    return unplaced([(f"memory of a process p={row['processes']}", row["shared_mib_per_process"])])


def waiting(text, _):
    return unplaced((f"busy while waiting in {row['operation']} {row['bytes']} B "
                     f"p={row['processes']}", max(row["busy_percent"], LEAST_PERCENT))
                    for row in json_lines(text))


def limits():
    """Start, memory after all collectives and after two small ones, and waiting."""
    def job(name, ranks, unit, read, *words, program="bench/bench_limits"):
        return Job("limits", name, ranks,
                   lambda build, _: [*launched(build, ranks), build / program, *words], read,
                   (TUTTI, program), unit)

    return [job("start p=64", 64, "s", lambda _, seconds: unplaced([("start p=64", seconds)]),
                "start"),
            job("memory p=2", 2, "MiB", memory, "memory"),
            job("memory p=16", 16, "MiB", memory, "memory"),
            job("memory p=512", 512, "MiB", memory, program=MEMORY),
            job("waiting p=2", 2, "%", waiting, "waiting", 4096),
            job("waiting p=16", 16, "%", waiting, "waiting", 8)]
