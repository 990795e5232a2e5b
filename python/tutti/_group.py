# SPDX-License-Identifier: BSD-3-Clause
"""The class of groups. Its calls for arrays are written in C; those for Python objects are here."""

import pickle

from tutti import _core


class Group(_core.Group):
    """Processes that communicate with each other. `rank` is the number of this one, `size` says how
    many there are."""

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        if exception[0] is None:  # otherwise operations of the group may be under way
            self.free()

    def __reduce__(self):
        raise TypeError("a group cannot be sent to another process")

    def bcast_object(self, value=None, root=0):
        """Copies a Python object of the root to all ranks. Returns it."""
        data = bytearray(pickle.dumps(value) if self.rank == root else b"")
        length = self.bcast(len(data), root)
        if self.rank != root:
            data = bytearray(length)
        self.bcast(data, root)
        return value if self.rank == root else pickle.loads(data)

    def gather_object(self, value, root=0):
        """Returns the list of the objects of all ranks at the root, and None elsewhere."""
        data = pickle.dumps(value)
        lengths = self.gather(len(data), root=root)
        if self.rank != root:
            self.gather(data, root=root, counts=())
            return None
        return _objects(self.gather(data, root=root, counts=lengths), lengths)

    def allgather_object(self, value):
        """Returns the list of the objects of all ranks."""
        data = pickle.dumps(value)
        lengths = self.allgather(len(data))
        return _objects(self.allgather(data, counts=lengths), lengths)

    def send_object(self, value, dest, tag=0):
        """Sends a Python object, which recv_object() receives."""
        self.send(pickle.dumps(value), dest, tag)

    def recv_object(self, source=_core.ANY, tag=_core.ANY):
        """Receives an object of send_object(). Returns it and the Status."""
        status = self.probe(source, tag)
        data = bytearray(status.bytes)
        self.recv(data, status.source, status.tag)
        return pickle.loads(data), status


def _objects(data, lengths):
    """Returns the objects whose pickles lie one after the other in `data`."""
    view = memoryview(data)
    values = []
    start = 0
    for length in lengths:
        values.append(pickle.loads(view[start:start + length]))
        start += length
    return values
