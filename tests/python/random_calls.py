# SPDX-License-Identifier: BSD-3-Clause
"""random_calls.py [CALLS [SEED]]: compares random calls with NumPy's results on the inputs of all
ranks. All ranks draw the same numbers, so each knows what the others give."""

import random
import sys

import numpy as np

import tutti

OPERATORS: dict[str, np.ufunc] = {"sum": np.add, "max": np.maximum, "min": np.minimum,
                                  "product": np.multiply}
COMBINED = ("bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 "
            "complex64 complex128").split()
MOVED = COMBINED + "S3 longdouble".split()
OPERATIONS = ("allreduce reduce scan exscan bcast gather allgather scatter reduce_scatter "
              "alltoall").split()


class Case:
    """One call: its operation, and the inputs of all ranks."""

    def __init__(self, draw, size):
        self.draw, self.size = draw, size
        self.operation = draw.choice(OPERATIONS)
        self.combines = self.operation in ("allreduce", "reduce", "scan", "exscan",
                                           "reduce_scatter")
        self.dtype = np.dtype(draw.choice(COMBINED if self.combines else MOVED))
        self.op = draw.choice(["sum"] if self.dtype.kind == "c" else list(OPERATORS))
        self.root = draw.randrange(size)
        self.rest = tuple(draw.randrange(1, 4) for _ in range(draw.randrange(3)))
        self.counted = draw.random() < 0.5 and self.operation in (
            "gather", "allgather", "scatter", "reduce_scatter", "alltoall")
        self.counts = [[draw.randrange(4) for _ in range(size)] for _ in range(size)]
        self.way = draw.choice(["now", "now", "started", "prepared"])
        self.in_place = draw.random() < 0.3 and self.operation in ("allreduce", "scan")
        self.rows = draw.randrange(1, 5)

    def values(self, rows):
        shape = (rows, *self.rest)
        count = int(np.prod(shape))
        numbers = np.array([self.draw.randrange(1, 3) for _ in range(count)])
        return numbers.astype(self.dtype).reshape(shape)

    def inputs(self):
        """The inputs of all ranks."""
        total = self.rows * self.size
        first = self.counts[0]
        if self.operation in ("scatter", "reduce_scatter"):
            return [self.values(sum(first) if self.counted else total) for _ in range(self.size)]
        if self.operation == "alltoall":
            return [self.values(sum(mine) if self.counted else total) for mine in self.counts]
        if self.counted:
            return [self.values(count) for count in first]
        return [self.values(self.rows) for _ in range(self.size)]

    def cuts(self, counts):
        return np.cumsum(counts if self.counted else [self.rows] * self.size)[:-1]

    def folded(self, inputs):
        result = inputs[0]
        for one in inputs[1:]:
            result = OPERATORS[self.op](result, one)
        return result

    def expected(self, inputs, rank):
        """Returns what NumPy says that this rank gets; None for nothing."""
        if self.operation in ("reduce", "gather") and rank != self.root:
            return None
        if self.operation in ("allreduce", "reduce"):
            return self.folded(inputs)
        if self.operation == "scan":
            return self.folded(inputs[:rank + 1])
        if self.operation == "exscan":
            return self.folded(inputs[:rank]) if rank else None
        if self.operation == "bcast":
            return inputs[self.root]
        if self.operation in ("gather", "allgather"):
            return np.concatenate(inputs) if self.counted else np.stack(inputs)
        if self.operation == "scatter":
            return np.split(inputs[self.root], self.cuts(self.counts[0]))[rank]
        if self.operation == "reduce_scatter":
            return np.split(self.folded(inputs), self.cuts(self.counts[0]))[rank]
        parts = [np.split(one, self.cuts(mine))[rank] for one, mine in zip(inputs, self.counts)]
        return np.concatenate(parts)

    def given_counts(self, rank):
        if self.operation == "alltoall":
            return self.counts[rank], [mine[rank] for mine in self.counts]
        return self.counts[0]

    def layout(self, data):
        """The data in one of several places in memory."""
        kind = self.draw.choice(["plain", "fortran", "rows", "sparse"])
        if self.way != "now" or kind == "plain":
            return data.copy()
        if kind == "fortran":
            return np.asfortranarray(data)
        shape = list(data.shape)
        shape[-1 if kind == "rows" else 0] *= 2
        wide = np.zeros(shape, data.dtype)
        view = wide[..., :data.shape[-1]] if kind == "rows" else wide[::2]
        view[...] = data
        return view

    def run(self, group):
        """Runs the call on this rank. Returns the result and what NumPy says."""
        inputs = self.inputs()
        layouts = [self.layout(one) for one in inputs]  # all ranks draw all of them
        data = layouts[group.rank]
        expected = self.expected(inputs, group.rank)
        names = {}
        if self.combines:
            names["op"] = self.op
        if self.counted:
            names["counts"] = self.given_counts(group.rank)
        if self.operation in ("reduce", "bcast", "gather", "scatter"):
            names["root"] = self.root
        if self.operation == "scatter":
            names["out"] = np.empty_like(expected)
        elif self.in_place:
            names["out"] = data
        return self.call(group, data, names), expected

    def call(self, group, data, names):
        if self.way == "now":
            return getattr(group, self.operation)(data, **names)
        if self.way == "started":
            return getattr(group, "i" + self.operation)(data, **names).wait()
        prepared = getattr(group, self.operation + "_init")(data, **names)
        result = prepared()
        prepared.free()
        return result


def main(calls, seed):
    world = tutti.world
    draw = random.Random(seed)
    for number in range(calls):
        case = Case(draw, world.size)
        result, expected = case.run(world)
        same = result is None if expected is None else (
            result.dtype == case.dtype and result.shape == expected.shape
            and np.array_equal(result, expected))
        assert same, (f"seed {seed}, call {number}, rank {world.rank}: {vars(case)}\n"
                      f"{result}\nNumPy: {expected}")
    if world.rank == 0:
        print(f"{calls} random calls OK")


main(int(sys.argv[1]) if len(sys.argv) > 1 else 400, sys.argv[2] if len(sys.argv) > 2 else "1")
