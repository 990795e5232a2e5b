# SPDX-License-Identifier: BSD-3-Clause
"""Makes the arrays for results. NumPy is used only if the program uses it."""

import sys


def new_like(array, shape):
    """Returns a new array of this shape, with elements like those of `array`."""
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(array, (numpy.ndarray, numpy.generic)):
        return numpy.empty(shape, array.dtype)
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
