# SPDX-License-Identifier: BSD-3-Clause
"""peer_beside.py FIRST: uses the package tutti and mpi4py in one process, of which FIRST is used
first. Each rank prints "right". There must be one MPI in the process."""
import re
import sys
from pathlib import Path

import numpy
import tutti

if sys.argv[1] == "tutti":
    world = tutti.world
from mpi4py import MPI  # noqa: E402

comm = MPI.COMM_WORLD
world = tutti.world
assert comm.size > 1 and (world.rank, world.size) == (comm.rank, comm.size)
for turn in range(5):
    assert comm.allreduce(world.rank) == world.allreduce(comm.rank)
    mine, theirs = numpy.full(3, world.rank), numpy.empty(3, int)
    comm.Sendrecv(mine, (comm.rank + 1) % comm.size, recvbuf=theirs)
    assert world.allgather(mine)[(comm.rank - 1) % comm.size][0] == theirs[0]
mpis = set(re.findall(r"/\S*/libmpi(?:ch|_abi)?\.so\S*", Path("/proc/self/maps").read_text()))
assert len(mpis) == 1, mpis
print("right")
