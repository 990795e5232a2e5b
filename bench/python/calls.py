# SPDX-License-Identifier: BSD-3-Clause
"""calls.py LIBRARY ELEMENTS TURNS [mpi4py]: times an allreduce of doubles, called in several ways
that take turns in one job: from C (LIBRARY, see calls.c), from Python, and by mpi4py if its name
stands at the end. Rank 0 prints {way: [seconds of one call, ...]} as JSON.

Each sample is a series of calls of about 2 ms. Its time is that of the slowest rank."""
import ctypes
import json
import sys
import timeit

import numpy
import tutti

SAMPLE_SECONDS = 0.002


def ways_of(library, elements, with_mpi):
    """Returns {statement, or "C": function(calls) that returns the seconds of one call}."""
    world = tutti.world
    x, y = numpy.arange(1.0, elements + 1), numpy.empty(elements)
    in_c = ctypes.CDLL(library).tutti_bench_allreduce
    in_c.restype = ctypes.c_double
    in_c.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int]
    names = {"world": world, "x": x, "y": y, "prepared": world.allreduce_init(x, y)}
    statements = ["world.allreduce(x, out=y)", "world.allreduce(x)", "prepared()"]
    if elements == 1:
        statements.append("world.allreduce(1.5)")
    if with_mpi:
        from mpi4py import MPI  # pylint: disable=import-outside-toplevel
        names["comm"] = MPI.COMM_WORLD
        statements += ["comm.Allreduce(x, y)"] + ["comm.allreduce(1.5)"] * (elements == 1)
    ways = {"C": lambda calls: in_c(x.ctypes.data, y.ctypes.data, elements, calls)}
    for statement in statements:
        timer = timeit.Timer(statement, globals=names)
        ways[statement] = lambda calls, timer=timer: timer.timeit(calls) / calls
    results = {"world.allreduce(x)": x * world.size}
    results.update({call: 1.5 * world.size for call in statements if "1.5" in call})
    for way, series in ways.items():
        y[:] = -1
        done = series(1) >= 0
        found = eval(way, names) if way in results else y  # pylint: disable=eval-used
        if not done or not numpy.array_equal(found, results.get(way, x * world.size)):
            sys.exit(f"{way}: the result is wrong")
    return ways


def main():
    library, elements, turns = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    ways, world = ways_of(library, elements, "mpi4py" in sys.argv[4:]), tutti.world

    def slowest(seconds):
        return world.allreduce(seconds, op="max")

    calls = {way: 1 + int(SAMPLE_SECONDS / slowest(series(20))) for way, series in ways.items()}
    samples = {way: [] for way in ways}
    for _ in range(turns):
        for way, series in ways.items():
            world.barrier()
            samples[way].append(slowest(series(calls[way])))
    if world.rank == 0:
        print(json.dumps(samples))


if __name__ == "__main__":
    main()
