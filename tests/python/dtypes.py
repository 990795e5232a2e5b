# SPDX-License-Identifier: BSD-3-Clause
"""Elements of every kind move, are combined, or are refused."""

import array

import numpy as np

import tutti

COMBINED = ("bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 "
            "complex64 complex128").split()
# Everything else of NumPy that has a fixed size.
MOVED = COMBINED + ["S5", "U3", "V7", "i4,f8", "i4,M8[D]", "M8[s]", "M8[25us]", "m8[ns]",
                    "longdouble", "clongdouble", ">f8", ">M8[s]"]


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
        data = np.frombuffer(bytes([me + 1] * 3 * np.dtype(name).itemsize), name)
        if name in COMBINED or name.startswith("U"):
            data = np.full(3, me).astype(name)
        whole = world.allgather(data)
        assert whole.dtype == data.dtype and whole.shape == (p, 3)
        assert whole[me].tobytes() == data.tobytes()
        if me == p - 1:
            world.send(data, 0)
        if me == 0:
            came = np.empty(3, name)
            world.recv(came, p - 1)
            assert came.tobytes() == whole[p - 1].tobytes()
        if name in COMBINED:
            result = world.allreduce(data)
            assert result.dtype == data.dtype
            assert np.all(result == data.dtype.type(p * (p - 1) // 2))
        else:
            reason = "order of another machine" if ">f" in name else "only bool"
            refused(TypeError, reason, world.allreduce, data)
            refused(TypeError, f"type {data.dtype}", world.allreduce, data)
    array = world.allreduce(np.array(float(me)))
    assert isinstance(array, np.ndarray) and array.shape == () and array == p * (p - 1) / 2
    refused(TypeError, "_object", world.allgather, np.array([{}]))
    refused(TypeError, "out has float32", world.allreduce, np.zeros(3), np.zeros(3, "float32"))
    days, seconds = np.zeros(3, "M8[D]"), np.zeros((p, 3), "M8[s]")
    refused(TypeError, "datetime64[D], but out has datetime64[s]", world.allgather, days, seconds)
    table = np.zeros((4, 3), "M8[D]")
    table[:, 1] = np.datetime64("2026-11-30") + me
    column = world.allgather(table[:, 1])
    assert np.array_equal(column[p - 1], table[:, 1] + (p - 1 - me))
    world.bcast(table[::2, 1:], root=p - 1)
    assert table[2, 1] == np.datetime64("2026-11-30") + p - 1


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
    refused(TypeError, "out has int32", world.allreduce, numbers, array.array("i", [0, 0]))


def main():
    with_numpy(tutti.world)
    without_numpy(tutti.world)


if __name__ == "__main__":
    main()
    print("OK")
