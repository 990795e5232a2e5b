# SPDX-License-Identifier: BSD-3-Clause
"""Messages that are looked for, taken back or waited for with a limit; members of groups; plans
that are started; operators that fail; and arrays of DLPack."""

import ctypes
import json

import numpy as np

import tutti
from dtypes import refused


def neighbours(world):
    return (world.rank + 1) % world.size, (world.rank - 1) % world.size


def probes(world):
    following, before = neighbours(world)
    assert world.probe(before, 3, timeout=0) is None
    assert world.probe(before, timeout=0.001) is None
    world.barrier()
    world.send(np.arange(5, dtype="int16"), following, 3)
    status = world.probe()
    assert status == (before, 3) and status.bytes == 10
    out = np.empty(status.bytes // 2, "int16")
    assert world.recv(out).bytes == 10 and list(out) == [0, 1, 2, 3, 4]


def limits(world):
    following, before = neighbours(world)
    data, out = np.array([world.rank]), np.array([-1])
    request = world.irecv(out, before, 4)
    refused(tutti.WouldWait, "", request.wait, timeout=0.001)
    refused(BlockingIOError, "", tutti.wait_any, [request], timeout=0)
    assert not request.test()
    world.barrier()
    world.send(data, following, 4)
    assert request.wait(timeout=60) == (before, 4) and out[0] == before
    assert request.wait(timeout=0).bytes == 8


def one_of_several(world):
    following, before = neighbours(world)
    outs = [np.array([-1]) for _ in range(3)]
    requests = [world.irecv(out, before, tag) for tag, out in enumerate(outs)]
    world.barrier()
    world.send(np.array([7]), following, 1)
    assert tutti.wait_any(requests) == 1 and outs[1][0] == 7
    assert requests[1].test() and not requests[0].test()
    world.barrier()
    for tag in (0, 2):
        world.send(np.array([tag]), following, tag)
    assert {tutti.wait_any(requests, timeout=60), tutti.wait_any(requests)} == {0, 2}
    assert tutti.wait_any(requests) is None and tutti.wait_any([]) is None
    assert [int(out[0]) for out in outs] == [0, 7, 2]
    refused(TypeError, "is no request", tutti.wait_any, [1])
    assert tutti.wait_any([requests[0], world.iallreduce(1)]) == 1


def taken_back(world):
    following, before = neighbours(world)
    out = np.array([-1])
    request = world.irecv(out, before, 5)
    assert request.cancel() and not request.cancel() and request.test()
    world.barrier()
    world.send(np.array([1]), following, 5)
    assert world.recv(np.empty(1, "int64"), before, 5) == (before, 5) and out[0] == -1
    collective = world.iallreduce(1)
    refused(ValueError, "collective", collective.cancel)
    assert collective.wait() == world.size


def members(world):
    half = world.split(world.rank % 2, key=-world.rank)
    ranks = list(range(world.rank % 2, world.size, 2))[::-1]
    assert half.members == ranks and world.members == list(range(world.size))
    assert world.ranks_in(half) == [ranks.index(r) if r in ranks else -1
                                    for r in range(world.size)]
    refused(TypeError, "needs a group", half.ranks_in, 3)
    half.free()
    refused(tutti.StaleHandle, "", lambda: half.members)


def plans(world):
    data, out = np.arange(6.0) + world.rank, np.empty(6)
    expected = world.allreduce(data)
    plan = world.plan("allreduce", "direct")
    assert plan.start(data, out).wait() is out and np.array_equal(out, expected)
    prepared = plan.init(data, out)
    for turn in range(3):
        data[:] = turn
        assert prepared() is out and np.all(out == turn * world.size)
    prepared.free()
    assert plan.start(data).wait().shape == (6,)
    schedule = json.loads(plan.json)
    assert schedule["p"] == world.size and schedule["operation"] == "allreduce"
    assert world.plan("bcast", root=world.size - 1).root == world.size - 1


class Tensor:
    """An array that only speaks DLPack. It may say that it has other elements."""

    def __init__(self, array, code=None, device=(1, 0)):
        self.array, self.code, self.device = array, code, device

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self):
        capsule = self.array.__dlpack__()
        if self.code is not None:
            pointer = ctypes.pythonapi.PyCapsule_GetPointer
            pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
            type_at = pointer(capsule, b"dltensor") + 20
            ctypes.c_uint8.from_address(type_at).value = self.code
        return capsule

    def new_empty(self, shape):
        return Tensor(np.empty(shape, self.array.dtype), self.code)


def tensors(world):
    p, me = world.size, world.rank
    for name in ("float32", "int8", "uint64", "complex128", "float16"):
        tensor, out = Tensor(np.full((2, 3), me, name)), Tensor(np.empty((2, 3), name))
        assert world.allreduce(tensor, out) is out
        assert np.all(out.array == p * (p - 1) // 2)
        assert np.all(world.allreduce(tensor).array == out.array)
        assert world.allgather(tensor).array.shape == (p, 2, 3)
    turned = Tensor(np.arange(6.0).reshape(2, 3).T)  # its rows do not lie in memory one by one
    assert np.array_equal(world.allreduce(turned, np.empty((3, 2))), turned.array * p)
    assert world.iallreduce(Tensor(np.ones(3))).wait().array[2] == p
    bfloat16 = Tensor(np.full(4, 0x3f80, "uint16"), code=4)  # ones
    world.allreduce(bfloat16, bfloat16)
    assert np.all((bfloat16.array.astype("uint32") << 16).view("float32") == p)
    refused(TypeError, "another device", world.allreduce, Tensor(np.ones(3), device=(2, 0)))
    refused(TypeError, "DLPack's type 3", world.allreduce, Tensor(np.ones(3), code=3))
    refused(TypeError, "out has", world.allreduce, Tensor(np.ones(3)), np.ones(3, "float32"))


@tutti.op("int64")
def fails_on_the_last(left, right):
    if tutti.world.rank == tutti.world.size - 1:
        raise ZeroDivisionError("the last one")
    return left + right


def failing_operators(world):
    """An operator that fails on one rank ends the call on all ranks."""
    if world.size == 1:
        return
    last = world.rank == world.size - 1
    kind, words = ((ZeroDivisionError, "the last one") if last else
                   (tutti.OperatorFailed, f"has failed on rank {world.size - 1}"))
    data = np.array([1])
    plan = world.plan("allreduce", "direct")
    for turn in range(3):
        refused(kind, words, plan, data, op=fails_on_the_last)
        assert world.allreduce(1) == world.size
        request = plan.start(data, op=fails_on_the_last)
        assert world.allreduce(1) == world.size  # which lets the request go on
        refused(kind, words, request.wait)
        prepared = plan.init(data, op=fails_on_the_last)
        refused(kind, words, prepared)
        refused(kind, words, prepared)
        prepared.free()


def main():
    for part in (probes, limits, one_of_several, taken_back, members, plans, tensors,
                 failing_operators):
        part(tutti.world)
        tutti.world.barrier()


if __name__ == "__main__":
    main()
    print("OK")
