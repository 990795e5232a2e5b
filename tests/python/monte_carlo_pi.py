# SPDX-License-Identifier: BSD-3-Clause
"""Estimates pi with Python's own numbers only: they are combined and give numbers."""

import random

import tutti


def main():
    world = tutti.world
    points = 2000
    dice = random.Random(world.rank)
    hits = sum(dice.random()**2 + dice.random()**2 < 1 for _ in range(points))
    total = world.allreduce(hits)
    assert type(total) is int
    everyone = world.allgather(hits)
    assert type(everyone) is list and sum(everyone) == total and everyone[world.rank] == hits
    estimate = world.bcast(4 * total / (points * world.size) if world.rank == 0 else 0.0)
    assert type(estimate) is float and abs(estimate - 3.14) < 0.2
    assert world.allreduce(1 + 2j) == world.size * (1 + 2j)
    assert world.reduce(hits, op="max", root=world.size - 1) == (
        max(everyone) if world.rank == world.size - 1 else None)
    assert world.scan(hits) == sum(everyone[:world.rank + 1])
    assert world.exscan(hits) == (sum(everyone[:world.rank]) if world.rank else None)


if __name__ == "__main__":
    main()
    print("OK")
