# SPDX-License-Identifier: BSD-3-Clause
"""Knows how each of Debian's MPIs, which can be installed side by side, starts the ranks of a job.
Tests and benches use it."""
import shutil

LAUNCHERS = {
    "openmpi": ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe"],
    "mpich": ["mpiexec.mpich"]
}


def installed(mpi):
    return shutil.which(LAUNCHERS[mpi][0]) is not None


def launcher(mpi, ranks, variables=None):
    """Returns the words to write in front of a program. `variables` are set for the ranks only: a
    library that they preload must not be loaded into the launcher."""
    return LAUNCHERS[mpi] + ["-n", str(ranks)] + words_for_ranks(mpi, variables or {})


def words_for_ranks(mpi, variables):
    """Returns the launcher's options that set environment variables of the ranks."""
    if mpi == "openmpi":
        return [word for name, value in variables.items() for word in ("-x", f"{name}={value}")]
    return [word for name, value in variables.items() for word in ("-genv", name, value)]
