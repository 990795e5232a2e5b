# SPDX-License-Identifier: BSD-3-Clause
"""Makes operators of functions of Python."""

from tutti import _core

_FORMATS = {"bool": "?", "int8": "b", "int16": "h", "int32": "i", "int64": "q", "uint8": "B",
            "uint16": "H", "uint32": "I", "uint64": "Q", "float32": "f", "float64": "d"}


def _array_maker(name):
    """Returns a function that makes an array of elements of this type out of bytes: an array of
    NumPy if it is installed, else a memoryview."""
    try:
        import numpy
    except ImportError:
        if name not in _FORMATS:
            raise TypeError(f"operators on elements of type {name!r} need NumPy") from None
        return lambda view: view.cast(_FORMATS[name])
    dtype = numpy.dtype(name)
    return lambda view: numpy.frombuffer(view, dtype)


def _name_of(dtype):
    if isinstance(dtype, str):
        return dtype
    if dtype is float:
        return "float64"
    if dtype is int:
        return "int64"
    if dtype is bool:
        return "bool"
    if dtype is complex:
        return "complex128"
    return getattr(dtype, "name", None) or getattr(dtype, "__name__", str(dtype))


def op(dtype, commutative=True, whole=False):
    """A decorator that makes an operator of a function of two arrays, left and right, which returns
    an array. The function must be associative. The arrays are parts of the vectors of the call,
    unless `whole` is true; then only algorithms serve that do not cut vectors."""
    name = _name_of(dtype)

    def decorate(function):
        return _core.make_op(name, function, _array_maker(name), commutative, whole)

    return decorate
