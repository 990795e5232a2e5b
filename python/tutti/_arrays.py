# SPDX-License-Identifier: BSD-3-Clause
"""Answers what the extension asks about arrays: a new one for a result, the name of the type, the
bytes of dates. NumPy is used only if the program uses it."""

import math
import operator
import sys
from collections.abc import Sequence
from typing import Any, SupportsIndex

from tutti import _core

# NumPy's names of types -> the letters of the struct module that a memoryview can be cast to.
FORMATS = {"bool": "?", "int8": "b", "int16": "h", "int32": "i", "int64": "q", "uint8": "B",
           "uint16": "H", "uint32": "I", "uint64": "Q", "float32": "f", "float64": "d"}


def _is_of_numpy(array: Any) -> bool:
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(array, (numpy.ndarray, numpy.generic))


def new_like(array: Any, shape: tuple[int, ...]) -> Any:
    """Returns a new array of this shape, with elements like those of `array`."""
    if _is_of_numpy(array):
        return sys.modules["numpy"].empty(shape, array.dtype)
    if not hasattr(type(array), "__dlpack__"):
        return _with_buffer(array, shape)
    if hasattr(array, "new_empty"):
        return array.new_empty(shape)
    if hasattr(array, "__array_namespace__"):
        return array.__array_namespace__().empty(shape, dtype=array.dtype)
    raise TypeError(f"it is not known how to make another {type(array)!r}: give 'out'")


def _with_buffer(array: Any, shape: tuple[int, ...]) -> Any:
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


def empty(shape: SupportsIndex | Sequence[SupportsIndex], dtype: Any) -> Any:
    """See tutti.empty."""
    several = shape if isinstance(shape, Sequence) else (shape,)
    extents = tuple(map(operator.index, several))
    if min(extents, default=0) < 0:
        raise _core.InvalidArgument(f"argument 'shape' is {shape}, which has a negative number")
    try:
        import numpy
    except ImportError:
        return _empty_view(extents, dtype)
    kind = numpy.dtype(dtype)
    if kind.hasobject:
        raise TypeError("argument 'dtype' has Python objects, which no other process can read")
    memory = _core.alloc(math.prod(extents) * kind.itemsize)
    return numpy.ndarray(extents, kind, memory)


def _empty_view(extents: tuple[int, ...], dtype: Any) -> memoryview:
    format = FORMATS.get(dtype)
    if format is None:
        raise TypeError(f"without NumPy, 'dtype' is one of {', '.join(FORMATS)}, not {dtype!r}")
    memory = _core.alloc(math.prod(extents) * memoryview(bytes(8)).cast(format).itemsize)
    return memory.cast(format, extents) if 0 not in extents else memory.cast(format)


def array_of_scalar(scalar: Any) -> Any:
    """Returns an array without axes that has the value of a scalar of NumPy and can be written."""
    return sys.modules["numpy"].array(scalar)


def as_bytes(array: Any) -> Any:
    """Returns a view of an array of NumPy that has no buffer, such as one of dates: each element is
    as many bytes, which can be moved. Returns None for anything else."""
    if not _is_of_numpy(array) or array.dtype.hasobject:
        return None
    numpy = sys.modules["numpy"]
    return numpy.asarray(array).view(numpy.dtype((numpy.void, array.dtype.itemsize)))


def type_name(array: Any, written: str) -> str:
    """Returns the name of the type of an array's elements, as NumPy writes it. `written` is how the
    struct module writes it."""
    if hasattr(array, "dtype"):
        return str(array.dtype)
    letters = written.lstrip("@=<").replace("l", "q").replace("L", "Q")
    found = (name for name, known in FORMATS.items() if known == letters)
    return next(found, "float16" if letters == "e" else f"'{written}'")
