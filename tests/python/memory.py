# SPDX-License-Identifier: BSD-3-Clause
"""memory.py [CALLS]: the memory of a process does not grow with the number of its calls, those that
fail included."""

import gc
import resource
import sys

import numpy as np

import tutti
from dtypes import refused
from messages import Tensor, fails_on_the_last


def calls_of(world):
    data, out = np.arange(100.0), np.empty(100)
    tensor, wide = Tensor(data), np.zeros((10, 20))[::2]
    prepared = world.allreduce_init(data, out)
    plan = world.plan("allreduce", "direct")
    following, before = (world.rank + 1) % world.size, (world.rank - 1) % world.size

    def message():
        request = world.irecv(out, before, 3)
        refused(tutti.WouldWait, "", request.wait, timeout=0)
        world.barrier()
        world.send(data, following, 3)
        assert tutti.wait_any([request]) == 0

    def taken_back():
        assert world.irecv(out, before, 4).cancel() and world.probe(before, 4, timeout=0) is None

    def failing():
        if world.size > 1:
            kind = (ZeroDivisionError if world.rank == world.size - 1 else tutti.OperatorFailed)
            refused(kind, "", plan, np.array([1]), op=fails_on_the_last)

    def group():
        with world.split(0) as part:
            part.allgather_object(part.members)

    return [lambda: world.allreduce(data, out), lambda: world.allreduce(data),
            lambda: world.allreduce(1.5), lambda: world.allreduce(tensor),
            lambda: world.allreduce(wide), lambda: world.iallreduce(data).wait(), prepared,
            lambda: plan.start(data).wait(), lambda: plan.init(data).free(),
            lambda: refused(TypeError, "", world.allreduce, ["word"]),
            lambda: refused(ValueError, "", world.allreduce, data, np.zeros(3)),
            message, taken_back, failing, group]


def resident():
    """Bytes of this process in memory."""
    gc.collect()
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def main(calls):
    world = tutti.world
    for call in calls_of(world):
        for _ in range(calls // 4):
            call()
        start = resident()
        for _ in range(calls):
            call()
        assert resident() - start < 1 << 20, (call, resident() - start)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20000)
    print("OK")
