# SPDX-License-Identifier: BSD-3-Clause
"""The types of results, as editors and type checkers see them. stubs.py gives this file to mypy; it
runs as well, so that each call is one that there is."""

from typing import Any, assert_type

import numpy as np
from numpy.typing import NDArray

import tutti


def main() -> None:
    world = tutti.world
    x: NDArray[np.float64] = np.zeros(3 * world.size)
    out: NDArray[np.float64] = np.zeros(3 * world.size)
    assert_type(world.allreduce(x), NDArray[np.float64])
    assert_type(world.allreduce(x, out=out, op=np.maximum), NDArray[np.float64])
    assert_type(world.allreduce(1), int)
    assert_type(world.allreduce(1.5, op="mean"), float)
    assert_type(world.allreduce([1, 2]), list[int])
    assert_type(world.reduce(x), NDArray[np.float64] | None)
    assert_type(world.bcast(x), NDArray[np.float64])
    assert_type(world.gather(1), list[int] | None)
    assert_type(world.gather(x), NDArray[np.float64] | None)
    assert_type(world.allgather(1.5), list[float])
    assert_type(world.allgather([1.5]), list[Any])
    assert_type(world.allgather(x), NDArray[np.float64])
    assert_type(world.reduce_scatter(x, op=tutti.MAX), NDArray[np.float64])
    assert_type(world.alltoall(x), NDArray[np.float64])
    assert_type(world.scatter(x, out[:3]), NDArray[np.float64])
    assert_type(world.scan(1), int)
    assert_type(world.exscan(1), int | None)
    assert_type(world.iallreduce(x).wait(), Any)
    assert_type(world.split(0), tutti.Group | None)
    assert_type(world.allgather_object({}), list[Any])


if __name__ == "__main__":
    main()
    print("OK")
