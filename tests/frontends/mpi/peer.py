# SPDX-License-Identifier: BSD-3-Clause
"""A program with mpi4py that knows nothing of tutti. It prints "right" once."""
import numpy
from mpi4py import MPI

comm = MPI.COMM_WORLD
x = numpy.arange(8.0) + comm.rank
y = numpy.empty_like(x)
mean = numpy.arange(8.0) + (comm.size - 1) / 2
for turn in range(20):
    root = x.copy() if comm.rank == turn % comm.size else numpy.empty_like(x)
    comm.Bcast(root, root=turn % comm.size)
    assert (root == numpy.arange(8.0) + turn % comm.size).all()
    comm.Allreduce(x, y)
    assert (y / comm.size == mean).all()
total = comm.allreduce({"a": comm.rank}, op=lambda a, b: {"a": a["a"] + b["a"]})
assert total == {"a": sum(range(comm.size))}
assert comm.gather(comm.rank, root=0) == (list(range(comm.size)) if comm.rank == 0 else None)
if comm.rank == 0:
    print("right", comm.size, MPI.Get_library_version().split("\n")[0][:40])
