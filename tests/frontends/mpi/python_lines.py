# SPDX-License-Identifier: BSD-3-Clause
"""python_lines.py FLAVOUR: makes barriers from two lines, without mpi4py."""
import ctypes
import sys

LIBRARY = {"openmpi": "libmpi.so.40", "mpich": "libmpich.so.12"}[sys.argv[1]]
mpi = ctypes.CDLL(LIBRARY, mode=ctypes.RTLD_GLOBAL)
# By this handle the functions are those that were loaded first.
program = ctypes.CDLL(None)
if sys.argv[1] == "openmpi":
    world = ctypes.c_void_p(ctypes.addressof(ctypes.c_int.in_dll(mpi, "ompi_mpi_comm_world")))
else:
    world = ctypes.c_int(0x44000000)


def main():
    program.MPI_Init(None, None)
    for _ in range(30):
        program.MPI_Barrier(world)  # many
    program.MPI_Barrier(world)  # one
    program.MPI_Finalize()


main()
