# SPDX-License-Identifier: BSD-3-Clause
"""shared_arrays.py: arrays of tutti.empty in collectives and messages, what is refused, and that
their memory is freed with the last reference, whenever that goes. Needs TUTTI_SHM_LIMIT=128M and at
least two ranks."""

import gc
import threading

import numpy as np

import tutti
from dtypes import refused

MIB = 1 << 20


def check_shapes():
    assert tutti.empty(3).shape == (3,) and tutti.empty(3).dtype == np.float64
    assert tutti.empty((), "int32").shape == () and tutti.empty(np.int64(4)).size == 4
    assert tutti.empty([2, 0, 5], np.uint8).shape == (2, 0, 5)
    pairs = tutti.empty((4, 5), [("a", "i4"), ("b", "f8")])
    pairs["b"] = 2.5
    assert pairs.flags.writeable and not pairs.flags.owndata and pairs["b"].sum() == 50
    refused(tutti.InvalidArgument, "negative", tutti.empty, (3, -1))
    refused(TypeError, "Python objects", tutti.empty, 3, object)
    refused(TypeError, "", tutti.empty, 2.5)
    refused(TypeError, "", tutti.empty, 2, "no such type")


def check_results(world):
    for count in (1, 1000, 100_003, MIB // 2):
        arrays = [tutti.empty(count, "int64"), np.empty(count, np.int64)]
        for data in arrays:
            for out in arrays:
                base = np.arange(count) * 3
                data[:] = base + world.rank
                world.allreduce(data, out)
                assert (out == base * world.size + world.size * (world.size - 1) // 2).all()
                out[:] = base + world.rank
                world.bcast(out, root=world.size - 1)
                assert (out == base + world.size - 1).all()
        sent, received = arrays if world.rank % 2 == 0 else reversed(arrays)
        sent[:] = np.arange(count) + world.rank
        request = world.isend(sent, (world.rank + 1) % world.size)
        world.recv(received, (world.rank - 1) % world.size)
        request.wait()
        assert (received == np.arange(count) + (world.rank - 1) % world.size).all()


def check_exhaustion(world):
    """Rank 0 takes all memory several times. So it must have been freed."""
    world.barrier()
    if world.rank == 0:
        for _ in range(2):
            taken: list[np.ndarray] = []
            try:
                while len(taken) < 1000:
                    taken.append(tutti.empty(4 * MIB, "uint8"))
            except tutti.OutOfMemory as error:
                assert "TUTTI_SHM_LIMIT" in str(error)
            assert 12 < len(taken) < 32, len(taken)
            taken.clear()
            gc.collect()
    world.barrier()


def check_last_references(world):
    """The last reference goes while a request needs the memory, while a call is under way, in
    another thread, and for a part of an array."""
    for _ in range(20):
        data = tutti.empty(MIB, "uint8")
        data[:] = world.rank
        request = world.ibcast(data, root=0)
        del data
        assert not request.wait().any()
        del request
        part = tutti.empty(4 * MIB, "uint8")[5:9]
        part[:] = 7
        assert part.sum() == 28

    @tutti.op("float64")
    def add(left, right):
        held.clear()  # inside of a call of the library
        return left + right

    for _ in range(20):
        held = [tutti.empty(4 * MIB, "uint8")]
        assert world.allreduce(np.array([1.0]), op=add)[0] == world.size
        held.clear()
        last = [tutti.empty(4 * MIB, "uint8")]
        thread = threading.Thread(target=last.clear)
        thread.start()
        world.barrier()
        thread.join()


def main():
    world = tutti.world
    check_shapes()
    check_results(world)
    check_exhaustion(world)
    check_last_references(world)
    check_exhaustion(world)
    kept = tutti.empty(100_000, "int32")
    kept[:] = world.rank
    tutti.finalize()
    assert (kept == kept[0]).all()


if __name__ == "__main__":
    main()
    print("OK")
