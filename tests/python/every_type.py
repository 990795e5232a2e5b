# SPDX-License-Identifier: BSD-3-Clause
"""Every operation that combines, with every type and every operator, against NumPy on the inputs of
all ranks. Integers of 8 and 16 bits take all their values, and so does float16 between two ranks;
other numbers are small, so that no order of the ranks rounds them."""

from functools import reduce

import numpy as np

import tutti
from dtypes import COMBINED

LOGICAL: dict[str, np.ufunc] = {"logical_and": np.logical_and, "logical_or": np.logical_or,
                                "logical_xor": np.logical_xor}
BITS = {"bit_and": np.bitwise_and, "bit_or": np.bitwise_or, "bit_xor": np.bitwise_xor}
ORDER = {"max": np.maximum, "min": np.minimum}
NUMBERS = {"sum": np.add, "product": np.multiply}
OPERATORS = [*NUMBERS, *ORDER, "absmax", "absmin", *LOGICAL, *BITS]


def magnitude(x):
    """The absolute value, which is exact for the smallest integer, too."""
    if x.dtype.kind == "c":
        return np.abs(x.real) + np.abs(x.imag)
    return np.abs(x.astype("O")) if x.dtype.itemsize == 8 and x.dtype.kind in "iu" else np.abs(
        x.astype("int64" if x.dtype.kind in "iub" else x.dtype))


def by_magnitude(sign):
    """The operator that keeps the operand of greater (1) or smaller (-1) magnitude."""

    def choose(a, b):
        x, y = magnitude(a), magnitude(b)
        ahead = (a.real > b.real) | ((a.real == b.real) & (a.imag >= b.imag))
        first = (x > y if sign > 0 else x < y) | ((x == y) & ahead)
        return np.where(first | np.isnan(a), a, b) if a.dtype.kind in "fc" else np.where(
            first.astype(bool), a, b)

    return choose


def function_of(operator, dtype):
    """Returns the function of NumPy for an operator; None if it does not serve the type."""
    if operator in ("absmax", "absmin"):
        return by_magnitude(1 if operator == "absmax" else -1)
    if operator in NUMBERS:
        return NUMBERS[operator]
    if operator in ORDER:
        return ORDER[operator] if dtype.kind != "c" else None
    if dtype.kind not in "iub":
        return None
    if operator in BITS:
        return BITS[operator]
    return lambda a, b: LOGICAL[operator](a, b).astype(dtype)


def values(dtype, rank, size):
    """The input of a rank."""
    if dtype.kind == "b":
        return np.array([rank % 2, 1, 0, rank == 0] * size, bool)
    if dtype.itemsize <= 2 and dtype.kind in "iu":
        count = 256**dtype.itemsize
        scattered = np.arange(count) * (2 * rank + 1) + rank
        return np.resize(scattered, count * size).astype(dtype)
    numbers = np.arange(60 * size) * (rank + 3) % 5 - (0 if dtype.kind == "u" else 2)
    result = numbers.astype(dtype)
    return result + 1j * result[::-1] if dtype.kind == "c" else result


def check(world, dtype, operator):
    function = function_of(operator, dtype)
    inputs = [values(dtype, rank, world.size).astype(dtype) for rank in range(world.size)]
    mine, me = inputs[world.rank], world.rank
    if function is None:
        try:
            world.allreduce(mine, op=operator)
        except tutti.InvalidArgument as error:
            assert f"no {operator} of {dtype.name}" in str(error), error
            return
        raise AssertionError(f"{operator} of {dtype}")
    with np.errstate(all="ignore"):
        so_far = [reduce(function, inputs[:rank + 1]) for rank in range(world.size)]
    whole = so_far[-1]
    results = {"allreduce": (world.allreduce(mine, op=operator), whole),
               "reduce": (world.reduce(mine, op=operator), whole if me == 0 else None),
               "scan": (world.scan(mine, op=operator), so_far[me]),
               "exscan": (world.exscan(mine, op=operator), so_far[me - 1] if me else None),
               "reduce_scatter": (world.reduce_scatter(mine, op=operator),
                                  np.split(whole, world.size)[me])}
    for name, (result, expected) in results.items():
        same = expected is None and result is None or np.array_equal(result, expected)
        assert same, (name, operator, dtype, me, result, expected)


def every_float16(world):
    if world.size != 2:
        return
    bits = np.arange(65536, dtype="uint16")
    inputs = [bits.view("float16"), (bits * np.uint16(40503)).view("float16")]
    for operator in [*NUMBERS, *ORDER]:
        with np.errstate(all="ignore"):
            expected = function_of(operator, np.dtype("float16"))(*inputs)
        result = world.allreduce(inputs[world.rank], op=operator)
        assert np.array_equal(result, expected, equal_nan=True), operator


def main():
    for name in COMBINED:
        for operator in OPERATORS:
            check(tutti.world, np.dtype(name), operator)
    every_float16(tutti.world)


if __name__ == "__main__":
    main()
    print("OK")
