# SPDX-License-Identifier: BSD-3-Clause
"""Makes operators of functions of Python, and finds the library's operators by functions."""

import builtins
import operator
import sys
from collections.abc import Callable
from typing import Any

from tutti import _core
from tutti._arrays import FORMATS

_Function = Callable[[Any, Any], Any]

# Operators of the library by the names of NumPy's functions for arrays.
_OF_NUMPY = {
    "add": "sum", "sum": "sum", "multiply": "product", "prod": "product", "maximum": "max",
    "max": "max", "minimum": "min", "min": "min", "mean": "mean", "logical_and": "logical_and",
    "logical_or": "logical_or", "logical_xor": "logical_xor", "bitwise_and": "bit_and",
    "bitwise_or": "bit_or", "bitwise_xor": "bit_xor"
}
_OF_PYTHON: dict[Any, str] = {
    builtins.sum: "sum", builtins.max: "max", builtins.min: "min", operator.add: "sum",
    operator.mul: "product", operator.and_: "bit_and", operator.or_: "bit_or",
    operator.xor: "bit_xor"
}


def name_of(function: Any) -> str:
    """Returns the name of the operator that a function of NumPy or Python stands for."""
    numpy = sys.modules.get("numpy")
    for name, ours in _OF_NUMPY.items():
        if numpy is not None and function is getattr(numpy, name, None):
            return ours
    if callable(function) and function in _OF_PYTHON:
        return _OF_PYTHON[function]
    raise TypeError("op must be an operator of tutti, its name, or a function such as "
                    f"numpy.maximum, not {function!r}"
                    + (": make an operator of it by tutti.op()" if callable(function) else ""))


def _array_maker(name: str) -> Callable[[memoryview], Any]:
    """Returns a function that makes an array of elements of this type out of bytes: an array of
    NumPy if it is installed, else a memoryview."""
    try:
        import numpy
    except ImportError:
        if name not in FORMATS:
            raise TypeError(f"operators on elements of type {name!r} need NumPy") from None
        return lambda view: view.cast(FORMATS[name])
    dtype = numpy.dtype(name)
    return lambda view: numpy.frombuffer(view, dtype)


def _type_of(dtype: Any) -> str:
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
    return str(getattr(dtype, "name", None) or getattr(dtype, "__name__", dtype))


def op(dtype: Any, commutative: bool = True,
       whole: bool = False) -> Callable[[_Function], _core.Op]:
    """A decorator that makes an operator of a function of two arrays, left and right, which returns
    an array.

    dtype: the type of the elements, such as "float64"; calls with others are refused.
    commutative: whether the operands may be exchanged. The function must be associative.
    whole: the arrays are parts of the vectors of a call unless this is true; then only algorithms
    serve that do not cut vectors.

    >>> @tutti.op("float64")
    ... def longest(left, right):
    ...     return numpy.maximum(abs(left), abs(right))
    >>> float(world.allreduce(numpy.array([-2.0 - world.rank]), op=longest)[0])
    3.0
    """
    name = _type_of(dtype)

    def decorate(function: _Function) -> _core.Op:
        return _core.make_op(name, function, _array_maker(name), commutative, whole)

    return decorate
