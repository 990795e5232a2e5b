# SPDX-License-Identifier: BSD-3-Clause
"""Jacobi's method on a grid whose rows are divided among the ranks. The result is that of one
process."""

import numpy as np

import tutti

ROWS, COLUMNS, STEPS = 12, 8, 20


def start():
    grid = np.zeros((ROWS + 2, COLUMNS + 2))
    grid[0, :] = 1
    return grid


def step(grid):
    inner = (grid[:-2, 1:-1] + grid[2:, 1:-1] + grid[1:-1, :-2] + grid[1:-1, 2:]) / 4
    change = np.abs(inner - grid[1:-1, 1:-1]).max()
    grid[1:-1, 1:-1] = inner
    return change


def exchange(group, part):
    """Sends the outer rows to the neighbours and receives theirs."""
    above, below = group.rank - 1, group.rank + 1
    requests = []
    if above >= 0:
        requests += [group.irecv(part[0], above), group.isend(part[1], above)]
    if below < group.size:
        requests += [group.irecv(part[-1], below), group.isend(part[-2], below)]
    tutti.wait_all(requests)


def main():
    world = tutti.world
    rows = ROWS // world.size
    assert rows * world.size == ROWS
    whole = start()
    first = world.rank * rows
    part = whole[first:first + rows + 2].copy()
    for _ in range(STEPS):
        expected = step(whole)
        exchange(world, part)
        assert world.allreduce(step(part), op="max") == expected
    inner = np.ascontiguousarray(part[1:-1])
    result = world.gather(inner)
    assert (result is None) == (world.rank != 0)
    assert result is None or np.array_equal(result.reshape(ROWS, -1), whole[1:-1])
    halves = world.gather(inner, counts=[rows] * world.size, root=world.size - 1)
    assert halves is None or np.array_equal(halves, whole[1:-1])


if __name__ == "__main__":
    main()
    print("OK")
