# SPDX-License-Identifier: BSD-3-Clause
"""Users of NumPy give functions of NumPy as operators, ask for means, and give lists."""

import operator
from typing import Any

import numpy as np

import tutti
from messages import Tensor

FLOATING = ("float16", "float32", "float64", "complex64", "complex128")


def functions(world):
    inputs = [np.arange(6) % 4 + rank for rank in range(world.size)]
    mine = inputs[world.rank]
    function: Any
    for function in (np.add, np.multiply, np.maximum, np.minimum, np.bitwise_and, np.bitwise_or,
                     np.bitwise_xor, np.logical_and, np.logical_or, np.logical_xor):
        wanted = inputs[0]
        for one in inputs[1:]:
            wanted = function(wanted, one).astype(wanted.dtype)
        result = world.allreduce(mine, op=function)
        assert np.array_equal(result, wanted), (function, result, wanted)
    for other, name in ((np.sum, "sum"), (np.prod, "product"), (np.max, "max"), (max, "max"),
                        (np.min, "min"), (operator.add, "sum"), (operator.xor, "bit_xor")):
        same = world.allreduce(mine, op=name)
        assert np.array_equal(world.allreduce(mine, op=other), same), other


def means(world):
    p, me = world.size, world.rank
    for name in FLOATING:
        inputs = [(np.arange(40) * (7 + rank) % 19 - 9).astype(name) for rank in range(p)]
        # The sums are exact, so that only the division rounds, once.
        wanted = (np.sum(inputs, axis=0).real / p).astype(name)
        x = inputs[me]
        assert np.array_equal(world.allreduce(x, op="mean"), wanted), name
        assert np.array_equal(world.iallreduce(x, op=np.mean).wait(), wanted), name
        plan = world.plan("allreduce", "direct")
        assert np.array_equal(plan(x, op="mean"), wanted), name
        again, out = x.copy(), np.empty_like(x)
        prepared = world.allreduce_init(again, out, "mean")
        for _ in range(2):
            assert np.array_equal(prepared(), wanted), name
        columns = np.stack([x, x])[:, ::2]
        world.allreduce(columns, out=columns, op="mean")
        assert np.array_equal(columns, np.stack([wanted, wanted])[:, ::2]), name
        rows = np.zeros((2, 50), name)
        rows[:, :40] = x
        world.allreduce(rows[:, :40], out=rows[:, :40], op="mean")
        assert np.array_equal(rows[1, :40], wanted) and not rows[:, 40:].any(), name
        total = world.reduce(x, op="mean", root=p - 1)
        assert total is None if me < p - 1 else np.array_equal(total, wanted), name
        part = world.reduce_scatter(np.tile(x, p), op="mean")
        assert np.array_equal(part, wanted), name
    assert world.allreduce(me + 0.5, op="mean") == p / 2


def every_half(world):
    """All numbers of half precision, which are divided by themselves."""
    every = np.arange(65536, dtype="uint16").view("float16")
    with np.errstate(all="ignore"):
        x = every if world.rank == 0 else np.zeros_like(every)
        wanted = (every.astype("float64") / world.size).astype("float16")
        result = world.allreduce(x, op="mean")
    assert np.array_equal(result, wanted, equal_nan=True)


def every_bfloat16(world):
    """All numbers of bfloat16, which is the upper half of a float."""
    every = np.arange(65536, dtype="uint16")
    data = Tensor(every.copy() if world.rank == 0 else np.zeros_like(every), code=4)
    world.allreduce(data, data, op="mean")
    with np.errstate(all="ignore"):
        bits = (as_floats(every) / np.float32(world.size)).view("uint32")
    nearest = (bits + 0x7fff + (bits >> 16 & 1)) >> 16
    wanted = np.where(np.isnan(as_floats(every)), every, nearest)
    assert np.array_equal(as_floats(data.array), as_floats(wanted), equal_nan=True)


def as_floats(bfloat16):
    return (bfloat16.astype("uint32") << 16).view("float32")


def lists(world):
    p, me = world.size, world.rank
    total = p * (p - 1) // 2
    assert world.allreduce([me, 1]) == [total, p]
    assert world.allreduce((me, 0.5)) == [total, p / 2]
    assert world.allreduce([me, 1j]) == [total, p * 1j]
    assert world.allreduce([np.int64(me), True]) == [total, p]
    assert world.allreduce([me + 0.0], op="mean") == [total / p]
    assert world.allreduce([]) == []
    assert world.reduce([me], op=max) == ([p - 1] if me == 0 else None)
    assert world.bcast([1, 2] if me == 0 else [0, 0]) == [1, 2]
    assert world.gather([me, 7]) == ([[r, 7] for r in range(p)] if me == 0 else None)
    assert world.allgather([me]) == [[r] for r in range(p)]
    counts = [r + 1 for r in range(p)]
    assert world.allgather([me] * (me + 1), counts=counts) == [r for r in range(p)
                                                               for _ in range(r + 1)]
    assert world.alltoall([10 * me + r for r in range(p)]) == [10 * r + me for r in range(p)]
    assert world.reduce_scatter([1] * 2 * p) == [p, p]
    assert world.scan([1, me]) == [me + 1, me * (me + 1) // 2]
    assert world.exscan([2]) == (None if me == 0 else [2 * me])
    out = np.empty(2, int)
    assert world.scatter(list(range(2 * p)) if me == 0 else None, out) is out
    assert out.tolist() == [2 * me, 2 * me + 1]
    came = np.empty(2)
    request = world.irecv(came, (me - 1) % p)
    world.send([me + 0.5, 1.0], (me + 1) % p)
    request.wait()
    assert came.tolist() == [(me - 1) % p + 0.5, 1.0]
    assert world.iallreduce([me]).wait() == [total]


def scalars(world):
    """A scalar of NumPy gives one of the same type, and True and False stay what they are."""
    p, me = world.size, world.rank
    value: Any
    for value in (np.float32(2.5), np.int64(7), np.float16(1.5), np.complex64(1 + 2j),
                  np.float64(0.5), np.bool_(True), np.datetime64("2026-11-30")):
        mine = value if me == p - 1 else np.zeros((), value.dtype)[()]
        moved = world.bcast(mine, root=p - 1)
        assert type(moved) is type(value) and moved == value, (value, moved)  # not an array
        assert moved.dtype == value.dtype and world.ibcast(mine, root=p - 1).wait() == value
        every = world.allgather(value)
        assert every.dtype == value.dtype and every.shape == (p,) and (every == value).all()
        if value.dtype.kind in "fic":
            total = world.allreduce(value)
            assert type(total) is type(value) and total == value * p, (value, total)
    out = np.zeros(1, "float32")
    assert world.allreduce(np.float32(1), out) is out and out[0] == p
    assert world.bcast(me == 0) is True and world.bcast([me == 0, False]) == [True, False]
    assert world.allgather(me == 0) == [r == 0 for r in range(p)]
    assert world.allreduce(True) == p
    assert world.bcast(7 if me == 0 else False) == 7
    assert world.allgather(True if me == 0 else me + 1)[1:] == list(range(2, p + 1))


def main():
    for part in (functions, means, every_half, every_bfloat16, lists, scalars):
        part(tutti.world)


if __name__ == "__main__":
    main()
    print("OK")
