# SPDX-License-Identifier: BSD-3-Clause
"""Started and prepared calls, plans, groups, operators and Python objects."""

import gc
import warnings

import numpy as np

import tutti


@tutti.op("float64")
def longest(left, right):
    return np.maximum(np.abs(left), np.abs(right))


@tutti.op(np.dtype("int64"), commutative=False)
def last_not_zero(left, right):
    return np.where(right != 0, right, left)


@tutti.op("int64", whole=True)
def backwards_sum(left, right):
    return (left[::-1] + right[::-1])[::-1]


def requests(world):
    data = np.arange(100.0)
    running = [world.iallreduce(data * k) for k in range(1, 4)]
    assert world.ibarrier().wait() is None
    for k, result in enumerate(tutti.wait_all(running), 1):
        assert np.array_equal(result, data * k * world.size)
    out = np.empty_like(data)
    prepared = world.allreduce_init(data, out)
    for turn in range(3):
        data[:] = turn
        assert prepared() is out and np.all(out == turn * world.size)
    prepared.start()
    while not prepared.test():
        pass
    prepared.free()
    number = world.ireduce(world.rank, root=0)
    assert number.wait() == (sum(range(world.size)) if world.rank == 0 else None)


def forgotten(world):
    """A request that nobody waits for keeps its arrays until it is done."""
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        for _ in range(50):
            world.iallreduce(np.ones(1000), np.empty(1000))
            gc.collect(0)
        world.barrier()
    kinds = {warning.category for warning in seen}
    assert kinds == {ResourceWarning}, kinds


def operators(world):
    data = np.full(10, float(-world.rank))
    assert np.all(world.allreduce(data, op=longest) == world.size - 1)
    mine = np.array([0, world.rank + 1, 5 if world.rank == 0 else 0])
    assert list(world.allreduce(mine, op=last_not_zero)) == [0, world.size, 5]
    plan = world.plan("allreduce", "mst")
    assert np.array_equal(plan(mine, op=backwards_sum), world.allreduce(mine))
    assert np.array_equal(world.allreduce(mine, op=tutti.MAX), world.allreduce(mine, op="max"))


def plans(world):
    data = np.arange(12.0) + world.rank
    expected = world.allreduce(data)
    for algorithm in (None, "mst", "direct"):
        plan = world.plan("allreduce", algorithm, bytes=data.nbytes)
        assert plan.operation == "allreduce" and algorithm in (None, plan.algorithm)
        assert isinstance(plan.text, str) and len(repr(plan)) < 300
        out = np.empty_like(data)
        assert plan(data, out) is out and np.array_equal(out, expected)
    counts = list(range(1, world.size + 1))
    whole = world.plan("allgather")(np.full(world.rank + 1, world.rank), counts=counts)
    assert np.array_equal(whole, np.repeat(np.arange(world.size), counts))


def groups(world):
    part = world.split(world.rank % 2, key=-world.rank)
    assert part.size == len(range(world.rank % 2, world.size, 2))
    assert part.allgather(world.rank) == list(range(world.rank % 2, world.size, 2))[::-1]
    part.free()
    none = world.split(None if world.rank else 0)
    assert (none is None) == (world.rank > 0)
    row, column = world.mesh(1, world.size)
    assert (row.size, column.size) == (world.size, 1)
    if world.rank == 0:
        assert world.create([0]).size == 1
    with world.dup() as other:
        other.barrier()


def objects(world):
    value = {"rank": world.rank, "text": "x" * world.rank}
    everyone = world.allgather_object(value)
    assert [one["rank"] for one in everyone] == list(range(world.size))
    assert world.bcast_object(value)["rank"] == 0
    assert world.gather_object(value) == (everyone if world.rank == 0 else None)
    world.send_object(value, (world.rank + 1) % world.size, tag=4)
    received, status = world.recv_object()
    assert received == everyone[status.source] and status.tag == 4


def main():
    world = tutti.world
    for part in (requests, forgotten, operators, plans, groups, objects):
        part(world)


if __name__ == "__main__":
    main()
    print("OK")
