# SPDX-License-Identifier: BSD-3-Clause
"""The class of groups. Its calls for arrays are written in C; those for Python objects are here."""

import pickle
from collections.abc import Iterable
from types import TracebackType
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from tutti import _core

_Self = TypeVar("_Self", bound="Group")


class Group(_core.Group):
    """Processes that communicate with each other. `rank` is the number of this one, `size` says how
    many there are.

    Collectives are called by all ranks of a group, in one order. They take arrays of NumPy, or
    anything else with a buffer of elements, in any layout; elements are numbered row by row. They
    also take numbers and lists of numbers. The calls i<name> start an operation and return a
    Request; <name>_init prepares one, which can be started often."""

    def __enter__(self: _Self) -> _Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None,
                 trace: TracebackType | None) -> None:
        if kind is None:  # otherwise operations of the group may be under way
            self.free()

    def __reduce__(self) -> NoReturn:
        raise TypeError("a group cannot be sent to another process")

    if not TYPE_CHECKING:  # which would take each name for one that there is
        def __getattr__(self, name):
            from tutti import _names
            raise _names.no_attribute("'Group' object", name, dir(self), _names.OF_A_GROUP)

    def bcast_object(self, value: Any = None, root: int = 0) -> Any:
        """Copies a Python object of the root to all ranks, by pickle. Returns it.

        value: the object; it is not looked at where the rank is not the root.

        >>> world.bcast_object({"steps": 3} if world.rank == 0 else None)
        {'steps': 3}
        """
        data = bytearray(pickle.dumps(value) if self.rank == root else b"")
        length = self.bcast(len(data), root)
        if self.rank != root:
            data = bytearray(length)
        self.bcast(data, root)
        return value if self.rank == root else pickle.loads(data)

    def gather_object(self, value: Any, root: int = 0) -> list[Any] | None:
        """Returns the list of the objects of all ranks at the root, and None elsewhere.

        >>> world.gather_object("of " + str(world.rank), root=1) is None or world.rank == 1
        True
        """
        data = pickle.dumps(value)
        lengths = self.gather(len(data), root=root)
        parts = self.gather(data, root=root, counts=lengths or ())
        return None if lengths is None or parts is None else _objects(parts, lengths)

    def allgather_object(self, value: Any) -> list[Any]:
        """Returns the list of the objects of all ranks.

        >>> world.allgather_object("ab"[world.rank])
        ['a', 'b']
        """
        data = pickle.dumps(value)
        lengths = self.allgather(len(data))
        return _objects(self.allgather(data, counts=lengths), lengths)

    def send_object(self, value: Any, dest: int, tag: int = 0) -> None:
        """Sends a Python object, by pickle, which recv_object() receives."""
        self.send(pickle.dumps(value), dest, tag)

    def recv_object(self, source: int = _core.ANY,
                    tag: int = _core.ANY) -> tuple[Any, _core.Status]:
        """Receives an object of send_object(). Returns it and the Status. Receive only from
        programs that you trust: pickle runs what they send."""
        status = self.probe(source, tag)
        assert status is not None  # without a timeout, probe() waits
        data = bytearray(status.bytes)
        self.recv(data, status.source, status.tag)
        return pickle.loads(data), status


def _objects(data: bytes, lengths: Iterable[int]) -> list[Any]:
    """Returns the objects whose pickles lie one after the other in `data`."""
    view = memoryview(data)
    values = []
    start = 0
    for length in lengths:
        values.append(pickle.loads(view[start:start + length]))
        start += length
    return values
