# SPDX-License-Identifier: BSD-3-Clause
"""Elements of every kind move, are combined, or are refused."""

import array

import numpy as np

import tutti

COMBINED = ("bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 "
            "complex64 complex128").split()
MOVED = COMBINED + ["S5", "U3", "i4,f8", "longdouble"]


def refused(kind, words, call, *arguments, **names):
    try:
        call(*arguments, **names)
    except kind as error:
        assert words in str(error), error
    else:
        raise AssertionError(f"{words}: was not refused")


def with_numpy(world):
    p, me = world.size, world.rank
    for name in MOVED:
        data = np.zeros(3, name)
        data[...] = data.dtype.type(me) if data.dtype.names is None else (me, me)
        whole = world.allgather(data)
        assert whole.dtype == data.dtype and whole.shape == (p, 3)
        assert np.array_equal(whole[me], data)
        if name in COMBINED:
            result = world.allreduce(data)
            assert result.dtype == data.dtype
            assert np.all(result == data.dtype.type(p * (p - 1) // 2))
        else:
            refused(TypeError, "only bool", world.allreduce, data)
    scalar = world.allreduce(np.float64(me))
    assert isinstance(scalar, np.ndarray) and scalar.shape == () and scalar == p * (p - 1) / 2
    refused(TypeError, "another machine", world.allreduce, np.zeros(3, ">f8"))
    refused(TypeError, "_object", world.allgather, np.array([{}]))
    refused(TypeError, "out has 'f'", world.allreduce, np.zeros(3), np.zeros(3, "float32"))


def without_numpy(world):
    p, me = world.size, world.rank
    numbers = array.array("d", [me, 1])
    result = world.allreduce(numbers)
    assert type(result) is array.array and list(result) == [p * (p - 1) / 2, p]
    assert bytes(world.allgather(bytes([me])))[me] == me
    text = bytearray(b"hello" if me == 0 else b".....")
    assert world.bcast(text) is text and text == b"hello"
    view = memoryview(bytearray(16)).cast("q")
    view[0] = me
    assert world.allreduce(view).tolist() == [p * (p - 1) // 2, 0]
    refused(TypeError, "_object", world.bcast, "text", root=0)
    refused(TypeError, "_object", world.allreduce, [1, 2])


def main():
    with_numpy(tutti.world)
    without_numpy(tutti.world)


if __name__ == "__main__":
    main()
    print("OK")
