# SPDX-License-Identifier: BSD-3-Clause
"""Makes the arrays for results. NumPy is used only if the program uses it."""

import sys


def new_like(array, shape):
    """Returns a new array of this shape, with elements like those of `array`."""
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(array, (numpy.ndarray, numpy.generic)):
        return numpy.empty(shape, array.dtype)
    if not hasattr(type(array), "__dlpack__"):
        return _with_buffer(array, shape)
    if hasattr(array, "new_empty"):
        return array.new_empty(shape)
    if hasattr(array, "__array_namespace__"):
        return array.__array_namespace__().empty(shape, dtype=array.dtype)
    raise TypeError(f"it is not known how to make another {type(array)!r}: give 'out'")


def _with_buffer(array, shape):
    view = memoryview(array)
    count = 1
    for extent in shape:
        count *= extent
    memory = bytearray(count * view.itemsize)
    if len(shape) == 1:
        if isinstance(array, (bytes, bytearray)):
            return memory
        if hasattr(array, "typecode"):
            return type(array)(array.typecode, memory)
    if count == 0:
        return memoryview(memory).cast(view.format)
    return memoryview(memory).cast("B").cast(view.format, shape)
